import type { MailLanguage } from '@saldo/core'

/** The reasons to send a mail, with what its text names. Times of expiry are those of `Accounts`. */
export type Letter =
  /** `by` is the admin who invites; `undefined` for an operator at the command line. */
  | { kind: 'invitation'; name: string; by: string | undefined; email: string; url: string }
  | { kind: 'reset'; name: string; url: string }
  /** To the new address. */
  | { kind: 'confirm_email'; name: string; email: string; url: string }
  /** To the old address. */
  | { kind: 'email_changed'; name: string; email: string; service: string }
  | { kind: 'password_changed'; name: string; service: string }

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
    const greeting = letter.name === '' ? 'Hello,' : `Hello ${letter.name},`
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
      case 'reset':
        return {
          subject: 'Set a new password for Saldo',
          greeting,
          lead: 'With this link you set a new password for Saldo. It signs you out everywhere else.',
          action: { label: 'Set a new password', url: letter.url },
          end:
            'The link works once, within 24 hours. If you did not ask for it, do nothing: ' +
            'your password stays as it is.',
        }
      case 'confirm_email':
        return {
          subject: 'Confirm your new e-mail address for Saldo',
          greeting,
          lead: `Confirm that you want to sign in to Saldo with ${letter.email} from now on.`,
          action: { label: 'Confirm this address', url: letter.url },
          end: 'The link works once, within 24 hours. If you did not ask for it, do nothing: nothing changes.',
        }
      case 'email_changed':
        return {
          subject: 'Your e-mail address for Saldo was changed',
          greeting,
          lead: `You now sign in to Saldo with ${letter.email}, and no longer with this address.`,
          end: `If it was not you, tell an admin of ${letter.service} at once.`,
        }
      case 'password_changed':
        return {
          subject: 'Your password for Saldo was changed',
          greeting,
          lead: 'Your password for Saldo was changed, and other devices were signed out.',
          end: `If it was not you, tell an admin of ${letter.service} at once.`,
        }
    }
  },
  de(letter) {
    const greeting = letter.name === '' ? 'Hallo,' : `Hallo ${letter.name},`
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
      case 'reset':
        return {
          subject: 'Neues Passwort für Saldo',
          greeting,
          lead: 'mit diesem Link legst du ein neues Passwort für Saldo fest. Du wirst dabei überall sonst abgemeldet.',
          action: { label: 'Neues Passwort festlegen', url: letter.url },
          end:
            'Der Link gilt einmal, 24 Stunden lang. Wenn du ihn nicht angefordert hast, musst du nichts tun: ' +
            'Dein Passwort bleibt, wie es ist.',
        }
      case 'confirm_email':
        return {
          subject: 'Bestätige deine neue E-Mail-Adresse für Saldo',
          greeting,
          lead: `bestätige, dass du dich bei Saldo künftig mit ${letter.email} anmelden willst.`,
          action: { label: 'Adresse bestätigen', url: letter.url },
          end:
            'Der Link gilt einmal, 24 Stunden lang. Wenn du ihn nicht angefordert hast, musst du nichts tun: ' +
            'Es ändert sich nichts.',
        }
      case 'email_changed':
        return {
          subject: 'Deine E-Mail-Adresse für Saldo wurde geändert',
          greeting,
          lead: `du meldest dich bei Saldo jetzt mit ${letter.email} an, nicht mehr mit dieser Adresse.`,
          end: `Wenn du das nicht warst, sag sofort der Verwaltung von ${letter.service} Bescheid.`,
        }
      case 'password_changed':
        return {
          subject: 'Dein Passwort für Saldo wurde geändert',
          greeting,
          lead: 'dein Passwort für Saldo wurde geändert. Andere Geräte wurden abgemeldet.',
          end: `Wenn du das nicht warst, sag sofort der Verwaltung von ${letter.service} Bescheid.`,
        }
    }
  },
}

/** Writes a letter in a language, as plain text and as HTML without images or anything else to load. */
export function writeLetter(letter: Letter, language: MailLanguage): WrittenLetter {
  const { subject, greeting, lead, action, end } = words[language](letter)
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
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] as string)
}
