import type { LocalDate, MailLanguage, TeamRole } from '@saldo/core'
import { nameInMail } from './mail-name.ts'

/** The changes of a role that are announced (D24.5). `role_waits` was given and waits for HR. */
export type RoleNews = 'role_given' | 'role_waits' | 'role_changed' | 'role_ended' | 'role_confirmed' | 'hr_replaced'

/** One thing that a mail about a company says. It has names and dates, and no kind of absence. */
export type TeamSentence =
  | { what: RoleNews; person: string; role: TeamRole; group: string }
  | { what: 'policy_changed'; from: LocalDate }
  | { what: 'membership_offered'; group: string; from: LocalDate }

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

/** Returns the subject of a mail about a company. */
export function teamSubject(language: MailLanguage, company: string): string {
  return language === 'de' ? `${company} in Saldo: Das hat sich geändert` : `${company} in Saldo: what has changed`
}

/** Returns a sentence in a language. */
export function teamSentence(language: MailLanguage, sentence: TeamSentence): string {
  if (sentence.what === 'policy_changed') {
    const date = dateIn(language, sentence.from)
    return language === 'de'
      ? `Ab dem ${date} gelten neue Regeln dafür, wer was sieht und was beantragt wird.`
      : `New rules about who sees what, and what is asked for, apply from ${date}.`
  }
  const group = nameInMail(sentence.group)
  if (sentence.what === 'membership_offered') {
    const date = dateIn(language, sentence.from)
    return language === 'de'
      ? `Du sollst ab dem ${date} zur Gruppe ${group} gehören. In Saldo siehst du, wer dann was sieht, und nimmst an.`
      : `You are asked to join the group ${group} from ${date}. Saldo shows who would see what, and there you accept.`
  }
  const [person, role] = [nameInMail(sentence.person), roles[language][sentence.role]]
  return `${person} (${role}, ${group}): ${changes[language][sentence.what]}`
}

const changes: Record<MailLanguage, Record<RoleNews, string>> = {
  en: {
    role_given: 'the role was given and is in force.',
    role_waits: 'the role was given and waits until another HR confirms it.',
    role_changed: 'the role was changed.',
    role_ended: 'the role ends.',
    role_confirmed: 'the role was confirmed.',
    hr_replaced: 'is now HR, named by the person who runs Saldo, in place of those before.',
  },
  de: {
    role_given: 'Die Rolle wurde vergeben und gilt.',
    role_waits: 'Die Rolle wurde vergeben und wartet auf die Bestätigung der Personalabteilung.',
    role_changed: 'Die Rolle wurde geändert.',
    role_ended: 'Die Rolle endet.',
    role_confirmed: 'Die Rolle wurde bestätigt.',
    hr_replaced: 'Wer Saldo betreibt, hat diese Person anstelle der bisherigen Personalabteilung eingesetzt.',
  },
}

function dateIn(language: MailLanguage, date: LocalDate): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
}
