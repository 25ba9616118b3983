/** True if the browser offers passkeys here: only over TLS and on `localhost`. */
export const hasPasskeys = 'PublicKeyCredential' in globalThis
