import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { ZoneSelect } from '../../domain/work-hours/ZoneSelect.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './ChangeForm.module.css'
import type { ZoneMeaning } from './zone-meaning.ts'

interface Props {
  value: string
  /** What the zone does to days, where it is another than so far. */
  meaning: ZoneMeaning | undefined
  onChange: (zone: string) => void
}

export function ZoneField({ value, meaning, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.fields}>
      <ZoneSelect value={value} onChange={onChange} />
      <div aria-live="polite">
        {meaning && (
          <Notice>
            <Text size="sm">
              {t('schedule.zone.from', { date: format.date(meaning.from, 'medium'), zone: meaning.zone })}{' '}
              {meaning.isBorder && t('schedule.zone.before', { zone: meaning.zoneBefore })}{' '}
              {meaning.isPast && t('schedule.zone.past')}{' '}
              {meaning.oddDays.map(({ date, lengthMs }) =>
                t('schedule.zone.odd', { date: format.date(date, 'medium'), length: format.duration(lengthMs) }),
              )}
            </Text>
          </Notice>
        )}
      </div>
    </div>
  )
}
