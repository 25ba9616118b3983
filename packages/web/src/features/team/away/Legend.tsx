import type { AwayDates, AwayPage } from '@saldo/core'
import classes from './AwayGrid.module.css'
import { useAwayText } from './useAwayText.ts'

/** Explains the marks that a month has. */
export function Legend({ items }: Pick<AwayPage, 'items'>) {
  const { textOf, markOf } = useAwayText()
  const seen = new Map<string, Pick<AwayDates, 'sight' | 'kind'>>()
  for (const { dates } of items) for (const each of dates) seen.set(`${each.sight} ${each.kind ?? ''}`, each)
  const shown = [...seen.values()].toSorted((a, b) => textOf(a).localeCompare(textOf(b)))
  return (
    <ul className={classes.legend}>
      {shown.map((each) => (
        <li key={`${each.sight} ${each.kind}`}>
          <span className={`${classes.mark} ${classes.alone}`} data-sight={each.sight} data-first data-last aria-hidden>
            {markOf(each)}
          </span>
          {textOf(each)}
        </li>
      ))}
    </ul>
  )
}
