import { EASTER_DAYS, FIXED_DAYS, fold } from '../reading/words.ts'
import type { SkipReason } from './file.ts'
import { remembered } from './remembered.ts'

const words = (lists: readonly string[]) => new Set(lists.flatMap((list) => list.split(', ')).map(fold))

/** Words for time off, with which a text of a table begins, in six languages. */
const TIME_OFF = words([
  'holiday, holidays, public holiday, bank holiday, time off, time_off, time-off, vacation, annual leave, pto, leave',
  'sick, sickness, sick leave, sick day, absence, absent, day off, out of office, parental leave, unpaid leave',
  'feiertag, urlaub, urlaubstag, sonderurlaub, resturlaub, erholungsurlaub, bildungsurlaub, betriebsurlaub, ferien',
  'abwesenheit, abwesend, freizeit, krank, krankheit, krankmeldung, krankgeschrieben, arbeitsunfähig, au, elternzeit',
  'mutterschutz, freistellung, zeitausgleich, za, freizeitausgleich, überstundenabbau, gleittag, gleitzeittag',
  'unbezahlter urlaub, kind krank, enfermedad, maladie, doença, festivo, tiempo libre, vacaciones, jour férié, congé',
  'congés, feriado, folga, férias, ferie, malattia, permesso, vakantie, ziek, verlof, feestdag',
])
const TOTALS = words([
  'total, totals, subtotal, grand total, sum, gesamt, gesamtsumme, summe, summen, tagessumme, wochensumme, monatssumme',
  'zwischensumme, übertrag, suma, somme, sous-total, totale, totaal, subtotaal',
])

/** A row that is no work: time off, or the sum of others. */
export interface Absent {
  reason: Extract<SkipReason, 'time_off' | 'subtotal'>
  /** True if the row says nothing else, whatever its times; a note such as "Urlaub geplant" can be about work. */
  isAlone: boolean
}

/** True for a letter with which timesheets say in a row without times that somebody was away. */
export const isLetterForTimeOff = (text: string) => /^(?:U|K|UR|KR|FT)$/.test(text.trim())

/** True for a word for time off. */
export const isTimeOff = (text: string) => TIME_OFF.has(fold(text))

/** True for a word for a sum. */
export const isTotal = (text: string) => TOTALS.has(fold(text))

/** A longer text is about more. */
const LONGEST_NAME = 40

/** Returns why a cell says that its row is no work. */
const absentOf = remembered((cell): Absent | undefined => {
  if (cell.length > LONGEST_NAME || !/\p{L}{2}/u.test(cell)) return undefined
  const text = fold(cell.trim()).replace(/:$/, '')
  if (TIME_OFF.has(text)) return { reason: 'time_off', isAlone: true }
  if (TOTALS.has(text)) return { reason: 'subtotal', isAlone: false }
  const isDayOff = FIXED_DAYS.has(text.replace('.', ' .')) || EASTER_DAYS.has(text)
  const names = isDayOff || (text.match(/[\p{L}-]+/gu) ?? []).some((word) => word.length > 2 && TIME_OFF.has(word))
  return names ? { reason: 'time_off', isAlone: false } : undefined
})

/** Returns why a row is no work, by its texts and by what it has for a date. */
export function absentIn(texts: readonly string[], date: string): Absent | undefined {
  const [first = ''] = /^[\p{L}-]*/u.exec(date) ?? []
  if (first !== '' && TOTALS.has(fold(first))) return { reason: 'subtotal', isAlone: true }
  const found = texts.map(absentOf)
  return found.find((absent) => absent?.isAlone) ?? found.find((absent) => absent !== undefined)
}
