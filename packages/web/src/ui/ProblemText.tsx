import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What keeps a form from being sent; read out as it appears. */
export function ProblemText({ children }: { children: ReactNode }) {
  return (
    <Text role="alert" c="var(--saldo-error-text)" size="sm">
      {children}
    </Text>
  )
}
