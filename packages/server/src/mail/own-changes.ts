import type { MailLanguage } from '@saldo/core'

/** The changes that users make to their own keys, and get a mail about (D19.33). */
export const ownNotices = [
  'passkey_added',
  'passkey_removed',
  'second_factor_on',
  'second_factor_off',
  'recovery_codes',
  'own_token',
  'own_feed',
  'own_webhook',
  'linked',
] as const
/** One of `ownNotices`. */
export type OwnNotice = (typeof ownNotices)[number]

type Change = { subject: string; lead: string }

/** Returns what the mail about a change says. */
export const ownChanges: Record<MailLanguage, Record<OwnNotice, Change>> = {
  en: {
    passkey_added: {
      subject: 'A passkey was added to your Saldo account',
      lead: 'A passkey was added to your Saldo account. Whoever has it can sign in without your password.',
    },
    passkey_removed: {
      subject: 'A passkey of your Saldo account was removed',
      lead: 'A passkey of your Saldo account was removed. Other devices were signed out.',
    },
    second_factor_on: {
      subject: 'Your second factor for Saldo is on',
      lead: 'The second factor of your Saldo account was turned on. Signing in with your password now needs a code.',
    },
    second_factor_off: {
      subject: 'Your second factor for Saldo is off',
      lead: 'The second factor of your Saldo account was turned off. You now sign in without a code.',
    },
    recovery_codes: {
      subject: 'Your recovery codes for Saldo were replaced',
      lead: 'New recovery codes were created for your Saldo account. The earlier ones no longer work.',
    },
    own_token: {
      subject: 'A token for your Saldo account was created',
      lead: 'A token was created in the settings of your Saldo account. A program can use your account with it.',
    },
    own_feed: {
      subject: 'A calendar feed of your Saldo account was created',
      lead: 'A calendar feed was created in the settings of your Saldo account. It shows times to whoever has its address.',
    },
    own_webhook: {
      subject: 'A webhook of your Saldo account was created',
      lead:
        'A webhook was created in the settings of your Saldo account. It tells another program about closed days, ' +
        'your balance or absences.',
    },
    linked: {
      subject: 'You now sign in to Saldo with your company account',
      lead:
        'Your Saldo account was linked to your company account. You now sign in there. Your password, passkeys, second ' +
        'factor, tokens, calendar feeds and webhooks were removed, and other devices were signed out.',
    },
  },
  de: {
    passkey_added: {
      subject: 'Dein Saldo-Konto hat einen neuen Passkey',
      lead: 'zu deinem Saldo-Konto wurde ein Passkey hinzugefügt. Wer ihn hat, kann sich ohne dein Passwort anmelden.',
    },
    passkey_removed: {
      subject: 'Ein Passkey deines Saldo-Kontos wurde entfernt',
      lead: 'ein Passkey deines Saldo-Kontos wurde entfernt. Andere Geräte wurden abgemeldet.',
    },
    second_factor_on: {
      subject: 'Dein zweiter Faktor für Saldo ist eingeschaltet',
      lead: 'der zweite Faktor deines Saldo-Kontos wurde eingeschaltet. Mit dem Passwort brauchst du jetzt einen Code.',
    },
    second_factor_off: {
      subject: 'Dein zweiter Faktor für Saldo ist ausgeschaltet',
      lead: 'der zweite Faktor deines Saldo-Kontos wurde ausgeschaltet. Du meldest dich jetzt ohne Code an.',
    },
    recovery_codes: {
      subject: 'Deine Wiederherstellungscodes für Saldo wurden ersetzt',
      lead: 'für dein Saldo-Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
    },
    own_token: {
      subject: 'Für dein Saldo-Konto wurde ein Token erstellt',
      lead: 'in den Einstellungen deines Saldo-Kontos wurde ein Token erstellt. Damit kann ein Programm dein Konto benutzen.',
    },
    own_feed: {
      subject: 'Für dein Saldo-Konto wurde ein Kalender-Abo erstellt',
      lead:
        'in den Einstellungen deines Saldo-Kontos wurde ein Kalender-Abo erstellt. Wer seine Adresse hat, sieht Zeiten ' +
        'deines Kontos.',
    },
    own_webhook: {
      subject: 'Für dein Saldo-Konto wurde ein Webhook erstellt',
      lead:
        'in den Einstellungen deines Saldo-Kontos wurde ein Webhook erstellt. Er meldet einem anderen Programm ' +
        'abgeschlossene Tage, deinen Saldo oder Abwesenheiten.',
    },
    linked: {
      subject: 'Du meldest dich bei Saldo jetzt mit deinem Firmenkonto an',
      lead:
        'dein Saldo-Konto wurde mit deinem Firmenkonto verknüpft. Du meldest dich jetzt dort an. Passwort, Passkeys, ' +
        'zweiter Faktor, Tokens, Kalender-Abos und Webhooks wurden entfernt und andere Geräte abgemeldet.',
    },
  },
}
