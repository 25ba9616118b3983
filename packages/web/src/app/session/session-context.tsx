import { createContext, type ReactNode, useContext } from 'react'
import type { RememberedUser } from './remembered-user.ts'
import type { SessionVerbs } from './useSession.ts'

interface Visitor extends Pick<SessionVerbs, 'leave'> {
  user: RememberedUser
}

const VisitorContext = createContext<Visitor | undefined>(undefined)

export function VisitorProvider({ visitor, children }: { visitor: Visitor; children: ReactNode }) {
  return <VisitorContext value={visitor}>{children}</VisitorContext>
}

/** Who is signed in, and the way out. */
export function useVisitor(): Visitor {
  const visitor = useContext(VisitorContext)
  if (!visitor) throw new Error('useVisitor belongs below VisitorProvider')
  return visitor
}
