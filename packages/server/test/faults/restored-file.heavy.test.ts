import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAccount, type Call, caller, work } from './full-time.ts'
import { serve, temporaryDir } from './program.ts'

/** The sync position of a client. */
interface Known {
  version: number
  tag: string | null
}

async function pull(call: Call, since: number): Promise<Known & { since_tag: string | null }> {
  const { status, body } = await call('GET', `/api/sync/pull?since=${since}`)
  expect(status).toBe(200)
  return body
}

test('[D4.6] [D5.5] after a restore of an older file, tags show which clients knew the lost history', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const file = join(dir, 'saldo.db')
  /** Runs the service for as long as `use` takes, and stops it. */
  const serving = async <T>(use: (call: Call) => Promise<T>): Promise<T> => {
    const { program, url } = await serve(dir)
    const result = await use(caller(url, token))
    expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    return result
  }
  const write = async (call: Call, count: number) => {
    for (let n = 0; n < count; n += 1) {
      expect((await call('POST', '/api/entries', work('2024-01-02'))).status).toBe(201)
    }
  }

  const early = await serving(async (call) => {
    await write(call, 3)
    return pull(call, 0)
  })
  copyFileSync(file, join(dir, 'backup'))
  const late = await serving(async (call) => {
    await write(call, 2)
    return pull(call, 0)
  })
  copyFileSync(join(dir, 'backup'), file)
  await serving(async (call) => {
    // Not written on yet: the late client is ahead of the service.
    expect(await pull(call, late.version)).toMatchObject({ version: early.version, tag: early.tag, since_tag: null })
    await write(call, 4)
    expect((await pull(call, early.version)).since_tag).toBe(early.tag)
    const { version, since_tag } = await pull(call, late.version)
    expect(version).toBeGreaterThan(late.version)
    expect(since_tag).not.toBeNull()
    expect(since_tag).not.toBe(late.tag)
  })
})
