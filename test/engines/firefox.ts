import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Engine, type EngineTab, environmentOf } from './engine.ts'

export const FIREFOX = '/usr/bin/firefox-esr'

/** Downloads are saved without asking, and languages are those of the tests. */
const preferences = (downloads: string) => ({
  'browser.download.dir': downloads,
  'browser.download.folderList': 2,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-GB',
  'toolkit.telemetry.enabled': false,
})

// biome-ignore lint/suspicious/noExplicitAny: the results of commands have a shape each
type Answer = any

/** Commands and answers of WebDriver BiDi over a WebSocket. */
class Connection {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #sent = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))))
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has ended'))
    })
  }

  static async open(url: string): Promise<Connection> {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    return new Connection(socket)
  }

  send(method: string, params: object): Promise<Answer> {
    this.#sent += 1
    const waiting = Promise.withResolvers<Answer>()
    this.#waiting.set(this.#sent, waiting)
    this.#socket.send(JSON.stringify({ id: this.#sent, method, params }))
    return waiting.promise
  }

  #take({ id, result, error, message }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new Error(`${error}: ${message}`))
    else waiting?.resolve(result)
  }
}

class FirefoxTab implements EngineTab {
  readonly #connection: Connection
  readonly #context: string

  constructor(connection: Connection, context: string) {
    this.#connection = connection
    this.#context = context
  }

  async open(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { url, wait: 'complete' })
  }

  async evaluate<T>(expression: string): Promise<T> {
    const value = await this.#run(`(async () => JSON.stringify((await (${expression})) ?? null))()`)
    return JSON.parse(value.value) as T
  }

  async act(actions: Parameters<EngineTab['act']>[0]): Promise<void> {
    await this.#send('input.performActions', { actions })
  }

  async chooseFile(selector: string, path: string): Promise<void> {
    const { sharedId } = await this.#run(`document.querySelector(${JSON.stringify(selector)})`)
    await this.#send('input.setFiles', { element: { sharedId }, files: [path] })
  }

  async print(): Promise<Uint8Array> {
    return Uint8Array.fromBase64((await this.#send('browsingContext.print', {})).data)
  }

  async #run(expression: string): Promise<Answer> {
    const target = { context: this.#context }
    const answer = await this.#connection.send('script.evaluate', { expression, target, awaitPromise: true })
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
    return answer.result
  }

  #send(method: string, params: object): Promise<Answer> {
    return this.#connection.send(method, { context: this.#context, ...params })
  }
}

/** Starts Firefox without a window, on WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'saldo-firefox-'))
  const downloads = join(home, 'downloads')
  mkdirSync(downloads)
  const lines = Object.entries(preferences(downloads)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  writeFileSync(join(home, 'user.js'), lines.join(''))
  const args = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0', 'about:blank']
  const program = spawn(FIREFOX, args, { env: environmentOf(home), stdio: ['ignore', 'ignore', 'pipe'] })
  const connection = await Connection.open(`${await addressIn(program.stderr)}/session`)
  await connection.send('session.new', { capabilities: {} })
  const { contexts } = await connection.send('browsingContext.getTree', {})
  return {
    tab: new FirefoxTab(connection, contexts[0].context),
    downloads,
    async openTab() {
      const { context } = await connection.send('browsingContext.create', { type: 'tab' })
      return new FirefoxTab(connection, context)
    },
    async close() {
      const ended = once(program, 'exit')
      program.kill()
      await ended
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Waits until Firefox says where it listens. */
async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address) {
      // Otherwise Firefox would wait for a reader of its later output.
      output.resume()
      return address
    }
  }
  throw new Error('Firefox ended before it listened')
}
