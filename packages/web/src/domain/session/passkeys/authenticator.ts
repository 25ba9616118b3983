import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { AuthenticatorError } from '../../../ui/feedback/failure.ts'

/**
 * Creates a key on an authenticator, with the consent of its owner; `options` come from the service. Throws
 * `AuthenticatorError`.
 */
export function createPasskey(options: object) {
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON']
  return explained(startRegistration({ optionsJSON: options as Options }))
}

/**
 * Signs with a key of an authenticator, with the consent of its owner; `options` come from the service. Throws
 * `AuthenticatorError`.
 */
export function signWithKey(options: object) {
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
  return explained(startAuthentication({ optionsJSON: options as Options }))
}

/** The errors that browsers distinguish. They say little, so that pages cannot find out who has which key. */
const reasons: Partial<Record<string, string>> = {
  InvalidStateError: 'ui.passkey.known',
  SecurityError: 'ui.passkey.address',
}

async function explained<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    throw new AuthenticatorError(reasons[name] ?? 'ui.passkey.nothing', error)
  }
}
