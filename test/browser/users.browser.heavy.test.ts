import { expect, test } from 'vitest'
import { cutBefore } from './faults.ts'
import { timed } from './records.ts'
import { notesIn } from './tabs.ts'
import { Bench, eventually, signIn, type Tab } from './workbench.ts'

const statusOf = (tab: Tab) => tab.do((saldo) => saldo.sync().then(() => saldo.status.read()))

test('[D7.48] users of one browser see only their own records, and unsent changes wait for their user', async () => {
  const bench = await Bench.open()
  const other = await bench.service.addPerson()
  const computer = await bench.computer()
  const ofFirst = await computer.tab('first')
  await ofFirst.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'of the first'))
  await ofFirst.synced()
  const cut = bench.proxy.put({ tab: 'first' }, cutBefore)
  await ofFirst.do((saldo, entry) => saldo.entries.create(entry).settled, timed(17, 8, 12, 'of the first, unsent'))

  const page = await computer.page('other')
  await signIn(page, other)
  cut.lift()
  await eventually(async () => expect(await statusOf(ofFirst)).toMatchObject({ needsSignIn: true, unsent: 1 }))
  await ofFirst.do((saldo, entry) => saldo.entries.create(entry).settled, timed(18, 8, 12, 'of the first, later'))
  expect(await statusOf(ofFirst)).toMatchObject({ needsSignIn: true, unsent: 2, rejected: 0 })
  const ofOther = await computer.tab('other', { person: other })
  await ofOther.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'of the other'))
  await ofOther.synced()

  const notes = (items: { note: string }[]) => items.map(({ note }) => note)
  expect(notes((await bench.service.ask(other, '/api/entries')).items)).toEqual(['of the other'])
  expect(notes((await bench.ask('/api/entries')).items)).toEqual(['of the first'])
  expect(await notesIn(ofOther)).toEqual(['of the other'])
  const ofTheFirst = ['of the first', 'of the first, later', 'of the first, unsent']
  expect(await notesIn(ofFirst)).toEqual(ofTheFirst)

  const { email, password } = bench.person
  await ofFirst.do((saldo, [email, password]) => saldo.userAccount.signIn(email, password), [email, password] as const)
  await eventually(async () => {
    expect(notes((await bench.ask('/api/entries')).items).toSorted()).toEqual(ofTheFirst)
  })
  expect(notes((await bench.service.ask(other, '/api/entries')).items)).toEqual(['of the other'])
  await eventually(async () => expect(await statusOf(ofOther)).toMatchObject({ needsSignIn: true }))
  expect(await notesIn(ofOther)).toEqual(['of the other'])

  const said401 = bench.proxy.requests.filter(({ tab, status }) => tab === 'first' && status === 401)
  expect(said401).not.toEqual([])
  for (const [tab, { user }] of [
    ['first', bench.person],
    ['other', other],
  ] as const) {
    const meant = bench.proxy.requests.filter((one) => one.tab === tab && !one.path.startsWith('/api/auth/'))
    expect(new Set(meant.map(({ headers }) => headers['saldo-user']))).toEqual(new Set([String(user)]))
  }
})
