import { useLive, useSaldo } from '@saldo/client/react'
import type { LocalDate, Settings, Timeline, ZoneName } from '@saldo/core'
import { useMemo } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useWhen } from '../../domain/entries/entry-texts.ts'
import { type Found, indexOf } from '../../domain/entries/search.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconPencil } from '../../ui/icons.ts'
import { type CommandGroup, newestWith, searchedWords } from './palette-model.ts'

interface Where {
  zone: ZoneName
  today: LocalDate
  timeline: Timeline<Settings>
}

/** Returns commands that edit the newest entries with all words of the query. */
export function useFoundEntries(
  query: string,
  { zone, timeline, today }: Where,
  onEdit: (record: Found['record'], zone: ZoneName) => void,
): CommandGroup[] {
  const { t } = useTranslation()
  const format = useFormat()
  const when = useWhen()
  const saldo = useSaldo()
  const words = searchedWords(query)
  const isAsked = words !== undefined
  const rows = useLive(useMemo(() => (isAsked ? saldo.entries.all() : undefined), [saldo, isAsked]))
  const index = useMemo(() => rows && indexOf(rows, zone, today), [rows, zone, today])
  const found = useMemo(
    () => (index && words !== undefined ? newestWith(words, index, timeline) : []),
    [index, words, timeline],
  )
  if (found.length === 0) return []
  const nameOf = ({ record: { kind, project, tags, note } }: Found) =>
    [
      kind === 'work' && project !== null ? '' : t(`entries.kind.${kind}`),
      project ?? '',
      ...tags.map((tag) => `#${tag}`),
      note,
    ]
      .filter((part) => part !== '')
      .join(' ')
  const commands = found.map(({ entry, zone: zoneThen }) => ({
    id: `entry-${entry.record.id}`,
    label: nameOf(entry),
    detail: `${format.date(entry.date, 'medium')}, ${when(entry.record, zoneThen).times}`,
    icon: IconPencil,
    run: () => onEdit(entry.record, zoneThen),
  }))
  return [{ label: t('palette.entries'), commands }]
}
