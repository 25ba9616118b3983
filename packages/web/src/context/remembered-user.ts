import type { UserNumber } from '@saldo/core'
/** The user whose local database the app opens at its start, without asking the service. */
export interface RememberedUser {
  /** The service's number of the user. */
  user: UserNumber
  email: string
}

const KEY = 'saldo.user'

export function rememberedUser(): RememberedUser | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as RememberedUser)
}

export function rememberUser(user: RememberedUser): void {
  localStorage.setItem(KEY, JSON.stringify(user))
}

/** Calls a listener when another tab signs a user out, or lets in another. Returns a function that ends it. */
export function onOtherUser(user: UserNumber, listener: () => void): () => void {
  const heard = () => {
    if (rememberedUser()?.user !== user) listener()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}

export function forgetUser(): void {
  localStorage.removeItem(KEY)
}

/** Removes what this tab keeps of users who are not remembered: they may have signed out in another tab. */
export function forgetOthersOfTab(): void {
  const user = rememberedUser()?.user
  for (const key of Object.keys(sessionStorage)) {
    if (/\.\d+$/.test(key) && !key.endsWith(`.${user}`)) sessionStorage.removeItem(key)
  }
}

/** Removes what the browser's storage has of a user. Keys that end in the number of another user stay. */
export function removeTraces(user: UserNumber): void {
  for (const key of Object.keys(localStorage)) {
    if (key.endsWith(`.${user}`) || !/\.\d+$/.test(key)) localStorage.removeItem(key)
  }
  sessionStorage.clear()
}
