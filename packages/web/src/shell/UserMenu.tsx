import { useState } from 'react'
import { useLoaded } from '../ui/useLoaded.ts'
import { AccountButton } from './AccountButton.tsx'

/** The account menu: what it is made of comes when somebody reaches for it. */
export function UserMenu() {
  const [isWanted, setWanted] = useState(false)
  const [items, load] = useLoaded(() => import('./UserMenuItems.tsx'))
  if (isWanted && items) return <items.UserMenuItems />
  const want = () => {
    setWanted(true)
    load()
  }
  return <AccountButton onPointerEnter={load} onFocus={load} onClick={want} />
}
