import { systemRandom } from '@saldo/client'
import { CommandError } from './command-error.ts'
import { addressOf } from './input.ts'
import { readClientConfig } from './system.ts'

/**
 * Serves the tools of `saldo mcp` over standard input and output until the assistant closes them. The token comes from
 * the environment only: that of `saldo login` may do more than an assistant should.
 */
export async function serveAssistant(build: string): Promise<void> {
  const { url, token } = readClientConfig()
  if (!url || !token) throw new CommandError('set SALDO_URL and SALDO_TOKEN for the assistant', 2)
  // Loaded for this command alone: a service would hold it in memory.
  const { serveTools } = await import('./mcp-run.ts')
  await serveTools({ url: addressOf(url), token }, systemRandom, build)
}
