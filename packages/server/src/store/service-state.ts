import type { SqlDriver } from './sql.ts'

/** Values that the service keeps by name, shared by all nodes. */
export class ServiceState {
  readonly #driver: Pick<SqlDriver, 'all' | 'run'>

  constructor(driver: Pick<SqlDriver, 'all' | 'run'>) {
    this.#driver = driver
  }

  async get(name: string): Promise<string | undefined> {
    const [row] = await this.#driver.all<{ value: string }>('SELECT value FROM service_state WHERE name = $1', [name])
    return row?.value
  }

  async set(name: string, value: string): Promise<void> {
    await this.#driver.run(
      'INSERT INTO service_state (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, value],
    )
  }
}
