import { connect, type ServiceFacts } from '@saldo/client'
import { useEffect, useState } from 'react'

/** Returns how people sign in and up at the service; `undefined` until it answers, and while it cannot be reached. */
export function useServiceFacts(): ServiceFacts | undefined {
  const [facts, setFacts] = useState<ServiceFacts>()
  useEffect(() => {
    // A service that cannot be reached is reported when the user tries to sign in.
    void connect()
      .service()
      .then(setFacts, () => undefined)
  }, [])
  return facts
}
