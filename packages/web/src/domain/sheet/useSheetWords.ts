import type { Sheet, SheetWords } from '@saldo/client/export'
import type { LocalDate } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useSizeText } from '../entries/entry-texts.ts'
import { datesOfSheet } from './sheet-text.ts'

/** Returns a function that gives a sheet its words in the language of the app. */
export function useSheetWords(): (sheet: Sheet, version: number) => SheetWords {
  const { t } = useTranslation()
  const format = useFormat()
  const { partText, sizeText } = useSizeText()
  const column = (name: string) => t(`calendar.sheet.column.${name}`)
  /** A sheet that is not stored has no version for others (D25.13). */
  const versionText = (version: number, digest: string) => {
    if (digest !== '') return t('calendar.sheet.version', { version, digest: (digest.match(/.{4}/g) ?? []).join(' ') })
    return version === 0 ? '' : t('calendar.sheet.versionAlone', { version })
  }
  return (sheet, version) => {
    const { range, profile, days, digest } = sheet
    const { isMonth, balanceInDate, lastCounted } = datesOfSheet(sheet)
    const dateText = (date: LocalDate) => format.date(date, 'full')
    const zone = format.list([...new Set(days.map((day) => day.zone))])
    const note = [
      ...(lastCounted < range.to ? [t('calendar.sheet.countedTo', { date: dateText(lastCounted) })] : []),
      t('calendar.sheet.note', { zone }),
    ]
    return {
      title: isMonth
        ? t('calendar.sheet.titleMonth', { month: format.date(range.from, 'month') })
        : t('calendar.sheet.titleRange', { range: format.dateRange(range) }),
      person: [
        { label: t('settings.profile.name'), value: profile.name },
        { label: t('settings.profile.personnel_number'), value: profile.personnel_number },
        { label: t('settings.profile.employer'), value: profile.employer },
      ].filter(({ value }) => value !== ''),
      column: {
        day: column('day'),
        times: column('times'),
        start: column('start'),
        end: column('end'),
        break: column('break'),
        worked: column('worked'),
        credited: column('credited'),
        target: column('target'),
        delta: column('delta'),
        deltaHours: column('deltaHours'),
        remarks: column('remarks'),
      },
      balanceIn: t('calendar.sheet.balanceOn', { date: dateText(balanceInDate) }),
      balanceOut: t('calendar.sheet.balanceOn', { date: dateText(lastCounted) }),
      total: t('calendar.sheet.total'),
      signatures: [t('calendar.sheet.signature.employee'), t('calendar.sheet.signature.employer')],
      note: note.join(' '),
      version: versionText(version, digest),
      remarks: ({ absences, runningSince, state, zone, projects, notes, hints }) => [
        ...absences.map(({ kind, size, note }) => {
          const name = t(`entries.kind.${kind}`)
          const what = note === '' ? name : `${name} (${note})`
          return partText(size) === undefined ? what : `${what}, ${sizeText(size)}`
        }),
        ...(runningSince === null ? [] : [t('calendar.sheet.running', { time: format.time(runningSince, zone) })]),
        ...(state === 'outside' ? [t('calendar.sheet.outside')] : []),
        ...projects,
        ...notes,
        ...hints.map(({ code, amountMs }) => t(`calendar.sheet.hint.${code}`, { time: format.duration(amountMs) })),
      ],
      adjustment: ({ kind, reason }) => [t(`account.kind.${kind}`), reason].filter((text) => text !== '').join(': '),
    }
  }
}
