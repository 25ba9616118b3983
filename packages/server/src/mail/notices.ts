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
/** One of `accountNotices`. */
export type AccountNotice = (typeof accountNotices)[number]

interface Notice {
  subject: string
  lead: string
}

/** The words of the mail about each change. */
export const noticeWords: Record<MailLanguage, Record<AccountNotice, Notice>> = {
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
        'your balance, absences or your company.',
    },
    linked: {
      subject: 'You now sign in to Saldo with your company account',
      lead:
        'Your Saldo account was linked to your company account. You now sign in there. Your password, passkeys, second ' +
        'factor, tokens, calendar feeds and webhooks were removed, and other devices were signed out.',
    },
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
        'It works once.',
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
        'abgeschlossene Tage, deinen Saldo, Abwesenheiten oder deine Firma.',
    },
    linked: {
      subject: 'Du meldest dich bei Saldo jetzt mit deinem Firmenkonto an',
      lead:
        'dein Saldo-Konto wurde mit deinem Firmenkonto verknüpft. Du meldest dich jetzt dort an. Passwort, Passkeys, ' +
        'zweiter Faktor, Tokens, Kalender-Abos und Webhooks wurden entfernt und andere Geräte abgemeldet.',
    },
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
        'kann, und gibt ihn ohne E-Mail weiter. Er gilt einmal.',
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
  },
}
