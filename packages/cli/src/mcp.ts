import { type CallToolResult, type ListToolsResult, Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { systemRandom } from '@saldo/client'
import { check, type JsonObject, type Random } from '@saldo/core'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { CommandError } from './command-error.ts'
import { addressOf } from './input.ts'
import { type Send, ServiceError, senderTo } from './mcp-requests.ts'
import { type PlannedChange, type Tool, tools } from './mcp-tools.ts'
import { readClientConfig } from './system.ts'

const INSTRUCTIONS = `Saldo is the user's working-time account. Figures that end in _ms are milliseconds: 3600000 is one
hour. Times need an offset; read_balance answers the account's time zone and the present time. Every change is shown to
the user before it is stored. If a tool answers a confirmation code, show the user the change, and call confirm_change
only after they have agreed.`

/** Of the changes that wait for a confirmation, the last are kept. */
const MAX_PLANNED = 20
const CODE_LENGTH = 8
/** A user may take this long to answer the question of their client. */
const QUESTION_TIMEOUT_MS = 600_000

const Confirmation = v.object({
  code: v.pipe(v.string(), v.metadata({ description: 'The code that the change was answered with.' })),
})

/**
 * Serves the tools of `saldo mcp` over standard input and output until the assistant closes them. The token comes from
 * the environment only: that of `saldo login` may do more than an assistant should.
 */
export async function serveAssistant(build: string): Promise<void> {
  const { url, token } = readClientConfig()
  if (!url || !token) throw new CommandError('set SALDO_URL and SALDO_TOKEN for the assistant', 2)
  const server = new Server(
    { name: 'saldo', version: build },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  const assistant = new Assistant(server, senderTo({ url: addressOf(url), token }), systemRandom)
  server.setRequestHandler('tools/list', () => ({ tools: assistant.tools() }))
  server.setRequestHandler('tools/call', ({ params }) => assistant.call(params.name, params.arguments ?? {}))
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  process.stdin.once('end', () => void server.close())
  await server.connect(new StdioServerTransport())
  await closed
}

/** The tools as an assistant calls them: nothing is written that the user has not confirmed. */
class Assistant {
  readonly #server: Server
  readonly #send: Send
  readonly #random: Random
  /** By code, the oldest first. */
  readonly #planned = new Map<string, PlannedChange>()

  constructor(server: Server, send: Send, random: Random) {
    this.#server = server
    this.#send = send
    this.#random = random
  }

  tools() {
    const confirming = {
      name: 'confirm_change',
      description: 'Store a change that the user has agreed to. Ask them first.',
      inputSchema: inputSchemaOf(Confirmation),
      annotations: { readOnlyHint: false, destructiveHint: true },
    }
    return this.#asksUser() ? tools.map(listed) : [...tools.map(listed), confirming]
  }

  async call(name: string, input: unknown): Promise<CallToolResult> {
    try {
      if (name === 'confirm_change') return await this.#confirm(input)
      const tool = tools.find((one) => one.name === name)
      if (!tool) return failure(`There is no tool ${name}.`)
      const checked = check(tool.input, input)
      if (!checked.ok) return failure(faultsOf(checked.errors))
      const result = await tool.run(checked.value, { send: this.#send, random: this.#random })
      return result.outcome === 'read' ? answer(JSON.stringify(result.value)) : await this.#ask(result.change)
    } catch (error) {
      if (error instanceof ServiceError) return failure(error.message)
      throw error
    }
  }

  /** True if the client can ask the user itself, so that the assistant cannot answer in their place. */
  #asksUser(): boolean {
    const { elicitation } = this.#server.getClientCapabilities() ?? {}
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  }

  async #ask(change: PlannedChange): Promise<CallToolResult> {
    if (!this.#asksUser()) return this.#plan(change)
    const { action } = await this.#server.elicitInput(
      { message: change.summary, requestedSchema: { type: 'object', properties: {} } },
      { timeout: QUESTION_TIMEOUT_MS },
    )
    return action === 'accept' ? this.#write(change) : answer('The user did not agree. Nothing was changed.')
  }

  #plan(change: PlannedChange): CallToolResult {
    const code = this.#random.uuid().slice(0, CODE_LENGTH)
    this.#planned.set(code, change)
    const [oldest] = this.#planned.keys()
    if (this.#planned.size > MAX_PLANNED && oldest !== undefined) this.#planned.delete(oldest)
    return answer(`Nothing is stored yet. Confirmation code: ${code}\n\n${change.summary}`)
  }

  async #confirm(input: unknown): Promise<CallToolResult> {
    const checked = check(Confirmation, input)
    if (!checked.ok) return failure(faultsOf(checked.errors))
    const change = this.#planned.get(checked.value.code)
    if (!change) return failure('This code is not known, or its change is stored already.')
    const result = await this.#write(change)
    this.#planned.delete(checked.value.code)
    return result
  }

  async #write({ request }: PlannedChange): Promise<CallToolResult> {
    const { value } = await this.#send(request)
    return answer(value === undefined ? 'Done.' : JSON.stringify(value))
  }
}

function listed({ name, description, input, isReading }: Tool) {
  const annotations = { readOnlyHint: isReading, destructiveHint: !isReading }
  return { name, description, inputSchema: inputSchemaOf(input), annotations }
}

function inputSchemaOf(schema: v.GenericSchema): ListToolsResult['tools'][number]['inputSchema'] {
  const { $schema: _dialect, ...converted } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' })
  return { ...(converted as JsonObject), type: 'object' }
}

function faultsOf(errors: readonly { pointer: string; detail: string }[]): string {
  return errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('\n')
}

function answer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

function failure(text: string): CallToolResult {
  return { ...answer(text), isError: true }
}
