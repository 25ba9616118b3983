import { connect } from '@saldo/client'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { useSignIn } from '../../domain/session/useSignIn.ts'
import type { OwnWords } from '../../ui/feedback/failure.ts'

interface Credentials {
  email: string
  password: string
  /** The name that the app shows. Signing in needs none. */
  name: string
  /** The code of the second factor, once the service asks for it. */
  code?: string | undefined
  /** Present when signing up. */
  setupCode?: string
}

const ownWords = (isNew: boolean, isFirst: boolean): OwnWords => ({
  invalid_credentials: 'signIn.wrong',
  '/email': ['signIn.incompleteEmail', 'email'],
  '/password': ['signIn.commonPassword', 'password'],
  conflict: ['signIn.taken', 'email'],
  forbidden: isFirst ? ['signIn.wrongSetupCode', 'setupCode'] : isNew ? 'signIn.closed' : 'signIn.deactivated',
})

/** Signs a user in or up, and holds the message if that fails. */
export function useCredentials(isNew: boolean, isFirst: boolean, onSignedIn: (user: RememberedUser) => Promise<void>) {
  const { attemptSignIn, ...state } = useSignIn(ownWords(isNew, isFirst))
  const send = async ({ email, name, password, code, setupCode }: Credentials) => {
    const service = connect()
    const user =
      setupCode === undefined
        ? await service.signIn({ email, password, code })
        : await service.signUp({ email, name, password, ...(setupCode !== '' && { setupCode: setupCode.trim() }) })
    await onSignedIn({ user, email })
  }
  return { ...state, submit: (credentials: Credentials) => attemptSignIn(send(credentials)) }
}
