import { afterAll } from 'vitest'
import { startTestService, type TestService, type TestServiceOptions } from './harness.ts'

/** Starts a service for all tests of the file that calls this; it ends with them. */
export async function serviceOfFile(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options)
  afterAll(() => service.close())
  return service
}
