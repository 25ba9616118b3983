import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { AuthenticatorError } from '../../../ui/feedback/authenticator-error.ts'

/** Has an authenticator make a key, and its owner agree. Throws `AuthenticatorError`. */
export function keyFor(optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON']) {
  return told(startRegistration({ optionsJSON }))
}

/** Has an authenticator sign with a key that it has, and its owner agree. Throws `AuthenticatorError`. */
export function answerTo(optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON']) {
  return told(startAuthentication({ optionsJSON }))
}

/** The errors that browsers distinguish. They say little, so that pages cannot find out who has which key. */
const reasons: Partial<Record<string, string>> = {
  InvalidStateError: 'ui.passkey.known',
  SecurityError: 'ui.passkey.address',
}

async function told<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new AuthenticatorError(reasons[name] ?? 'ui.passkey.nothing', error)
  }
}
