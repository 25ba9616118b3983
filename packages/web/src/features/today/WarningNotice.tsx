import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { type EditedEntry, editedEntryOf } from '../../domain/entries/editor/edited-entry.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { useEntryVerbs } from '../../domain/entries/useEntryVerbs.ts'
import { Notice } from '../../ui/Notice.tsx'
import { type EntryWarning, subjectOfWarning } from './entry-warnings.ts'

interface Props {
  warning: EntryWarning
  day: Day
  onEdit: (edited: EditedEntry) => void
}

/** The text of a warning, and a button that fixes it. */
export function WarningNotice({ warning, day, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { make } = useEntryVerbs()
  const { kind, amount, fix } = warning
  const { first, startsMs } = subjectOfWarning(warning, day.entries)
  const times = startsMs.map((ms) => format.time(ms, day.zone))
  const values = {
    times: format.list(times),
    last: times.at(-1),
    length: format.duration(amount),
    share: format.percent(amount),
    count: amount,
  }
  const act = () => {
    if (fix) void make(fix, t('today.odd.mended'))
    else if (first) onEdit(editedEntryOf(first))
  }
  return (
    <Notice
      actions={
        <Button size="compact-sm" variant="default" onClick={act}>
          {t(`today.odd.${kind}.fix`, values)}
        </Button>
      }
    >
      {t(`today.odd.${kind}.why`, values)}
    </Notice>
  )
}
