import { Checkbox, Stack, Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import type { Calendar } from '../useCalendar.ts'
import type { Choice } from './choices.ts'
import classes from './HolidaysDialog.module.css'
import { PlaceFields } from './PlaceFields.tsx'
import { useHolidays } from './useHolidays.ts'

interface Props {
  calendar: Calendar
  onDone: () => void
}

/** Chooses public holidays of a year and enters them. */
export default function HolidaysDialog({ calendar, onDone }: Props) {
  const { t } = useTranslation()
  const title = t('calendar.holidays.title', { year: String(calendar.period.year) })
  return (
    <Dialog isForm size="lg" title={title} onClose={onDone}>
      <HolidaysForm calendar={calendar} onDone={onDone} />
    </Dialog>
  )
}

function HolidaysForm({ calendar, onDone }: Props) {
  const { t } = useTranslation()
  const holidays = useHolidays(calendar, onDone)
  const { place, choices, chosenCount } = holidays
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        holidays.enter()
      }}
    >
      <Stack>
        <PlaceFields place={place} onChange={holidays.changePlace} />
        {holidays.canHaveOthers && (
          <Switch
            label={t('calendar.holidays.others')}
            checked={holidays.hasOthers}
            onChange={(event) => holidays.setHasOthers(event.currentTarget.checked)}
          />
        )}
        {choices.length === 0 ? (
          <Text c="dimmed">{t(place.country === '' ? 'calendar.holidays.choose' : 'calendar.holidays.none')}</Text>
        ) : (
          <ul className={classes.list}>
            {choices.map((choice) => (
              <HolidayRow
                key={choice.holiday.date}
                choice={choice}
                onChoose={(isChosen) => holidays.choose(choice.holiday.date, isChosen)}
              />
            ))}
          </ul>
        )}
        <FormFooter
          action={t('calendar.holidays.enter', { count: chosenCount })}
          disabled={chosenCount === 0}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}

interface RowProps {
  choice: Choice
  onChoose: (isChosen: boolean) => void
}

function HolidayRow({ choice: { holiday, state, isChosen }, onChoose }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const remarks = [
    holiday.share < 1 && t('entries.size.half'),
    state !== 'new' && t(`calendar.holidays.${state}`),
  ].filter((remark) => remark !== false)
  return (
    <li className={classes.row}>
      <Checkbox
        checked={isChosen || state === 'entered'}
        disabled={state === 'entered'}
        onChange={(event) => onChoose(event.currentTarget.checked)}
        label={
          <span className={classes.label}>
            <span className={classes.date}>{format.date(holiday.date, 'short')}</span>{' '}
            <span>
              {holiday.name}
              {remarks.length > 0 && <span className={classes.remark}> {format.list(remarks)}</span>}
            </span>
          </span>
        }
      />
    </li>
  )
}
