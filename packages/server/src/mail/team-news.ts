import type { LocalDate, MailLanguage, TeamRole } from '@saldo/core'
import { nameInMail } from './mail-name.ts'

/** The changes of a role that are announced (D24.5). `role_waits` was given and waits for HR. */
export type RoleNews = 'role_given' | 'role_waits' | 'role_changed' | 'role_ended' | 'role_confirmed' | 'hr_replaced'

/** A role is in force, or rests until its person has a second factor (D24.9). */
type RoleEffect = 'in_force' | 'lacks_key'

/** One thing that a mail about a company says. It has names and dates, and no kind of absence. */
export type TeamSentence =
  | { what: RoleNews; person: string; role: TeamRole; group: string; effect: RoleEffect | null }
  | { what: 'policy_changed'; from: LocalDate }
  | { what: 'group_opened'; group: string }
  | { what: 'membership_offered'; group: string; from: LocalDate; lacksProof: boolean }
  | { what: 'requests_wait'; count: number }
  | ({ what: 'request_waits'; person: string; askedOn: LocalDate; reminder: RequestReminder } & AskedDates)
  | { what: 'more_wait' | 'more_news'; count: number }
  | { what: 'change_proposed'; person: string }
  | { what: 'change_applied'; person: string }
  | ({ what: 'request_decided'; person: string; outcome: DecisionNews } & AskedDates)

/** A change by HR, as its person gets it by mail (D28.4). */
export type HrChangeNews = 'change_proposed' | 'change_applied'

/** The dates of a request, and how many of them have planned time. */
export interface AskedDates {
  from: LocalDate
  to: LocalDate
  days: number
}

/** A late request reminds those who decide it, or HR of one that others decide (D26.12). */
export type RequestReminder = 'none' | 'own' | 'of_others'

/** A decision as the requester gets it by mail; `first_stage` waits for HR. */
export type DecisionNews = 'approved' | 'declined' | 'first_stage'

const roles: Record<MailLanguage, Record<TeamRole, string>> = {
  en: { lead: 'lead', deputy: 'deputy', hr: 'HR', payroll: 'payroll', auditor: 'works council' },
  de: {
    lead: 'Leitung',
    deputy: 'Stellvertretung',
    hr: 'Personalabteilung',
    payroll: 'Lohnabrechnung',
    auditor: 'Betriebsrat',
  },
}

/** Returns the subject of a mail about a company, by the first thing that it says. */
export function teamSubject(language: MailLanguage, company: string, news: readonly TeamSentence[]): string {
  return `${company} in Saldo: ${subjects[language][subjectOf(news[0]?.what)]}`
}

function subjectOf(what: TeamSentence['what'] | undefined): keyof (typeof subjects)['en'] {
  if (what === 'requests_wait' || what === 'request_waits') return 'waiting'
  if (what === 'membership_offered') return 'invited'
  return what === 'request_decided' ? 'decided' : 'changed'
}

const subjects = {
  en: {
    changed: 'what has changed',
    invited: 'an invitation',
    waiting: 'requests are waiting',
    decided: 'your request',
  },
  de: {
    changed: 'Das hat sich geändert',
    invited: 'eine Einladung',
    waiting: 'Anträge warten',
    decided: 'dein Antrag',
  },
} satisfies Record<MailLanguage, object>

/** Returns a sentence in a language. */
export function teamSentence(language: MailLanguage, sentence: TeamSentence): string {
  if (sentence.what === 'policy_changed') {
    const date = dateIn(language, sentence.from)
    return language === 'de'
      ? `Ab dem ${date} gelten neue Regeln dafür, wer was sieht und was beantragt wird.`
      : `New rules about who sees what, and what is asked for, apply from ${date}.`
  }
  if ('count' in sentence) return countSentences[language](sentence.what, sentence.count)
  if (sentence.what === 'request_waits') return waitingSentences[language](sentence)
  if (sentence.what === 'request_decided') return decidedSentences[language](sentence)
  if (sentence.what === 'change_proposed' || sentence.what === 'change_applied') {
    return hrChangeSentences[language][sentence.what](nameInMail(sentence.person))
  }
  const group = nameInMail(sentence.group)
  if (sentence.what === 'group_opened') {
    return language === 'de'
      ? `Die Mitglieder der Gruppe ${group} sehen jetzt, wann die anderen abwesend sind.`
      : `The members of the group ${group} now see when the others are away.`
  }
  if (sentence.what === 'membership_offered') {
    const date = dateIn(language, sentence.from)
    const offer =
      language === 'de'
        ? `Du sollst ab dem ${date} zur Gruppe ${group} gehören. In Saldo siehst du, wer dann was sieht, und nimmst an.`
        : `You are asked to join the group ${group} from ${date}. Saldo shows who would see what, and there you accept.`
    return sentence.lacksProof ? `${offer} ${confirmFirst[language]}` : offer
  }
  const [person, role] = [nameInMail(sentence.person), roles[language][sentence.role]]
  const change = `${person} (${role}, ${group}): ${changes[language][sentence.what]}`
  return sentence.effect === null ? change : `${change} ${effects[language][sentence.effect]}`
}

const confirmFirst: Record<MailLanguage, string> = {
  en: 'Confirm this e-mail address first, in the settings of Saldo.',
  de: 'Bestätige vorher diese E-Mail-Adresse, in den Einstellungen von Saldo.',
}

const effects: Record<MailLanguage, Record<RoleEffect, string>> = {
  en: {
    in_force: 'It is in force.',
    lacks_key: 'It takes effect once this person sets up a second factor in the settings of Saldo.',
  },
  de: {
    in_force: 'Sie gilt.',
    lacks_key: 'Sie gilt, sobald diese Person in den Einstellungen von Saldo einen zweiten Faktor einrichtet.',
  },
}

const changes: Record<MailLanguage, Record<RoleNews, string>> = {
  en: {
    role_given: 'the role was given.',
    role_waits: 'the role was given and waits until another HR confirms it.',
    role_changed: 'the role was changed.',
    role_ended: 'the role ends.',
    role_confirmed: 'the role was confirmed.',
    hr_replaced: 'is now HR, named by the person who runs Saldo, in place of those before.',
  },
  de: {
    role_given: 'Die Rolle wurde vergeben.',
    role_waits: 'Die Rolle wurde vergeben und wartet auf die Bestätigung der Personalabteilung.',
    role_changed: 'Die Rolle wurde geändert.',
    role_ended: 'Die Rolle endet.',
    role_confirmed: 'Die Rolle wurde bestätigt.',
    hr_replaced: 'Wer Saldo betreibt, hat diese Person anstelle der bisherigen Personalabteilung eingesetzt.',
  },
}

type SentenceOf<What extends TeamSentence['what']> = Extract<TeamSentence, { what: What }>

type Counted = 'requests_wait' | 'more_wait' | 'more_news'

const countSentences: Record<MailLanguage, (what: Counted, count: number) => string> = {
  en(what, count) {
    if (what === 'more_wait') return `There ${count === 1 ? 'is one more' : `are ${count} more`} in Saldo.`
    if (what === 'more_news') return `There ${count === 1 ? 'is one more change' : `are ${count} more changes`}.`
    return count === 1 ? 'One request waits for your decision.' : `${count} requests wait for your decision.`
  },
  de(what, count) {
    if (what === 'more_wait') return `In Saldo ${count === 1 ? 'steht ein weiterer' : `stehen ${count} weitere`}.`
    if (what === 'more_news') return `Dazu ${count === 1 ? 'kommt eine weitere Änderung' : `kommen ${count} weitere`}.`
    return count === 1 ? 'Ein Antrag wartet auf deine Entscheidung.' : `${count} Anträge warten auf deine Entscheidung.`
  },
}

const waitingSentences: Record<MailLanguage, (sentence: SentenceOf<'request_waits'>) => string> = {
  en({ person, askedOn, reminder, ...dates }) {
    const asked = `${nameInMail(person)}: ${datesIn('en', dates)}, asked on ${dateIn('en', askedOn)}.`
    if (reminder === 'own') return `${asked} It has waited for five working days.`
    return reminder === 'of_others' ? `${asked} Others decide it, and it has waited for ten working days.` : asked
  },
  de({ person, askedOn, reminder, ...dates }) {
    const asked = `${nameInMail(person)}: ${datesIn('de', dates)}, gestellt am ${dateIn('de', askedOn)}.`
    if (reminder === 'own') return `${asked} Der Antrag wartet seit fünf Arbeitstagen.`
    if (reminder === 'none') return asked
    return `${asked} Andere entscheiden darüber, und der Antrag wartet seit zehn Arbeitstagen.`
  },
}

const decidedSentences: Record<MailLanguage, (sentence: SentenceOf<'request_decided'>) => string> = {
  en({ person, outcome, ...dates }) {
    const [name, asked] = [nameInMail(person), `your request for ${datesIn('en', dates)}`]
    if (outcome === 'declined') return `${name} has declined ${asked}. Saldo shows the reason.`
    return `${name} has approved ${asked}.${outcome === 'first_stage' ? ' HR decides next.' : ''}`
  },
  de({ person, outcome, ...dates }) {
    const [name, asked] = [nameInMail(person), `deinen Antrag für ${datesIn('de', dates)}`]
    if (outcome === 'declined') return `${name} hat ${asked} abgelehnt. Den Grund zeigt Saldo.`
    const next = outcome === 'first_stage' ? ' Als Nächstes entscheidet die Personalabteilung.' : ''
    return `${name} hat ${asked} genehmigt.${next}`
  },
}

const hrChangeSentences: Record<MailLanguage, Record<HrChangeNews, (name: string) => string>> = {
  en: {
    change_proposed: (name) =>
      `${name} proposes a change to your account. Saldo shows it, and there you accept or decline.`,
    change_applied: (name) => `${name} has changed your account. Saldo shows what and why.`,
  },
  de: {
    change_proposed: (name) =>
      `${name} schlägt eine Änderung an deinem Konto vor. In Saldo nimmst du sie an oder lehnst ab.`,
    change_applied: (name) => `${name} hat dein Konto geändert. Was und warum, zeigt Saldo.`,
  },
}

function datesIn(language: MailLanguage, { from, to, days }: AskedDates): string {
  const range = from === to ? dateIn(language, from) : `${dateIn(language, from)} – ${dateIn(language, to)}`
  if (language === 'de') return `${range} (${days} ${days === 1 ? 'Arbeitstag' : 'Arbeitstage'})`
  return `${range} (${days} working ${days === 1 ? 'day' : 'days'})`
}

function dateIn(language: MailLanguage, date: LocalDate): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
}
