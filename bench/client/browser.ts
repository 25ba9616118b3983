import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserNumber } from '@saldo/core'
import { databaseFile, openStores, systemClock, systemRandom, userParts } from '@saldo/server'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { openBrowserBench } from '../browser.ts'
import type { Measures } from './page/page.ts'

/** A real browser with a page of the real service open. */
export interface Bench {
  page: Page
  /** A new user with so many records, as pages know them. */
  filledUser(records: number): Promise<{ user: UserNumber; token: string }>
  close(): Promise<void>
}

export async function openBench(): Promise<Bench> {
  const { service, config, browser, close } = await openBrowserBench(writePage)
  const context = { clock: systemClock, random: systemRandom }
  const stores = await openStores({ file: databaseFile(config), as: 'command', ...context })
  const { tokens } = userParts({ ...stores, ...context, secret: systemRandom.token(32), publicUrl: undefined })
  const page = await browser.newPage()
  await page.goto(service.url)
  await page.waitForFunction(() => 'measures' in globalThis)

  async function filledUser(records: number): Promise<{ user: UserNumber; token: string }> {
    const at = '2026-01-01T00:00:00.000Z'
    const added = await stores.users.add({ email: `${systemRandom.uuid()}@example.com`, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    const { secret: token } = await tokens.create(added.user, 'bench')
    for (let from = 0; from < records; from += 1_000) {
      const changes = Array.from({ length: Math.min(1_000, records - from) }, (_, index) => changeOf(from + index))
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ changes })
      const answer = await fetch(`${service.url}/api/sync/push`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(await answer.text())
    }
    return { user: added.user, token }
  }

  return {
    page,
    filledUser,
    async close() {
      await stores.close()
      await close()
    },
  }
}

/** Runs a measure in the page. */
export function measured<Name extends keyof Measures>(
  page: Page,
  name: Name,
  ...args: Parameters<Measures[Name]>
): Promise<Awaited<ReturnType<Measures[Name]>>> {
  return page.evaluate(`measures.${name}(...${JSON.stringify(args)})`)
}

/** An hour of work, two a day, from 2013 on. */
function changeOf(index: number): object {
  const start = Date.parse('2013-01-01T08:00:00Z') + Math.floor(index / 2) * 86_400_000 + (index % 2) * 14_400_000
  const [started_at, ended_at] = [start, start + 3_600_000].map((ms) => new Date(ms).toISOString())
  const id = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
  const record = {
    id,
    updated_at: started_at,
    kind: 'work',
    started_at,
    ended_at,
    note: `piece ${index}`,
    tags: ['bench'],
  }
  return { kind: 'entries', op: 'upsert', record }
}

async function writePage(folder: string): Promise<void> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'page/page.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true })
  await bundle.close()
  writeFileSync(join(folder, 'page.js'), output[0].code)
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>bench</title><script type="module" src="/page.js"></script>',
  )
}
