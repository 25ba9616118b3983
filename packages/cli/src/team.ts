import type { UserNumber } from '@saldo/core'
import { runTeamFacts, systemClock } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { withDatabase } from './database.ts'
import { printList } from './output.ts'
import { userOf } from './users.ts'

/** Lists the companies of the service. */
export function listCompanies(options: { json?: true }): Promise<void> {
  return withDatabase(async ({ companies }) => {
    const rows: { number: number; name: string; members: number; hr: string[] }[] = []
    for (const { companyId, companyName } of await companies.store.companies()) {
      const memberships = await companies.store.memberships(companyId)
      const users = new Set<UserNumber>(memberships.flatMap(({ user, acceptedOn }) => (acceptedOn ? user : [])))
      const people = await companies.store.names(await companies.hrs(companyId))
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
    if ((await companies.replaceHr(found, user)) === 'other_company') {
      throw new CommandError(`${email} belongs to another company`)
    }
    await done('make_hr', user)
  })
}

/** Makes the facts of all members anew, as their jobs would (D30.1). */
export function rebuildTeamFacts(): Promise<void> {
  return withDatabase(async ({ stores, companies }) => {
    const companyIds = (await companies.store.companies()).map(({ companyId }) => companyId)
    const members = new Set<UserNumber>()
    for (const id of companyIds) for (const { user } of await companies.store.memberships(id)) members.add(user)
    const nowMs = systemClock.now()
    for (const user of members) await stores.records.write(user, (writer) => runTeamFacts(writer, { user, nowMs }))
  })
}
