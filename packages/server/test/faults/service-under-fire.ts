import { setImmediate } from 'node:timers/promises'
import { type Answer, addAccount, type Call, caller } from './full-time.ts'
import { type Served, serve, temporaryDir } from './program.ts'

/** A service that is killed and started again, and a client that tries until it is answered. */
export interface ServiceUnderFire {
  dir: string
  /** Kills the service with SIGKILL and starts the next one on its files. */
  kill(): Promise<void>
  /** A request that is sent again until there is an answer: what was not answered may or may not have happened. */
  call: Call
  /** The request fails where the service is gone. */
  callOnce: Call
}

export async function serviceUnderFire(env: Record<string, string> = {}): Promise<ServiceUnderFire> {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  let current: Promise<Served> = serve(dir, { env })
  const callOnce: Call = async (method, path, json) => caller((await current).url, token)(method, path, json)
  await current
  return {
    dir,
    callOnce,
    async kill() {
      const { program } = await current
      // Before the signal, so that whoever fails by it waits for the next one.
      current = program.exited.then(() => serve(dir, { env }))
      await program.kill('SIGKILL')
      await current
    },
    async call(method, path, json): Promise<Answer> {
      for (;;) {
        const tried = current
        try {
          return await callOnce(method, path, json)
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
          // The connection may break before this process learns that its child has ended.
          while (tried === current) await setImmediate()
        }
      }
    },
  }
}
