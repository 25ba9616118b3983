// A page of your own with the timer, today's entries and the balance. It works without a network once it is signed in.
//
//   npx saldo admin token add ada@example.com --name page --scope record
//   SALDO_ALLOWED_ORIGINS=http://localhost:5173 npx saldo serve
//   npm install && npm run dev
//
// Until @saldo/client is published, `npm run packages -- FOLDER` in the repository packs it; then install it first:
//
//   npm install FOLDER/saldo-core-*.tgz FOLDER/saldo-client-*.tgz
import { connect, openSaldo } from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import { SaldoProvider, useBalance, useEntries, useSyncStatus, useTimer } from '@saldo/client/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const KEY = 'saldo'

function Today({ onSignOut }) {
  // In the time zone of this device.
  const today = new Date().toLocaleDateString('sv')
  const entries = useEntries({ from: today, to: today })
  const { main, press } = useTimer()
  const balance = useBalance(today)
  const status = useSyncStatus()
  return (
    <main>
      <h1>Today</h1>
      <button type="button" onClick={() => void press(main, { project: 'Garden', tags: [], note: '' })}>
        {main}
      </button>
      <ul>
        {entries?.map(({ record }) => (
          <li key={record.id}>{textOf(record)}</li>
        ))}
      </ul>
      <p>Balance: {balance ? `${(balance.forecastMs / 3_600_000).toFixed(2)} h` : '…'}</p>
      <p role="status">{textOfStatus(status)}</p>
      <button type="button" onClick={onSignOut}>
        sign out
      </button>
    </main>
  )
}

function textOf({ kind, project, started_at, ended_at, date }) {
  const time = (instant) => (instant ? new Date(instant).toLocaleTimeString([], { timeStyle: 'short' }) : 'now')
  return started_at ? `${time(started_at)} to ${time(ended_at)} ${project ?? kind}` : `${date} ${kind}`
}

function textOfStatus(status) {
  if (status?.needsSignIn) return 'The token is no longer valid.'
  if (status?.unsent) return `${status.unsent} unsent`
  return status?.online ? 'Everything is saved.' : 'No network.'
}

function SignIn({ onSignIn }) {
  const [problem, setProblem] = useState('')
  const signIn = async (form) => {
    const service = { url: form.get('url'), token: form.get('token') }
    try {
      const { user } = await connect(service).me()
      onSignIn({ ...service, user })
    } catch (error) {
      setProblem(error.message)
    }
  }
  return (
    <form action={signIn}>
      <label>
        Address of the service <input name="url" type="url" placeholder="https://saldo.example" required />
      </label>
      <label>
        Token <input name="token" type="password" autoComplete="off" required />
      </label>
      <button type="submit">sign in</button>
      <p role="alert">{problem}</p>
    </form>
  )
}

/** Shows the day of a user. Every script of this origin can read the token, so give it no more than it needs. */
async function open(device) {
  const saldo = await openSaldo({ ...device, store: dexieStore() })
  const signOut = async () => {
    localStorage.removeItem(KEY)
    await saldo.forget({ force: true })
    await begin()
  }
  root.render(
    <SaldoProvider saldo={saldo}>
      <Today onSignOut={() => void signOut()} />
    </SaldoProvider>,
  )
}

function begin() {
  const saved = localStorage.getItem(KEY)
  if (saved) return open(JSON.parse(saved))
  const signIn = (device) => {
    localStorage.setItem(KEY, JSON.stringify(device))
    return open(device)
  }
  root.render(<SignIn onSignIn={signIn} />)
}

const root = createRoot(document.getElementById('root'))
// The account computes with Temporal, which not every browser has yet.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
await begin()
