import type { AwayDates } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'

type Seen = Pick<AwayDates, 'sight' | 'kind'>

/** Returns the words for what is seen of a date, and the mark in the grid. */
export function useAwayText() {
  const { t } = useTranslation()
  return useMemo(() => {
    const textOf = ({ sight, kind }: Seen) =>
      kind ? t(`team.away.ofKind.${sight}`, { kind: t(`entries.kind.${kind}`) }) : t(`team.away.sight.${sight}`)
    /** The sign of a part or a request, or else the first letter of the kind. */
    const markOf = ({ sight, kind }: Seen) => {
      const letter = kind ? t(`entries.kind.${kind}`).slice(0, 1) : ''
      return { away: letter, part: `½${letter}`, asked: `${letter}?` }[sight]
    }
    return { textOf, markOf }
  }, [t])
}
