import type { Call, ImportWork, WorkerResponse } from './import-work.ts'
import address from './importer.worker.ts?worker&url'

/** The worker of an import, until it is closed. */
export interface Importer extends ImportWork {
  close(): void
}

/** Starts a worker, so that large files do not freeze the page. Its functions throw what goes wrong in the worker. */
export function startImporter(): Importer {
  const worker = new Worker(address, { type: 'module' })
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let calls = 0
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ('error' in data) asked?.reject(new Error(data.error))
    else asked?.resolve(data.value as never)
  })
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message))
    waiting.clear()
  })
  const ask = <T>(name: keyof ImportWork, ...args: unknown[]): Promise<T> => {
    calls += 1
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.set(calls, { resolve, reject })
    worker.postMessage({ id: calls, name, args } satisfies Call)
    return promise
  }
  return {
    read: (...args) => ask('read', ...args),
    look: (...args) => ask('look', ...args),
    takeDrafts: () => ask('takeDrafts'),
    close: () => worker.terminate(),
  }
}
