/** Returns recovery codes as text to paste into a file or a password manager: one code per line. */
export function codesText(codes: readonly string[]): string {
  return codes.join('\n')
}
