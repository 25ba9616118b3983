/** Whether this browser has passkeys for this page, which it has over TLS and for `localhost` only. */
export const hasPasskeys = 'PublicKeyCredential' in globalThis
