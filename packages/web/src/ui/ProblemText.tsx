import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The reason why a form cannot be submitted; screen readers announce it. */
export function ProblemText({ children }: { children: ReactNode }) {
  return (
    <Text role="alert" c="var(--saldo-error-text)" size="sm">
      {children}
    </Text>
  )
}
