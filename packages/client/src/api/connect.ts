import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { ask } from './ask.ts'

/** The user that a browser is signed in as, or a token is of. */
export interface Me {
  /** The service's number of the user. */
  user: number
  email: string
}

/** What a service says of itself to anybody. */
export interface ServiceFacts {
  /** The number of its wire protocol. */
  protocol: number
  build: string
  /** Who may sign up: the first user, with the set-up code; anybody; nobody. */
  signup: 'first_user' | 'open' | 'closed'
}

/** The service before there is a device: to find out whose device to open. Throws `OfflineError`, `RefusedError`. */
export interface Connection {
  service(): Promise<ServiceFacts>
  /** Throws `NotSignedInError` where nobody is. */
  me(): Promise<Me>
  /** Signs up and in. The first user needs the set-up code that the service printed. Returns the user's number. */
  signUp(person: { email: string; password: string; setupCode?: string }): Promise<number>
  /**
   * Returns the user's number. Throws `NotSignedInError` for a wrong address or password, `RefusedError` with
   * `second_factor_required` where a code of the second factor is missing or wrong.
   */
  signIn(person: { email: string; password: string; code?: string | undefined }): Promise<number>
}

/** Without a token, by the browser's cookie; without an address, the page's own service. */
export function connect({ url = ownAddress(), token }: { url?: string; token?: string } = {}): Connection {
  return connectionOver(fetchTransport({ url, ...(token !== undefined && { token }) }))
}

export function connectionOver(transport: Transport): Connection {
  return {
    service: () => ask<ServiceFacts>(transport, 'GET', '/api/version'),
    async me() {
      const { user_id: user, email } = await ask<{ user_id: number; email: string }>(transport, 'GET', '/api/me')
      return { user, email }
    },
    async signUp({ setupCode, ...person }) {
      const body = { ...person, ...(setupCode !== undefined && { setup_code: setupCode }) }
      return (await ask<{ user_id: number }>(transport, 'POST', '/api/auth/sign-up', body)).user_id
    },
    async signIn(person) {
      return (await ask<{ user_id: number }>(transport, 'POST', '/api/auth/sign-in', person)).user_id
    },
  }
}
