import type { MailLanguage } from '@saldo/core'
import { nameInMail } from './mail-name.ts'
import { ownChanges, ownNotices } from './own-changes.ts'

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

/** The changes of an account that its user gets a mail about. */
export const accountNotices = [
  'password',
  'first_password',
  'first_proof',
  'link',
  'second_factor',
  'passkeys',
  'company_sign_in',
  'admin',
  'user',
  'sessions',
  'export',
  'token',
  'token_revoked',
  'feed',
  'feed_revoked',
  'reopened',
  'deactivated',
  'reactivated',
  'erasure',
  ...ownNotices,
] as const
/** One of `accountChanges`. */
export type AccountNotice = (typeof accountNotices)[number]

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
          ...changesInEnglish[letter.what],
          greeting,
          end: `If you did not expect this, tell an admin of ${letter.service} at once.`,
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
          ...changesInGerman[letter.what],
          greeting,
          end: `Wenn du damit nicht gerechnet hast, sag sofort der Verwaltung von ${letter.service} Bescheid.`,
        }
    }
  },
}

const changesInEnglish: Record<AccountNotice, Pick<Words, 'subject' | 'lead'>> = {
  ...ownChanges.en,
  password: {
    subject: 'Your password for Saldo was changed',
    lead: 'Your password for Saldo was changed, and other devices were signed out.',
  },
  first_password: {
    subject: 'Your Saldo account has a password now',
    lead: 'A password for your Saldo account was set with the link of your invitation.',
  },
  first_proof: {
    subject: 'Your e-mail address for Saldo is confirmed',
    lead:
      'A new password was set with the link in our last mail, which confirms this address. All that opened the account ' +
      'before has ended: sessions, passkeys, the second factor, company sign-in, tokens, calendar feeds and webhooks. ' +
      'The name of the account was removed.',
  },
  link: {
    subject: 'A link to set a new password for Saldo was created',
    lead:
      'An admin has created a link that sets a new password for your Saldo account, and passes it on without a mail. ' +
      'It works once, within 24 hours.',
  },
  second_factor: {
    subject: 'Your second factor for Saldo was removed',
    lead: 'The person who runs Saldo has removed your second factor. You now sign in without a code.',
  },
  passkeys: {
    subject: 'Your passkeys for Saldo were removed',
    lead: 'The person who runs Saldo has removed your passkeys and signed you out everywhere.',
  },
  company_sign_in: {
    subject: 'Your company sign-in for Saldo was removed',
    lead: 'The person who runs Saldo has unlinked your company sign-in and signed you out everywhere.',
  },
  admin: { subject: 'You are now an admin of Saldo', lead: 'You can now manage the accounts of others in Saldo.' },
  user: {
    subject: 'You are no longer an admin of Saldo',
    lead: 'You can no longer manage the accounts of others in Saldo. Your own account stays as it is.',
  },
  sessions: {
    subject: 'You were signed out of Saldo',
    lead: 'An admin has signed you out of Saldo everywhere. Sign in again to go on.',
  },
  export: {
    subject: 'Your data in Saldo was exported',
    lead: 'The person who runs Saldo has exported all data of your account into a file.',
  },
  token: {
    subject: 'A token for your Saldo account was created',
    lead: 'The person who runs Saldo has created a token with which a program can use your account.',
  },
  token_revoked: {
    subject: 'A token of your Saldo account was revoked',
    lead: 'The person who runs Saldo has revoked a token. The program that used it no longer has access.',
  },
  feed: {
    subject: 'A calendar feed of your Saldo account was created',
    lead: 'The person who runs Saldo has created a calendar feed that shows times of your account.',
  },
  feed_revoked: {
    subject: 'A calendar feed of your Saldo account was revoked',
    lead: 'The person who runs Saldo has revoked a calendar feed. Calendars that used it get no more times.',
  },
  reopened: {
    subject: 'Closed days of your Saldo account were reopened',
    lead: 'The person who runs Saldo has reopened days and weeks that were closed automatically.',
  },
  deactivated: {
    subject: 'Your Saldo account was deactivated',
    lead: 'You can no longer sign in to Saldo. Nothing was deleted.',
  },
  reactivated: {
    subject: 'Your Saldo account was reactivated',
    lead: 'You can sign in to Saldo again, and everything is as you left it.',
  },
  erasure: {
    subject: 'Your Saldo account will be deleted in 14 days',
    lead: 'You can no longer sign in to Saldo. In 14 days, all data of your account will be deleted for good.',
  },
}

const changesInGerman: Record<AccountNotice, Pick<Words, 'subject' | 'lead'>> = {
  ...ownChanges.de,
  password: {
    subject: 'Dein Passwort für Saldo wurde geändert',
    lead: 'dein Passwort für Saldo wurde geändert. Andere Geräte wurden abgemeldet.',
  },
  first_password: {
    subject: 'Dein Saldo-Konto hat jetzt ein Passwort',
    lead: 'mit dem Link aus deiner Einladung wurde ein Passwort für dein Saldo-Konto festgelegt.',
  },
  first_proof: {
    subject: 'Deine E-Mail-Adresse für Saldo ist bestätigt',
    lead:
      'mit dem Link aus unserer letzten E-Mail wurde ein neues Passwort festgelegt und diese Adresse bestätigt. Alles, ' +
      'womit das Konto vorher zugänglich war, ist beendet: Sitzungen, Passkeys, der zweite Faktor, die ' +
      'Firmenanmeldung, Tokens, Kalender-Abos und Webhooks. Der Name des Kontos wurde entfernt.',
  },
  link: {
    subject: 'Für dein Saldo-Passwort wurde ein Link erstellt',
    lead:
      'die Verwaltung hat einen Link erstellt, mit dem ein neues Passwort für dein Saldo-Konto festgelegt werden ' +
      'kann, und gibt ihn ohne E-Mail weiter. Er gilt einmal, 24 Stunden lang.',
  },
  second_factor: {
    subject: 'Dein zweiter Faktor für Saldo wurde entfernt',
    lead: 'wer Saldo betreibt, hat deinen zweiten Faktor entfernt. Du meldest dich jetzt ohne Code an.',
  },
  passkeys: {
    subject: 'Deine Passkeys für Saldo wurden entfernt',
    lead: 'wer Saldo betreibt, hat deine Passkeys entfernt und dich überall abgemeldet.',
  },
  company_sign_in: {
    subject: 'Deine Firmenanmeldung für Saldo wurde entfernt',
    lead: 'wer Saldo betreibt, hat die Verknüpfung mit deiner Firmenanmeldung gelöst und dich überall abgemeldet.',
  },
  admin: { subject: 'Du verwaltest jetzt Saldo', lead: 'du kannst jetzt in Saldo die Konten anderer verwalten.' },
  user: {
    subject: 'Du verwaltest Saldo nicht mehr',
    lead: 'du kannst in Saldo keine Konten anderer mehr verwalten. Dein eigenes Konto bleibt, wie es ist.',
  },
  sessions: {
    subject: 'Du wurdest bei Saldo abgemeldet',
    lead: 'die Verwaltung hat dich bei Saldo überall abgemeldet. Melde dich neu an, um weiterzumachen.',
  },
  export: {
    subject: 'Deine Daten in Saldo wurden exportiert',
    lead: 'wer Saldo betreibt, hat alle Daten deines Kontos in eine Datei exportiert.',
  },
  token: {
    subject: 'Für dein Saldo-Konto wurde ein Token erstellt',
    lead: 'wer Saldo betreibt, hat ein Token erstellt, mit dem ein Programm dein Konto benutzen kann.',
  },
  token_revoked: {
    subject: 'Ein Token deines Saldo-Kontos wurde widerrufen',
    lead: 'wer Saldo betreibt, hat ein Token widerrufen. Das Programm, das es benutzt hat, hat keinen Zugriff mehr.',
  },
  feed: {
    subject: 'Für dein Saldo-Konto wurde ein Kalender-Abo erstellt',
    lead: 'wer Saldo betreibt, hat ein Kalender-Abo erstellt, das Zeiten deines Kontos zeigt.',
  },
  feed_revoked: {
    subject: 'Ein Kalender-Abo deines Saldo-Kontos wurde widerrufen',
    lead: 'wer Saldo betreibt, hat ein Kalender-Abo widerrufen. Kalender, die es benutzt haben, bekommen keine Zeiten mehr.',
  },
  reopened: {
    subject: 'Abgeschlossene Tage deines Saldo-Kontos wurden wieder geöffnet',
    lead: 'wer Saldo betreibt, hat Tage und Wochen wieder geöffnet, die automatisch abgeschlossen wurden.',
  },
  deactivated: {
    subject: 'Dein Saldo-Konto wurde deaktiviert',
    lead: 'du kannst dich bei Saldo nicht mehr anmelden. Gelöscht wurde nichts.',
  },
  reactivated: {
    subject: 'Dein Saldo-Konto wurde wieder aktiviert',
    lead: 'du kannst dich wieder bei Saldo anmelden. Alles ist, wie du es verlassen hast.',
  },
  erasure: {
    subject: 'Dein Saldo-Konto wird in 14 Tagen gelöscht',
    lead: 'du kannst dich bei Saldo nicht mehr anmelden. In 14 Tagen werden alle Daten deines Kontos endgültig gelöscht.',
  },
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
  const text = [greeting, lead, ...(action ? [action.url] : []), end].join('\n\n')
  const paragraphs = [greeting, lead].map(paragraph)
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
