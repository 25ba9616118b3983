import { test } from 'vitest'
import { newPostgres } from '../../packages/server/test/postgres/database.ts'
import { openStage } from './open-stage.ts'
import { desktop, phone, wordsOf } from './stage.ts'

test('[D5.18] a change in one browser appears in another that uses another node', async () => {
  const config = { databaseUrl: await newPostgres(), authSecret: 'the same for all nodes '.repeat(2) }
  const open = () => openStage('2026-11-20T11:00:00.000Z', config)
  const [here, there] = [await open(), await open()]
  const [desk, hand] = [(await here.page(desktop)).page, (await there.page(phone)).page]
  await here.signUp(desk)
  await there.signIn(hand)
  await here.visit(desk)
  await there.visit(hand)
  const record = async (page: typeof desk, { language }: typeof desktop, text: string) => {
    await page.getByLabel(wordsOf(language)('today.quick.label')).fill(text)
    await page.keyboard.press('Enter')
  }
  await record(desk, desktop, '8-9 Saldo')
  await hand.getByRole('list').getByText('08:00 – 09:00').waitFor()
  await record(hand, phone, '9-10 Saldo')
  await desk.getByRole('list').getByText('09:00 – 10:00').waitFor()
})
