import { Anchor, Checkbox } from '@mantine/core'
import { type BoardRow, type Month, type MonthResult, mergeRanges } from '@saldo/core'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { StateOfMonth } from '../../../domain/team/StateOfMonth.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from './BoardView.module.css'
import { pathOfPlace } from './board-model.ts'
import { useSeesSheets } from './useSeesSheets.ts'

interface Props {
  row: BoardRow
  month: Month
  /** The answer to the last act on this person's month. */
  result: MonthResult | undefined
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** A person on the board: state of the month, open points, and as much of figures as the policy shows. */
export function BoardLine({ row, month, result, isChosen, onChoose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const seesSheets = useSeesSheets()
  const { user_id, name, state, balance, vacation_left, without_entries, waiting } = row
  const balanceText =
    balance === null ? '' : typeof balance === 'number' ? format.delta(balance) : t(`team.board.light.${balance}`)
  const vacationText = vacation_left === null ? '' : format.number(vacation_left)
  return (
    <tr>
      <td className={classes.check}>
        <Checkbox
          aria-label={t('team.people.choose', { name })}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </td>
      <th scope="row" className={classes.name}>
        {seesSheets ? (
          <Anchor component={Link} href={pathOfPlace(month, user_id)} className={classes.person ?? ''}>
            {name}
          </Anchor>
        ) : (
          <span className={classes.person}>{name}</span>
        )}
        {result?.outcome === 'rejected' && (
          <span className={classes.rejected}>
            {t('team.board.rejected')} {t(`team.board.refusal.${result.refusal ?? 'not_allowed'}`)}
          </span>
        )}
        {without_entries !== null && without_entries.length > 0 && (
          <span className={classes.details}>
            {t('team.board.withoutEntries', {
              dates: format.list(
                mergeRanges(without_entries.map((date) => ({ from: date, to: date }))).map((range) =>
                  format.dateRange(range, 'dayAndMonthShort'),
                ),
              ),
            })}
          </span>
        )}
        {waiting > 0 && <span className={classes.details}>{t('team.board.waiting', { count: waiting })}</span>}
        <span className={`${classes.details} ${classes.narrow}`}>
          {[
            balanceText && `${t('team.board.balance')}: ${balanceText}`,
            vacationText && `${t('team.board.vacationLeft')}: ${vacationText}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </th>
      <td>
        <StateOfMonth state={state} />
      </td>
      <td className={classes.wide}>{balanceText}</td>
      <td className={classes.wide}>{vacationText}</td>
    </tr>
  )
}
