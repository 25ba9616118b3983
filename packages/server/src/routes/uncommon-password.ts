import { ProblemError } from '../http/problem.ts'
import { COMMON_PASSWORD, isCommonPassword } from '../users/common-passwords.ts'

/** Refuses a password to set that everybody tries first; `pointer` tells where it stands in the body. */
export async function requireUncommon(password: string, pointer: string): Promise<void> {
  if (!(await isCommonPassword(password))) return
  throw new ProblemError('invalid_request', 'The body is not valid.', {
    errors: [{ pointer, detail: COMMON_PASSWORD }],
  })
}
