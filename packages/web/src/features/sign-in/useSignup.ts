import { connect, type ServiceFacts } from '@saldo/client'
import { useEffect, useState } from 'react'

/** Who may sign up at this service; `undefined` until it has told, or while it cannot be reached. */
export function useSignup(): ServiceFacts['signup'] | undefined {
  const [signup, setSignup] = useState<ServiceFacts['signup']>()
  useEffect(() => {
    const notKnown = () => undefined
    // Why it cannot be asked is told to who tries to sign in.
    void connect()
      .service()
      .then((service) => service.signup, notKnown)
      .then(setSignup)
  }, [])
  return signup
}
