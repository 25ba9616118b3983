import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import rows from '../../ui/rows.module.css'
import type { Resource } from '../../ui/useResource.ts'

interface Props<Row> {
  resource: Resource<readonly Row[]>
  /** Shown in place of an empty list. */
  empty?: string
  children: (row: Row) => ReactNode
}

/** A list that only the service has: tokens, sessions or passkeys. */
export function ResourceList<Row extends { id: string | number }>({
  resource: { answer, failure },
  empty,
  children,
}: Props<Row>) {
  return (
    <>
      {failure && <Text c="dimmed">{failure}</Text>}
      {answer?.length === 0 && <Text c="dimmed">{empty}</Text>}
      {answer && answer.length > 0 && (
        <ul className={rows.list}>
          {answer.map((row) => (
            <li key={row.id} className={rows.row}>
              {children(row)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
