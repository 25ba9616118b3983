import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { bytesToHex, bytesToUtf8, hexToBytes, managedNonce, utf8ToBytes } from '@noble/ciphers/utils.js'

/** Encrypts a text that the service must read again, with its secret, and guards it against changes. */
export function seal(secret: string, text: string): string {
  return bytesToHex(cipherOf(secret).encrypt(utf8ToBytes(text)))
}

/** Returns a sealed text; `undefined` if another secret sealed it or it was changed. */
export function unseal(secret: string, sealed: string): string | undefined {
  try {
    return bytesToUtf8(cipherOf(secret).decrypt(hexToBytes(sealed)))
  } catch {
    return undefined
  }
}

/** XChaCha20-Poly1305, with a random nonce of 192 bits before each text. */
function cipherOf(secret: string) {
  return managedNonce(xchacha20poly1305)(createHash('sha256').update(secret).digest())
}
