import type { UserNumber } from '@saldo/core'
import { execute } from '../../packages/server/test/postgres/global-setup.ts'
import { inPieces } from '../load.ts'

/** Number of users that one statement fills. */
const USERS_AT_ONCE = 1_000
/** As many statements at once as there are processors to run them. */
const AT_ONCE = 2

/**
 * Adds so many users, and gives each `recordsEach` entries of an hour with their rows in the log, inside the
 * database, where ten million take minutes. Returns `some` of the users, from all over.
 */
export async function fillQuickly(
  url: string,
  count: number,
  recordsEach: number,
  some: number,
): Promise<UserNumber[]> {
  await execute(
    url,
    `INSERT INTO users (id, email, role, created_at)
     SELECT n, 'filled-' || n || '@example.com', 'user', '2026-01-01T00:00:00.000Z'
     FROM generate_series(1, ${count}) AS n;
     INSERT INTO counters (user_id, version, tag, logged_at, digests, stored_bytes)
     SELECT id, ${recordsEach}, 'bench', 0, '{}', 0 FROM users`,
  )
  await inPieces(Math.ceil(count / USERS_AT_ONCE), AT_ONCE, async (piece) => {
    const from = piece * USERS_AT_ONCE
    await execute(url, records(from, from + USERS_AT_ONCE, recordsEach))
  })
  await execute(url, 'VACUUM ANALYZE')
  const step = Math.floor(count / some)
  return Array.from({ length: some }, (_, index) => (1 + index * step) as UserNumber)
}

/** One transaction: the rows of the log are made from the records. */
function records(behind: number, to: number, each: number): string {
  const time = (ms: string) =>
    `to_char(to_timestamp(${ms} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`
  return `
    INSERT INTO records (user_id, kind, id, version, updated_at, deleted, starts_ms, ends_ms, body)
    SELECT users.id, 'entries', entry_id, n, ended, 0, starts, starts + 3600000, format(
      '{"id":"%s","kind":"work","started_at":"%s","ended_at":"%s","time_zone":"Europe/Berlin","note":"Worked on item %s",'
      '"tags":["client","design"],"project":"Relaunch","source":"bench","import_ref":null,"created_at":"%s","updated_at":"%s","version":%s}',
      entry_id, started, ended, n, ended, ended, n)
    FROM users, generate_series(1, ${each}) AS n,
      LATERAL (SELECT gen_random_uuid()::text AS entry_id, 1451890800000 + n * 5400000::bigint AS starts) AS entry,
      LATERAL (SELECT ${time('starts')} AS started, ${time('(starts + 3600000)')} AS ended) AS times
    WHERE users.id > ${behind} AND users.id <= ${to};
    INSERT INTO sync_log (user_id, version, kind, record_id, logged_at, tag)
    SELECT user_id, version, kind, id, (extract(epoch FROM now()) * 1000)::bigint, 'bench'
    FROM records WHERE user_id > ${behind} AND user_id <= ${to};`
}
