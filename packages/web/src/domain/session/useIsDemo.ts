import { DEMO } from '@saldo/core'
import { useSignedIn } from '../../context/session.tsx'

/** True if the user is a visitor of a demo, whose account all visitors share (D23.3). Needs no network. */
export function useIsDemo(): boolean {
  return useSignedIn().user.email === DEMO.email
}
