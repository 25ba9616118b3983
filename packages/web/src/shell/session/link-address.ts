/** A link of an account: one that sets a password, or one that confirms a new address. */
export interface AddressLink {
  purpose: 'password' | 'email'
  secret: string
}

const purposes: Record<string, AddressLink['purpose']> = { '/link': 'password', '/confirm-email': 'email' }

/** Returns the link that an address is, `/link#<secret>` or `/confirm-email#<secret>` (D19.11), if it is one. */
export function linkIn({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): AddressLink | undefined {
  const purpose = purposes[pathname]
  return purpose && hash.length > 1 ? { purpose, secret: hash.slice(1) } : undefined
}
