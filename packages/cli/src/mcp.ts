import { serviceOf } from './input.ts'

/** Serves the tools of `saldo mcp` over standard input and output until the assistant closes them. */
export async function serveAssistant(build: string): Promise<void> {
  // Loaded for this command alone: a service would hold it in memory.
  const { serveTools } = await import('./mcp-run.ts')
  await serveTools(serviceOf({}), build)
}
