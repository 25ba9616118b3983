import { settingsIdOf, type UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import type { Left } from './page/old-program.ts'
import { correction, fullTime, timed } from './records.ts'
import { asAnother, Bench } from './workbench.ts'

const ID = '0b6e0f3a-7f43-4c52-8a55-6b0f0c1d2e3f'
const AT = '2026-11-20T11:00:00.000Z'

/** Settings with integer ids, a change of them, a change of an entry, and, in version 2, an adjustment. */
function leftBy(version: 1 | 2, user: UserNumber): Left {
  const settings = { id: 7, ...fullTime('2026-11-02'), note: 'unsent' }
  const entry = { id: ID, ...timed(17, 8, 12, 'unsent'), updated_at: AT }
  const adjustment = { id: ID, ...correction(60_000), reason: 'unsent', updated_at: AT }
  return {
    version,
    user,
    records: { settings_history: [{ ...settings, note: '' }], entries: [{ ...entry, note: '', version: 3 }] },
    changes: [
      { kind: 'settings_history', op: 'upsert', id: 7, updated_at: new Date().toISOString(), record: settings },
      { kind: 'entries', op: 'upsert', id: ID, updated_at: AT, record: entry },
      ...(version === 2
        ? [{ kind: 'balance_adjustments', op: 'upsert', id: ID, updated_at: AT, record: adjustment } as const]
        : []),
    ],
  }
}

test.each(isHeavy ? ([1, 2] as const) : ([1] as const))(
  '[R5.7] [R6.3] a database that version %i left in the browser is upgraded: its outbox goes out, and the next pull refills it',
  async (version) => {
    const bench = await Bench.open()
    const { user } = bench.person
    const settings = settingsIdOf(user, 7)
    await bench.ask('/api/settings', { id: settings, ...fullTime('2026-11-02') })
    await bench.ask('/api/balance/adjustments', { ...correction(60_000), reason: 'elsewhere' })
    await bench.ask('/api/entries', timed(16, 8, 12, 'elsewhere'))

    const computer = await bench.computer()
    const page = await computer.page('old')
    await asAnother(page, ({ leaveBehind }, left) => leaveBehind(left), leftBy(version, user))
    await page.close()
    const tab = await computer.tab('new')
    await tab.synced()

    // The last version was unset, so everything is asked for first.
    expect(bench.proxy.sent(/pull/)[0]?.path).not.toContain('since')
    const shown = await tab.do(async (saldo) => ({
      settings: (await saldo.settings.all().read()).map(({ record: { id, note } }) => `${id} ${note}`),
      adjustments: (await saldo.balanceAdjustments.all().read()).map(({ record }) => record.reason).toSorted(),
      entries: (await saldo.entries.all().read()).map(({ record }) => record.note).toSorted(),
    }))
    expect(shown).toEqual({
      settings: [`${settings} unsent`],
      adjustments: version === 2 ? ['elsewhere', 'unsent'] : ['elsewhere'],
      entries: ['elsewhere', 'unsent'],
    })
    const { changes } = await bench.ask('/api/sync/pull')
    expect(changes.settings_history).toMatchObject([{ id: settings, note: 'unsent' }])
    expect(changes.balance_adjustments).toHaveLength(version === 2 ? 2 : 1)
    expect(changes.entries).toHaveLength(2)
    const [database] = await asAnother(tab.page, ({ databases }) => databases(), null)
    expect(database?.name).toBe(`saldo-${user}`)
    expect(database?.version).toBeGreaterThan(30)
  },
)
