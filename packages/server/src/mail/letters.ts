import type { MailLanguage } from '@saldo/core'
import { nameInMail } from './mail-name.ts'
import { type AccountNotice, noticeWords } from './notices.ts'
import { type TeamSentence, teamSentence, teamSubject } from './team-news.ts'

/** The reasons to send a mail, with what its text names. Times of expiry are those of `Accounts`. */
export type Letter =
  /** `by` is the admin who invites; `undefined` for an operator at the command line. */
  | { kind: 'invitation'; name: string; by: string | undefined; email: string; url: string }
  /** To somebody who signs in at an OpenID provider; `providers` are the labels of those to choose from. */
  | {
      kind: 'company_invitation'
      name: string
      by: string | undefined
      providers: readonly string[]
      email: string
      url: string
    }
  /** `isFirstProof`: nobody has confirmed the address, and the link ends all keys of the account (D8.41). */
  | { kind: 'reset'; name: string; isFirstProof: boolean; url: string }
  /** To the address that it confirms, which may be a stranger's: it has no text of the user. */
  | { kind: 'confirm_email'; isFirstProof: boolean; url: string }
  /** To the old address. */
  | { kind: 'email_changed'; name: string; email: string; service: string }
  /** To the new address, which an admin or an operator has set. */
  | { kind: 'email_corrected'; name: string; email: string; service: string }
  /** An admin, an operator or the user changed something about signing in or about data. */
  | { kind: 'account_changed'; what: AccountNotice; name: string; service: string }
  /** Something changed in the company of the user. The link opens the app, and decides nothing. */
  | { kind: 'team'; name: string; company: string; news: readonly TeamSentence[]; url: string }

/** A mail in both forms that mail programs show. */
export interface WrittenLetter {
  subject: string
  text: string
  html: string
}

interface Words {
  subject: string
  greeting: string
  lead: string
  action?: { label: string; url: string }
  end: string
}

/** Divides the paragraphs of a lead. */
const PARAGRAPH = '\n\n'

const words: Record<MailLanguage, (letter: Letter) => Words> = {
  en(letter) {
    const name = nameIn(letter)
    const greeting = name === '' ? 'Hello,' : `Hello ${name},`
    switch (letter.kind) {
      case 'invitation':
        return {
          subject: 'Your invitation to Saldo',
          greeting,
          lead:
            `${letter.by === undefined ? 'You are invited' : `${letter.by} invites you`} to Saldo, which records ` +
            'your working time and keeps your time account. Choose a password to begin.',
          action: { label: 'Choose a password', url: letter.url },
          end: `The link works once, within 14 days. You sign in with ${letter.email}.`,
        }
      case 'company_invitation':
        return {
          subject: 'Your invitation to Saldo',
          greeting,
          lead:
            `${letter.by === undefined ? 'You are invited' : `${letter.by} invites you`} to Saldo, which records ` +
            'your working time and keeps your time account.',
          action: { label: `Sign in with ${anyOf(letter.providers, 'en')}`, url: letter.url },
          end: `You need no password: sign in with your account at ${anyOf(letter.providers, 'en')}, ${letter.email}.`,
        }
      case 'reset':
        return {
          subject: 'Set a new password for Saldo',
          greeting,
          lead:
            'With this link you set a new password for Saldo. It signs you out everywhere else, and ends the tokens, ' +
            'calendar feeds and webhooks of your account: create those that you still need anew.' +
            (letter.isFirstProof
              ? ' This address has not been confirmed yet. The link confirms it, and also removes the name, the passkeys, ' +
                'the second factor and the company sign-in of the account.'
              : ''),
          action: { label: 'Set a new password', url: letter.url },
          end:
            'The link works once, within 24 hours. If you did not ask for it, do nothing: ' +
            'your password stays as it is.',
        }
      case 'confirm_email':
        return {
          subject: 'Confirm your e-mail address for Saldo',
          greeting,
          lead:
            'Confirm that you want to sign in to Saldo with this address. Open the link where you are signed in to Saldo.' +
            (letter.isFirstProof
              ? ' It signs you out everywhere else, and removes passkeys, the second factor, tokens, calendar feeds and ' +
                'webhooks that were created before. Your password stays.'
              : ''),
          action: { label: 'Confirm this address', url: letter.url },
          end:
            'The link works once, within 24 hours, in the account that asked for it. ' +
            'If you did not ask for it, do nothing: nothing changes.',
        }
      case 'email_changed':
        return {
          subject: 'Your e-mail address for Saldo was changed',
          greeting,
          lead: `You now sign in to Saldo with ${letter.email}, and no longer with this address.`,
          end: `If it was not you, tell an admin of ${letter.service} at once.`,
        }
      case 'email_corrected':
        return {
          subject: 'Your e-mail address for Saldo was changed',
          greeting,
          lead: `An admin has changed the address of your Saldo account. You now sign in with ${letter.email}.`,
          end: `If you did not expect this, tell an admin of ${letter.service} at once.`,
        }
      case 'account_changed':
        return {
          ...noticeWords.en[letter.what],
          greeting,
          end: `If you did not expect this, tell an admin of ${letter.service} at once.`,
        }
      case 'team':
        return {
          subject: teamSubject('en', letter.company, letter.news),
          greeting,
          lead: newsIn('en', letter.news),
          action: { label: 'Open Saldo', url: letter.url },
          end: isInvitation(letter.news)
            ? `You get this mail because ${letter.company} has invited you in Saldo.`
            : `You get this mail because you belong to ${letter.company} in Saldo.`,
        }
    }
  },
  de(letter) {
    const name = nameIn(letter)
    const greeting = name === '' ? 'Hallo,' : `Hallo ${name},`
    switch (letter.kind) {
      case 'invitation':
        return {
          subject: 'Deine Einladung zu Saldo',
          greeting,
          lead:
            `${letter.by === undefined ? 'du bist' : `${letter.by} hat dich`} zu Saldo eingeladen. Damit erfasst du ` +
            'deine Arbeitszeit und führst dein Zeitkonto. Wähle zuerst ein Passwort.',
          action: { label: 'Passwort wählen', url: letter.url },
          end: `Der Link gilt einmal, 14 Tage lang. Du meldest dich mit ${letter.email} an.`,
        }
      case 'company_invitation':
        return {
          subject: 'Deine Einladung zu Saldo',
          greeting,
          lead:
            `${letter.by === undefined ? 'du bist' : `${letter.by} hat dich`} zu Saldo eingeladen. Damit erfasst du ` +
            'deine Arbeitszeit und führst dein Zeitkonto.',
          action: { label: `Mit ${anyOf(letter.providers, 'de')} anmelden`, url: letter.url },
          end:
            `Du brauchst kein Passwort: Melde dich mit deinem Konto bei ${anyOf(letter.providers, 'de')} an, ` +
            `${letter.email}.`,
        }
      case 'reset':
        return {
          subject: 'Neues Passwort für Saldo',
          greeting,
          lead:
            'mit diesem Link legst du ein neues Passwort für Saldo fest. Du wirst dabei überall sonst abgemeldet, und ' +
            'Tokens, Kalender-Abos und Webhooks deines Kontos enden: Lege neu an, was du davon noch brauchst.' +
            (letter.isFirstProof
              ? ' Diese Adresse ist noch nicht bestätigt. Der Link bestätigt sie und entfernt auch den Namen, die Passkeys, ' +
                'den zweiten Faktor und die Firmenanmeldung des Kontos.'
              : ''),
          action: { label: 'Neues Passwort festlegen', url: letter.url },
          end:
            'Der Link gilt einmal, 24 Stunden lang. Wenn du ihn nicht angefordert hast, musst du nichts tun: ' +
            'Dein Passwort bleibt, wie es ist.',
        }
      case 'confirm_email':
        return {
          subject: 'Bestätige deine E-Mail-Adresse für Saldo',
          greeting,
          lead:
            'bestätige, dass du dich bei Saldo mit dieser Adresse anmelden willst. ' +
            'Öffne den Link dort, wo du bei Saldo angemeldet bist.' +
            (letter.isFirstProof
              ? ' Du wirst dabei überall sonst abgemeldet, und Passkeys, zweiter Faktor, Tokens, Kalender-Abos und ' +
                'Webhooks, die es bis dahin gibt, werden entfernt. Dein Passwort bleibt.'
              : ''),
          action: { label: 'Adresse bestätigen', url: letter.url },
          end:
            'Der Link gilt einmal, 24 Stunden lang, in dem Konto, das ihn angefordert hat. ' +
            'Wenn du ihn nicht angefordert hast, musst du nichts tun: Es ändert sich nichts.',
        }
      case 'email_changed':
        return {
          subject: 'Deine E-Mail-Adresse für Saldo wurde geändert',
          greeting,
          lead: `du meldest dich bei Saldo jetzt mit ${letter.email} an, nicht mehr mit dieser Adresse.`,
          end: `Wenn du das nicht warst, sag sofort der Verwaltung von ${letter.service} Bescheid.`,
        }
      case 'email_corrected':
        return {
          subject: 'Deine E-Mail-Adresse für Saldo wurde geändert',
          greeting,
          lead:
            'die Verwaltung hat die Adresse deines Saldo-Kontos geändert. ' +
            `Du meldest dich jetzt mit ${letter.email} an.`,
          end: `Wenn du damit nicht gerechnet hast, sag sofort der Verwaltung von ${letter.service} Bescheid.`,
        }
      case 'account_changed':
        return {
          ...noticeWords.de[letter.what],
          greeting,
          end: `Wenn du damit nicht gerechnet hast, sag sofort der Verwaltung von ${letter.service} Bescheid.`,
        }
      case 'team':
        return {
          subject: teamSubject('de', letter.company, letter.news),
          greeting,
          lead: newsIn('de', letter.news),
          action: { label: 'Saldo öffnen', url: letter.url },
          end: isInvitation(letter.news)
            ? `Du bekommst diese E-Mail, weil ${letter.company} dich in Saldo eingeladen hat.`
            : `Du bekommst diese E-Mail, weil du in Saldo zu ${letter.company} gehörst.`,
        }
    }
  },
}

/** True if a mail only asks somebody to join: they may belong to nothing yet. */
function isInvitation(news: readonly TeamSentence[]): boolean {
  return news.every(({ what }) => what === 'membership_offered')
}

function newsIn(language: MailLanguage, news: readonly TeamSentence[]): string {
  return news.map((sentence) => teamSentence(language, sentence)).join(PARAGRAPH)
}

/** Returns the name of the person a letter goes to; none for a letter that names nobody. */
function nameIn(letter: Letter): string {
  return 'name' in letter ? letter.name : ''
}

/** Returns names as a choice: "A", "A or B". */
function anyOf(names: readonly string[], language: MailLanguage): string {
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(names)
}

/** Writes a letter in a language, as plain text and as HTML without images or anything else to load. */
export function writeLetter(letter: Letter, language: MailLanguage): WrittenLetter {
  const { subject, greeting, lead, action, end } = words[language](withPlainNames(letter))
  const text = [greeting, lead, ...(action ? [action.url] : []), end].join(PARAGRAPH)
  const paragraphs = [greeting, ...lead.split(PARAGRAPH)].map(paragraph)
  if (action) paragraphs.push(button(action.label, action.url))
  paragraphs.push(paragraph(end))
  if (action) paragraphs.push(`<p style="${SMALL}">${escapeHtml(action.url)}</p>`)
  return {
    subject,
    text: `${text}\n`,
    html:
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title>` +
      `</head><body style="${BODY}">${paragraphs.join('')}</body></html>\n`,
  }
}

/** Users choose their names, and mails go to others. */
function withPlainNames(letter: Letter): Letter {
  if (letter.kind === 'confirm_email') return letter
  const named = { ...letter, name: nameInMail(letter.name) }
  if (named.kind === 'team') return { ...named, company: nameInMail(named.company) }
  return 'by' in named && named.by !== undefined ? { ...named, by: nameInMail(named.by) } : named
}

const BODY = 'max-width:36em;margin:2em auto;padding:0 1em;font:16px/1.5 system-ui,sans-serif;color:#1c1c1c'
const BUTTON =
  'display:inline-block;padding:.6em 1.2em;border-radius:6px;background:#0b6e69;color:#ffffff;text-decoration:none'
const SMALL = 'font-size:13px;color:#5a5a5a;overflow-wrap:anywhere'

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

function button(label: string, url: string): string {
  return `<p><a href="${escapeHtml(url)}" style="${BUTTON}">${escapeHtml(label)}</a></p>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
