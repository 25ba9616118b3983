import { Button, Text, Title } from '@mantine/core'
import { useId, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from './RowNotes.module.css'

/** The rows that are named at first. */
const SHOWN_ROWS = 8

interface Props {
  title: string
  rows: readonly { row: number; reason: string }[]
  /** The rows as the file has them. */
  texts: ReadonlyMap<number, string>
  textOf: (reason: string) => string
}

/** Lists rows by what is to be said about them. */
export function RowNotes({ title, rows, texts, textOf }: Props) {
  const id = useId()
  if (rows.length === 0) return null
  const byReason = [...Map.groupBy(rows, ({ reason }) => reason)]
  return (
    <section className={classes.notes} aria-labelledby={id}>
      <Title order={3} id={id}>
        {title}
      </Title>
      <ul className={classes.list}>
        {byReason.map(([reason, same]) => (
          <Reason key={reason} text={textOf(reason)} rows={[...new Set(same.map(({ row }) => row))]} texts={texts} />
        ))}
      </ul>
    </section>
  )
}

interface ReasonProps {
  text: string
  rows: readonly number[]
  texts: ReadonlyMap<number, string>
}

function Reason({ text, rows, texts }: ReasonProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, SHOWN_ROWS)
  const hidden = rows.length - shown.length
  const named = shown.filter((row) => texts.has(row))
  return (
    <li>
      <Text>{text}</Text>
      <Text size="sm" c="dimmed">
        {t('importExport.rows', { count: rows.length, rows: shown.join(', ') })}
        {hidden > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
            {t('importExport.moreRows', { count: hidden, shown: format.number(hidden) })}
          </Button>
        )}
      </Text>
      {named.length > 0 && (
        <ul className={classes.texts}>
          {named.map((row) => (
            <li key={row}>
              {row}: {texts.get(row)}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
