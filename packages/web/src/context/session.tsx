import { createContext, type ReactNode, useContext } from 'react'
import { type RememberedUser, rememberedUser } from './remembered-user.ts'

export interface SignedIn {
  user: RememberedUser
  /** Signs out. Throws `UnsentChangesError` while changes wait, unless forced. */
  leave(options: { force: boolean; forget: boolean }): Promise<void>
}

const SignedInContext = createContext<SignedIn | undefined>(undefined)

export function SignedInProvider({ signedIn, children }: { signedIn: SignedIn; children: ReactNode }) {
  return <SignedInContext value={signedIn}>{children}</SignedInContext>
}

/** Returns the signed-in user, with the address as this device last got it, and the function that signs out. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext)
  if (!signedIn) throw new Error('useSignedIn belongs below SignedInProvider')
  const remembered = rememberedUser()
  return remembered?.user === signedIn.user.user ? { ...signedIn, user: remembered } : signedIn
}
