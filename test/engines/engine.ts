import { setTimeout } from 'node:timers/promises'

/** One source of input, as WebDriver and its BiDi version both describe it. */
export type InputSource =
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }
  | { type: 'pointer'; id: string; parameters: { pointerType: 'mouse' }; actions: PointerAction[] }

type PointerAction =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: number }

/** A tab of a browser, driven from outside. */
export interface EngineTab {
  open(url: string): Promise<void>
  /** Returns the value of an expression, or of its promise, which has to be JSON. */
  evaluate<T>(expression: string): Promise<T>
  act(sources: readonly InputSource[]): Promise<void>
  /** Chooses a file in the field that a selector finds. */
  chooseFile(selector: string, path: string): Promise<void>
  /** Returns a print of the page as PDF, where the engine can. */
  print?(): Promise<Uint8Array>
}

/** A browser with an empty profile of its own. */
export interface Engine {
  tab: EngineTab
  /** The folder in which it saves downloads, where that is known. */
  downloads?: string
  openTab(): Promise<EngineTab>
  close(): Promise<void>
}

/** Time limit of everything that a test waits for, in milliseconds: much longer than needed. */
export const PATIENCE_MS = 120_000
const PAUSE_MS = 100

/** Repeats an attempt until it does not throw. */
export async function until(attempt: () => Promise<unknown>): Promise<void> {
  for (const beginMs = performance.now(); ; await setTimeout(PAUSE_MS)) {
    try {
      await attempt()
      return
    } catch (error) {
      if (performance.now() - beginMs > PATIENCE_MS) throw error
    }
  }
}

/** The environment of a browser: its home is a folder of the test, its time that of Berlin. */
export function environmentOf(home: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    TZ: 'Europe/Berlin',
    LANG: 'C.UTF-8',
    LANGUAGE: 'en_GB',
    ...more,
  }
}
