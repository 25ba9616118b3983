import { TextInput, Tooltip } from '@mantine/core'
import { DAY_MS } from '@saldo/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { parseHours } from '../../../ui/parse-hours.ts'
import type { Cell } from './cells.ts'
import classes from './Timesheet.module.css'

interface Props {
  cell: Cell
  label: string
  /** Row and column. */
  place: string
  /** Tells whether the hours fit into the day. */
  onType: (wantedMs: number) => boolean
  /** Tells whether there is a cell. */
  onMove: (rows: number) => boolean
}

/** A cell of the grid: kept on leaving it or on Enter, given back on Escape; arrows go up and down. */
export function HoursCell({ cell: { workedMs, locked }, label, place, onType, onMove }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [keptAtMs, setKeptAtMs] = useState<number>()
  // What was typed stays until the figure has followed.
  if (keptAtMs !== undefined && keptAtMs !== workedMs) {
    setKeptAtMs(undefined)
    setText(undefined)
  }
  const shown = workedMs === 0 ? '' : format.duration(workedMs)

  if (locked) {
    const why = t(`week.timesheet.locked.${locked}`)
    return (
      <Tooltip label={why}>
        <TextInput
          className={classes.cell ?? ''}
          aria-label={t('week.timesheet.lockedCell', { label, why })}
          data-place={place}
          value={shown}
          readOnly
          onKeyDown={moveByKey}
        />
      </Tooltip>
    )
  }
  return (
    <TextInput
      className={classes.cell ?? ''}
      aria-label={label}
      data-place={place}
      inputMode="decimal"
      autoComplete="off"
      placeholder="–"
      value={text ?? shown}
      error={problem}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        setKeptAtMs(undefined)
        setProblem(undefined)
      }}
      onBlur={keep}
      onKeyDown={moveByKey}
    />
  )

  function keep() {
    if (text === undefined || keptAtMs !== undefined) return
    const wantedMs = text.trim() === '' ? 0 : parseHours(text)
    if (wantedMs === undefined || wantedMs < 0 || wantedMs > DAY_MS) {
      return setProblem(t('ui.duration.wrong', { example: format.duration(27_000_000) }))
    }
    if (wantedMs === workedMs) return setText(undefined)
    if (!onType(wantedMs)) return setProblem(t('week.timesheet.noRoom'))
    setKeptAtMs(workedMs)
  }

  function moveByKey(event: KeyboardEvent<HTMLInputElement>) {
    const rows = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key]
    if (rows !== undefined) {
      event.preventDefault()
      // The cell that is left is kept.
      if (!onMove(rows) && event.key === 'Enter') keep()
    } else if (event.key === 'Escape') {
      setText(undefined)
      setProblem(undefined)
    }
  }
}

/** Gives the focus to a cell; tells whether there is one. */
export function moveInGrid(grid: HTMLElement | null, row: number, column: number): boolean {
  const cell = grid?.querySelector<HTMLInputElement>(`[data-place="${row}.${column}"]`)
  cell?.focus()
  return cell !== null && cell !== undefined
}
