/**
 * Returns what an error says, in one line for a person. A connection that was tried at several addresses fails with an
 * `AggregateError` without a message: then each address is named.
 */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(errorText).join('; ')
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.split('\n', 1)[0] ?? ''
}

/** Matches the codes that Node has for a certificate that it does not trust. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|CERT_UNTRUSTED/

/** Returns what to do about an error code, as an addition to a line of the log; empty for most codes. */
export function adviceFor(code: string): string {
  return UNTRUSTED.test(code) ? ': set NODE_EXTRA_CA_CERTS to the file of the company CA' : ''
}
