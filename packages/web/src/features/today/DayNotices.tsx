import { Button } from '@mantine/core'
import { MINUTE_MS } from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { type EditedEntry, editedEntryOf } from '../../domain/entries/editor/edited-entry.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { useEntryActions } from '../../domain/entries/useEntryActions.ts'
import { useHintText } from '../../domain/work-hours/work-hours-texts.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Notice } from '../../ui/Notice.tsx'
import { type EntryWarning, subjectOfWarning } from './entry-warnings.ts'
import { shownHints } from './today-model.ts'

interface Props {
  warning: EntryWarning
  day: Day
  onEdit: (edited: EditedEntry) => void
}

/** The text of a warning, and a button that fixes it. */
export function WarningNotice({ warning, day, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { make } = useEntryActions()
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

/** The hints of a day. */
export function Hints({ day }: { day: Day }) {
  const textOf = useHintText()
  const nowMs = useNow(MINUTE_MS)
  const hints = useMemo(() => shownHints(day, nowMs), [day, nowMs])
  if (hints.length === 0) return null
  return (
    <Notice>
      {hints.map((hint) => (
        <div key={hint.code}>{textOf(hint)}</div>
      ))}
    </Notice>
  )
}
