import type { UserNumber } from '@saldo/core'
import { AccountTrails, type Companies, runTeamFacts, systemClock } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { withDatabase } from './database.ts'
import { print, printList } from './output.ts'
import { userOf } from './users.ts'

/** Lists the companies of the service. */
export function listCompanies(options: { json?: true }): Promise<void> {
  return withDatabase(async ({ companies }) => {
    const rows: { number: number; name: string; members: number; hr: string[] }[] = []
    for (const { companyId, companyName } of await companies.store.companies()) {
      const memberships = await companies.store.memberships(companyId)
      const users = new Set<UserNumber>(memberships.flatMap(({ user, acceptedOn }) => (acceptedOn ? user : [])))
      const people = await companies.store.names(await companies.hrs(companyId), companyId)
      const hr = [...people.values()].map(({ email }) => email)
      rows.push({ number: companyId, name: companyName, members: users.size, hr })
    }
    printList(
      rows,
      {
        number: ({ number }) => number,
        name: ({ name }) => name,
        members: ({ members }) => members,
        hr: ({ hr }) => hr.join(', '),
      },
      options,
    )
  })
}

/** Makes a user the HR of a company in place of those before, and announces it to all members. */
export function replaceHr(company: string, email: string): Promise<void> {
  return withDatabase(async ({ stores, companies, done }) => {
    const all = await companies.store.companies()
    const named = all.filter(({ companyId, companyName }) => String(companyId) === company || companyName === company)
    const [found] = named
    if (!found || named.length > 1)
      throw new CommandError(`there is no company ${company}: see «saldo admin team list»`)
    const user = await userOf(stores, email)
    const outcome = await companies.replaceHr(found, user)
    if (outcome === 'other_company') throw new CommandError(`${email} belongs to another company`)
    if (outcome === 'link_shown') {
      throw new CommandError(`${email} has to use the link that sets the password first`)
    }
    await done('make_hr', user)
  })
}

/** Checks the chains of the trails of all members, or of one user (D29.7). Fails with the first broken row of each. */
export function verifyTrails(email: string | undefined): Promise<void> {
  return withDatabase(async ({ stores, companies }) => {
    const trails = new AccountTrails({ records: stores.records, team: companies.store, clock: systemClock })
    const users = email === undefined ? await allMembers(companies) : [await userOf(stores, email)]
    const names = await companies.store.names([...users], null)
    const faults: string[] = []
    for (const user of users) {
      const fault = await trails.verify(user)
      if (fault) faults.push(`${names.get(user)?.email ?? user}: row ${fault.number} is ${faultWords[fault.why]}`)
    }
    if (faults.length > 0) throw new CommandError(`trails are broken:\n${faults.join('\n')}`)
    print(`${users.length} ${users.length === 1 ? 'trail is' : 'trails are'} whole`)
  })
}

const faultWords: Record<string, string> = { missing: 'missing', changed: 'changed', cut_off: 'cut off' }

/** Makes the facts of all members anew, as their jobs would (D30.1). */
export function rebuildTeamFacts(): Promise<void> {
  return withDatabase(async ({ stores, companies }) => {
    const members = await allMembers(companies)
    const nowMs = systemClock.now()
    for (const user of members) await stores.records.write(user, (writer) => runTeamFacts(writer, { user, nowMs }))
  })
}

async function allMembers({ store }: Companies): Promise<UserNumber[]> {
  const members = new Set<UserNumber>()
  for (const { companyId } of await store.companies()) {
    for (const { user } of await store.memberships(companyId)) members.add(user)
  }
  return [...members]
}
