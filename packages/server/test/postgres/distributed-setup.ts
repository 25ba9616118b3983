import type { TestProject } from 'vitest/node'
import { DistributedPostgres, type DistributedServers } from './distributed.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the tests make distributed databases; missing in other projects. */
    distributed: DistributedServers | undefined
  }
}

/** One coordinator with two workers for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const distributed = await DistributedPostgres.start()
  project.provide('distributed', distributed.servers)
  project.provide('postgres', { url: distributed.coordinator.url('postgres'), prefix: 'saldo_' })
  return () => distributed.remove()
}
