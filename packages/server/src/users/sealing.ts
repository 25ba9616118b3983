import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'

/** Encrypts a text that the service must read again, with its secret. */
export function seal(secret: string, text: string): Promise<string> {
  return symmetricEncrypt({ key: secret, data: text })
}

/** Returns a sealed text; `undefined` if another secret sealed it. */
export function unseal(secret: string, sealed: string): Promise<string | undefined> {
  return symmetricDecrypt({ key: secret, data: sealed }).catch(() => undefined)
}
