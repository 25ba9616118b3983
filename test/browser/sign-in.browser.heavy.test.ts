import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { timed } from './records.ts'
import { notesIn, STANDING, threeTabs } from './tabs.ts'
import { Bench, eventually, signIn, type Tab, whoIs } from './workbench.ts'

const statusOf = (tab: Tab) => tab.do((saldo) => saldo.status.read())

test('[D7.9] when a follower gets a 401, every tab asks to sign in; unsent changes are sent afterwards', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const tabs = await threeTabs(computer, STANDING)
  await computer.context.clearCookies()
  const { result } = await tabs[2].do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'waits'))
  expect(result).toBe('queued')
  for (const tab of tabs) {
    await eventually(async () => expect(await statusOf(tab)).toMatchObject({ needsSignIn: true, unsent: 1 }))
  }
  const { email, password } = bench.person
  await tabs[1].do((saldo, [email, password]) => saldo.userAccount.signIn(email, password), [email, password] as const)
  for (const tab of tabs) {
    await eventually(async () => expect(await statusOf(tab)).toMatchObject({ needsSignIn: false, unsent: 0 }))
  }
  expect((await bench.ask('/api/entries')).items).toMatchObject([{ note: 'waits' }])
})

heavyTest('[D7.46] signing in on a new page signs in the open ones too', async () => {
  const bench = await Bench.open()
  const computer = await bench.computer()
  const old = await computer.tab('old', STANDING)
  await old.synced()
  await computer.context.clearCookies()
  await old.do((saldo, entry) => saldo.entries.create(entry).settled, timed(16, 8, 12, 'waits'))
  await eventually(async () => expect(await statusOf(old)).toMatchObject({ needsSignIn: true, unsent: 1 }))
  const page = await computer.page('sign-in')
  await signIn(page, bench.person)
  const fresh = await computer.tab('fresh', STANDING)
  for (const tab of [old, fresh]) {
    await eventually(async () => expect(await statusOf(tab)).toMatchObject({ needsSignIn: false, unsent: 0 }))
    expect(await notesIn(tab)).toEqual(['waits'])
  }
  expect((await bench.ask('/api/entries')).items).toMatchObject([{ note: 'waits' }])
})

test('[D7.48] a page learns the signed-in user, to open their local data', async () => {
  const bench = await Bench.open()
  const { user, email } = bench.person
  expect(await whoIs(await (await bench.computer()).page('page'))).toEqual({
    user,
    email,
    role: expect.stringMatching(/^(user|admin)$/),
    hasPassword: true,
  })
})
