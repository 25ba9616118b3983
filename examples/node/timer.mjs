// A timer for one button: starts work or ends it, and prints the balance. It works without a network.
//
//   SALDO_URL=https://saldo.example SALDO_TOKEN=… node timer.mjs [project]
//
// Run it once with a network; afterwards it records into button.db, and sends that when it can.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, openSaldo } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'

const { SALDO_URL: url, SALDO_TOKEN: token } = process.env
if (!url || !token) throw new Error('set SALDO_URL and SALDO_TOKEN')
const [project = null] = process.argv.slice(2)

// The user's number is asked for once, so that later runs need no network.
const known = 'button-user.txt'
if (!existsSync(known)) writeFileSync(known, String((await connect({ url, token }).me()).user))
const user = Number(readFileSync(known, 'utf8'))

const saldo = await openSaldo({ url, token, user, store: sqliteStore('button.db') })
try {
  // Waits for a second for what other devices did; `sync` resolves without a network too.
  await Promise.race([saldo.sync(), new Promise((resolve) => setTimeout(resolve, 1_000))])

  const now = new Date().toISOString()
  const rows = await saldo.entries.all().read()
  const running = rows.map(({ record }) => record).find(({ kind, ended_at }) => kind === 'work' && ended_at === null)
  if (running) {
    const result = await saldo.entries.update(running.id, { ended_at: now }).settled
    print(`stopped, ${result}`)
  } else {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const { result } = await saldo.entries.create({ kind: 'work', started_at: now, ended_at: null, time_zone, project })
      .settled
    print(`started, ${result}`)
  }

  // A change is `stored` by the service, or `queued` on this computer.
  const { unsent } = await saldo.status.read()
  const { forecastMs } = await saldo.account.balance().read()
  print(`balance ${(forecastMs / 3_600_000).toFixed(2)} h, ${unsent} unsent`)
} finally {
  await saldo.close()
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
