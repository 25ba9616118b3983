import { TextInput, Tooltip } from '@mantine/core'
import { type DurationMs, HOUR_MS } from '@saldo/core'
import { type KeyboardEvent, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { type Cell, typedHours } from './cells.ts'
import classes from './Timesheet.module.css'

interface Props {
  cell: Cell
  label: string
  /** Row and column. */
  place: string
  /** Resolves to true if the hours are saved; returns `undefined` if they do not fit into the day. */
  onSave: (workedMs: DurationMs) => Promise<boolean> | undefined
  /** Moves the focus by rows; returns false if there is no such cell. */
  onMove: (rows: number) => boolean
}

/** A cell of the timesheet: saves on blur and Enter, resets on Escape; arrow keys move up and down. */
export function HoursCell({ cell: { workedMs, locked }, label, place, onSave, onMove }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  /** The typed hours, until the entries have them. */
  const [saving, setSaving] = useState<{ typedMs: DurationMs; beforeMs: DurationMs }>()
  if (saving && saving.beforeMs !== workedMs) setSaving(undefined)
  const shownMs = saving?.typedMs ?? workedMs
  const shown = shownMs === 0 ? '' : format.duration(shownMs)

  const reset = () => {
    setText(undefined)
    setProblem(undefined)
  }
  const save = async () => {
    if (text === undefined) return
    const typed = typedHours(text, format.bareNumber)
    if (typed.kind !== 'taken') {
      const choices = typed.kind === 'asked' ? typed.choices.map(format.duration) : []
      const wrong = t('ui.duration.wrong', { example: format.duration(7.5 * HOUR_MS) })
      setProblem(choices.length > 0 ? t('ui.whichOf', { choices: choices.join(' / ') }) : wrong)
      return
    }
    const { value: typedMs } = typed
    const saved = typedMs === workedMs || onSave(typedMs)
    if (saved === undefined) {
      setProblem(t('week.timesheet.noRoom'))
      return
    }
    reset()
    if (saved === true) return
    setSaving({ typedMs, beforeMs: workedMs })
    if (!(await saved)) setSaving(undefined)
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const rows = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key]
    if (rows !== undefined) {
      event.preventDefault()
      // A cell that loses the focus saves on blur.
      if (!onMove(rows) && event.key === 'Enter') void save()
    } else if (event.key === 'Escape') reset()
  }

  const props = { className: classes.cell ?? '', 'data-place': place, onKeyDown: handleKey }
  if (locked) {
    const why = t(`week.timesheet.locked.${locked}`)
    return (
      <Tooltip label={why}>
        <TextInput {...props} aria-label={t('week.timesheet.lockedCell', { label, why })} value={shown} readOnly />
      </Tooltip>
    )
  }
  return (
    <TextInput
      {...props}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder="–"
      value={text ?? shown}
      error={problem}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        setProblem(undefined)
      }}
      onBlur={() => void save()}
    />
  )
}
