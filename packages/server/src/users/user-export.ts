import { recordKinds, type UserNumber } from '@saldo/core'
import { timeKeyOf } from '../store/records/rows.ts'
import type { RecordStore, TimeKey } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import type { User, UserStore } from '../store/users/users.ts'

/** At most 6 MB. */
const RECORDS_PER_PART = 100

/** Returns a user as exports and `GET /api/me` show them. */
export async function exportedUser(
  users: Pick<UserStore, 'passwordHash'>,
  { id: user_id, deactivated_at: _active, email_confirmed_at, ...rest }: User,
) {
  const has_password = (await users.passwordHash(user_id)) !== undefined
  return { user_id, ...rest, email_confirmed: email_confirmed_at !== null, has_password }
}

/**
 * Yields the JSON of everything that the service has of a user, behind the fields of `head`. Each part is read by
 * itself, so that none waits in memory for a slow reader.
 */
export async function* exportParts(records: RecordStore, user: UserNumber, head: object): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"records":{`
  for (const [index, kind] of recordKinds.entries()) {
    yield `${index === 0 ? '' : ','}"${kind}":[`
    let after: TimeKey | undefined
    do {
      const page = { after, limit: RECORDS_PER_PART }
      const found = await records.read(user, (reader) => reader.overlapping(kind, dateSpan({}), page))
      yield `${after && found.length > 0 ? ',' : ''}${found.map(({ body }) => body).join()}`
      const last = found.length < RECORDS_PER_PART ? undefined : found.at(-1)
      after = last && timeKeyOf(last)
    } while (after)
    yield ']'
  }
  yield '},"sheets":['
  let separator = ''
  for (const { month } of await records.read(user, (reader) => reader.months())) {
    const [stored] = await records.read(user, (reader) => reader.lastSheets(month))
    if (!stored) continue
    yield separator + JSON.stringify(stored.sheet)
    separator = ','
  }
  yield '],"trail":['
  for (let after = 0; ; ) {
    const rows = await records.read(user, (reader) => reader.trailRows(after, RECORDS_PER_PART))
    const texts = rows.map(({ company: _company, ...row }) => JSON.stringify(row))
    yield `${after > 0 && rows.length > 0 ? ',' : ''}${texts.join()}`
    if (rows.length < RECORDS_PER_PART) break
    after = rows.at(-1)?.number ?? after
  }
  yield ']}'
}
