import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, type EngineTab, environmentOf, PATIENCE_MS, until } from './engine.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const XVFB = '/usr/bin/Xvfb'
/** The key under which WebDriver names an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

// biome-ignore lint/suspicious/noExplicitAny: the results of commands have a shape each
type Answer = any

/** True if the system has WebKitGTK with its driver, and a screen for it. */
export function hasWebKit(): boolean {
  return existsSync(DRIVER) && existsSync(XVFB) && miniBrowser() !== undefined
}

/** Returns the browser that WebKitGTK brings for tests. */
function miniBrowser(): string | undefined {
  return globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1)
}

/** A session of WebDriver. */
class Session {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.#url + path, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await response.json()) as { value: Answer }
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
    return value
  }
}

/** A session acts on one window at a time, so each command chooses its own first. */
class WebKitTab implements EngineTab {
  readonly #session: Session
  readonly #handle: string

  constructor(session: Session, handle: string) {
    this.#session = session
    this.#handle = handle
  }

  async open(url: string): Promise<void> {
    await this.evaluate('(globalThis.isLeft = true)')
    await this.#post('/url', { url })
    const arrive = async () => {
      if (await this.evaluate<boolean>('globalThis.isLeft === true')) throw new Error(`${url} does not open`)
    }
    await until(arrive)
  }

  async evaluate<T>(expression: string): Promise<T> {
    const script = `const done = arguments[0]
      Promise.resolve().then(() => (${expression}))
        .then((value) => done({ value: JSON.stringify(value ?? null) }), (error) => done({ error: String(error) }))`
    const { value, error } = await this.#post('/execute/async', { script, args: [] })
    if (error !== undefined) throw new Error(error)
    return JSON.parse(value) as T
  }

  async act(actions: Parameters<EngineTab['act']>[0]): Promise<void> {
    await this.#post('/actions', { actions })
  }

  async chooseFile(selector: string, path: string): Promise<void> {
    const element = await this.#post('/element', { using: 'css selector', value: selector })
    await this.#post(`/element/${element[ELEMENT]}/value`, { text: path })
  }

  async #post(path: string, body: object): Promise<Answer> {
    await this.#session.send('POST', '/window', { handle: this.#handle })
    return this.#session.send('POST', path, body)
  }
}

/** Starts WebKitGTK's browser on a screen of its own, on WebDriver. */
export async function startWebKit(): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'saldo-webkit-'))
  const screen = spawn(XVFB, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await freePort()
  const env = environmentOf(home, { DISPLAY: `:${String(display).trim()}`, LIBGL_ALWAYS_SOFTWARE: '1' })
  const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until(() => fetch(`${url}/status`))
  // Without TLS it would set pages aside for the way back, even in the middle of a write, though they are `no-store`.
  const args = ['--automation', '--features=+ServiceWorkers', '--enable-page-cache=false']
  const options = { binary: miniBrowser(), args }
  // A load without the service has no end for the driver.
  const capabilities = { alwaysMatch: { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options } }
  const { sessionId } = await new Session(url).send('POST', '/session', { capabilities })
  const session = new Session(`${url}/session/${sessionId}`)
  await session.send('POST', '/timeouts', { script: PATIENCE_MS, pageLoad: PATIENCE_MS })
  return {
    tab: new WebKitTab(session, await session.send('GET', '/window')),
    async openTab() {
      const { handle } = await session.send('POST', '/window/new', { type: 'window' })
      return new WebKitTab(session, handle)
    },
    async close() {
      try {
        await session.send('DELETE', '')
      } finally {
        await Promise.all([endOf(driver), endOf(screen)])
        rmSync(home, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
}

async function endOf(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit')
  program.kill()
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
