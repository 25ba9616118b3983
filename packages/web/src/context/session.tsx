import { createContext, type ReactNode, useContext } from 'react'
import type { RememberedUser } from './remembered-user.ts'

export interface Visitor {
  user: RememberedUser
  /** Signs out. Throws `UnsentChangesError` while changes wait, unless forced. */
  leave(options: { force: boolean; forget: boolean }): Promise<void>
}

const VisitorContext = createContext<Visitor | undefined>(undefined)

export function VisitorProvider({ visitor, children }: { visitor: Visitor; children: ReactNode }) {
  return <VisitorContext value={visitor}>{children}</VisitorContext>
}

/** Returns the signed-in user and the function that signs out. */
export function useVisitor(): Visitor {
  const visitor = useContext(VisitorContext)
  if (!visitor) throw new Error('useVisitor belongs below VisitorProvider')
  return visitor
}
