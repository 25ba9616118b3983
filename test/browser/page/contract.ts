import { dexieStore } from '@saldo/client/dexie'
import type { UserNumber } from '@saldo/core'
import { owner } from '../../../packages/client/test/rows.ts'
import { describeLocalStore } from '../../../packages/client/test/store-contract.ts'
import { run, titles } from './real-vitest.ts'

let user = 0
describeLocalStore('', async () => {
  user += 1
  const its = { ...owner, user: user as UserNumber }
  return () => dexieStore()(its)
})

const contract = { run, titles }
export type Contract = typeof contract

Object.assign(globalThis, { contract })
