import { connect } from '@saldo/client'
import { useEffect, useState } from 'react'

/** Returns false once the service says that the user has no password, but signs in at the company. */
export function useHasPassword(): boolean {
  const [hasPassword, setHasPassword] = useState(true)
  useEffect(() => {
    // Without the service, what needs the password cannot be done either.
    void connect()
      .me()
      .then(
        (me) => setHasPassword(me.hasPassword),
        () => undefined,
      )
  }, [])
  return hasPassword
}
