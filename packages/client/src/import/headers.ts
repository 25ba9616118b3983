import { isDate, weekdayIndex } from '@saldo/core'
import type { DurationUnit } from '../reading/durations.ts'
import { fold, MONTHS, WEEKDAYS } from '../reading/words.ts'
import { absentIn } from './absent.ts'
import { type CsvTable, TITLE_LINES } from './csv.ts'
import type { ColumnField, ColumnMapping, ImportFormat } from './file.ts'
import { isEmptyCell } from './lengths.ts'
import { readDateCell, timeRangesIn } from './values.ts'

/**
 * The names of columns in the exports of Toggl, Clockify, Kimai, solidtime, Harvest, TimeTagger and Watson, in lower
 * case: English, German, Spanish, French and Portuguese, in which Clockify and Kimai write them. The first column of a
 * field counts.
 */
const names: Record<ColumnField, readonly string[]> = {
  user: [
    ...['user', 'member', 'username', 'user_name', 'employee', 'alias'],
    ...['benutzer', 'benutzername', 'mitarbeiter', 'full name', 'medewerker', 'dipendente', 'utilisateur'],
    ...['identifiant'],
    ...['usuario', 'nombre de usuario', 'usuário', 'utilizador', 'do utilizador', 'nome do utilizador'],
  ],
  email: ['email', 'e-mail', 'user_email', 'correo electrónico', 'correo', 'courriel', 'adresse e-mail'],
  firstName: ['first name', 'vorname', 'nombre', 'prénom'],
  lastName: ['last name', 'nachname', 'apellido', 'nom de famille'],
  client: ['client', 'customer', 'kunde', 'cliente', 'klant'],
  project: ['project', 'projekt', 'proyecto', 'projet', 'projeto', 'progetto'],
  task: [
    ...['task', 'activity', 'aufgabe', 'tätigkeit', 'tarea', 'actividad'],
    ...['tâche', 'activité', 'tarefa', 'atividade', 'actividade', 'leistung', 'taak', 'activiteit', 'attività'],
  ],
  note: [
    ...['subject', 'betreff', 'description', 'notes', 'note', 'comment', 'annotation', 'beschreibung', 'notiz'],
    ...['notizen', 'kommentar', 'bemerkung', 'bemerkungen', 'anmerkung', 'anmerkungen', 'work description'],
    ...['descripción', 'comentario', 'commentaire', 'descrição', 'comentário', 'notas', 'omschrijving', 'opmerking'],
    ...['descrizione', 'title', 'titel', 'details', 'remark', 'remarks'],
  ],
  tags: [
    ...['tags', 'tag', 'labels', 'schlagworte', 'schlagwörter', 'etiquetas', 'etiqueta'],
    ...['mots-clés', 'mot-clé', 'étiquettes', 'étiquette', 'balises'],
  ],
  date: ['date', 'day', 'datum', 'fecha', 'data', 'jour', 'work date', 'dag', 'giorno', 'día', 'dia', 'arbeitstag'],
  start: [
    ...['start', 'begin', 'from', 'started at', 'von', 'beginn', 'kommen', 'début', 'inicio', 'início', 'de'],
    ...['kommt', 'arbeitsbeginn', 'arrival', 'clock in', 'time in', 'in', 'entrada', 'arrivée'],
    ...['started', 'anfang', 'arbeitsanfang', 'begintijd', 'inizio', 'entrata', 'hora de entrada', 'hora entrada'],
    ...['heure d’arrivée', "heure d'arrivée", 'ora inizio', 'van', 'dalle', 'kommt um', 'einstempeln'],
    ...['anfangszeit', 'uhrzeit von', 'zeit von', 'arbeitszeit von'],
  ],
  startDate: [
    ...['start date', 'startdatum', 'beginnt am', 'fecha de inicio', 'fecha inicio'],
    ...['date de début', 'date de commencement', 'data de início', 'data inicial'],
  ],
  startTime: [
    ...['start time', 'startzeit', 'beginnt um', 'hora de inicio', 'hora inicio'],
    ...['heure de début', 'hora de início', 'hora inicial'],
  ],
  end: [
    ...['end', 'stop', 'to', 'ended at', 'bis', 'ende', 'gehen', 'fin', 'à', 'final', 'fim', 'para', 'hasta', 'até'],
    ...['geht', 'arbeitsende', 'departure', 'clock out', 'time out', 'out', 'salida', 'saída', 'départ'],
    ...['ended', 'finish', 'eindtijd', 'einde', 'fine', 'uscita', 'hora de salida', 'hora salida', 'ora fine'],
    ...['heure de départ', 'tot', 'alle', 'geht um', 'ausstempeln', 'uhrzeit bis', 'zeit bis', 'arbeitszeit bis'],
  ],
  endDate: [
    ...['end date', 'stop date', 'enddatum', 'endet am', 'fecha de finalización', 'fecha final', 'fecha de fin'],
    ...['fecha fin'],
    ...['date de fin', 'data final', 'data de término', 'data de fim'],
  ],
  endTime: [
    ...['end time', 'stop time', 'endzeit', 'endet um', 'hora de finalización', 'hora final', 'hora de fin'],
    ...['hora fin'],
    ...['heure de fin', 'hora de término', 'hora de fim'],
  ],
  duration: [
    ...['duration', 'duration (h)', 'time (h)', 'dauer', 'dauer (h)', 'zeit (h)', 'duración', 'duración (h)'],
    ...['tiempo (h)', 'durée', 'durée (h)', 'temps (h)', 'duração', 'duração (h)', 'tempo (h)'],
    ...['duur', 'durata', 'arbeitszeit', 'ist', 'ist-zeit', 'istzeit', 'worked', 'total', 'gesamt'],
  ],
  minutes: ['minutes', 'minuten', 'min', 'mins', 'minutos'],
  hours: [
    ...['hours worked', 'worked hours', 'time spent', 'time worked', 'arbeitsstunden', 'std', 'std.', 'iststunden'],
    ...['ist-stunden', 'geleistete stunden', 'netto', 'nettozeit', 'netto-arbeitszeit', 'industriestunden'],
    ...['uren', 'ore'],
    ...['hours', 'duration (decimal)', 'time (decimal)', 'stunden', 'dauer (dezimal)', 'dauer (dezimalzahl)'],
    ...['zeit (dezimal)', 'horas', 'duración (decimal)', 'tiempo (decimal)', 'heures', 'durée (décimal)'],
    ...['durée (décimale)', 'temps (décimal)', 'duração (decimal)', 'tempo (decimal)'],
  ],
  break: [
    ...['break', 'breaks', 'break duration', 'break time', 'break length', 'lunch', 'lunch break', 'unpaid break'],
    ...['paused', 'pauze', 'pause', 'pausen', 'pausenzeit', 'pausendauer', 'mittagspause', 'mittag', 'pausa'],
    ...['pausas', 'descanso'],
    ...['descansos', 'intervalo', 'intervalos', 'pauses', 'durée de pause'],
  ],
  breakStart: [
    ...['break start', 'break from', 'break out', 'lunch out', 'lunch start', 'lunch from', 'start of break'],
    ...['pause from', 'meal start', 'meal out', 'pause anfang'],
    ...['pause von', 'pausenbeginn', 'pausenanfang', 'pause beginn', 'pause start', 'beginn pause', 'pausenstart'],
    ...['mittag von', 'mittagspause von', 'mittagspause beginn', 'début pause', 'début de pause', 'inicio pausa'],
    ...['inicio descanso', 'inicio de descanso', 'início intervalo', 'início do intervalo'],
  ],
  breakEnd: [
    ...['break end', 'break to', 'break in', 'lunch in', 'lunch end', 'lunch to', 'end of break', 'break until'],
    ...['meal end', 'meal in'],
    ...['pause bis', 'pausenende', 'pause ende', 'ende pause', 'mittag bis', 'mittagspause bis', 'mittagspause ende'],
    ...['fin pause', 'fin de pause', 'fin pausa', 'fin descanso', 'fin de descanso'],
    ...['fim intervalo', 'fim do intervalo'],
  ],
  type: ['type', 'typ', 'art', 'tipo', 'soort'],
  timeZone: ['timezone', 'time zone', 'time_zone', 'zeitzone', 'tz'],
  allDay: [
    ...['all day event', 'all day', 'all-day', 'all-day event', 'allday', 'ganztägig', 'ganztägiges ereignis'],
    ...['ganztagesereignis', 'ganzer tag', 'journée entière', 'todo el día', 'dia inteiro', 'o dia inteiro'],
  ],
}

const unitNames: readonly [RegExp, DurationUnit][] = [
  [/^(?:m|mins?|minutes?|minuten?|minutos?)\.?$/i, 'minutes'],
  [/^(?:h|hrs?|hours?|std|stunden?|decimal|dezimal|dezimalzahl|décimale?|industrie)\.?$/i, 'hours'],
  [/^(?:s|secs?|seconds?|sek|sekunden?)\.?$/i, 'seconds'],
]

/** A longer name is text. */
const LONGEST_NAME = 80

/** Returns the name of a column without the unit that it states in brackets or as its last word, and the unit. */
export function splitUnit(name: string): { base: string; unit: DurationUnit | undefined } {
  const words = name.length > LONGEST_NAME ? [] : name.split(/[\s()[\],/_-]/).filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  const unit = words.length < 2 ? undefined : unitNames.find(([pattern]) => pattern.test(last))?.[1]
  if (unit === undefined) return { base: name, unit }
  const base = withoutSigns(name.slice(0, name.lastIndexOf(last)))
  return { base: words.at(-2)?.toLowerCase() === 'in' ? withoutSigns(base.slice(0, -'in'.length)) : base, unit }
}

/** Returns the name of a column without the number by which it differs from others of its kind: `Start 2`. */
export function withoutNumber(name: string): string {
  const found = name.length > LONGEST_NAME ? null : /\d{1,2}\)?\.?$/.exec(name)
  return found ? withoutSigns(name.slice(0, found.index)) : name
}

/** Returns a name without the signs at its end that lead to a unit or number. */
function withoutSigns(name: string): string {
  let end = name.length
  while (end > 0 && ' \t_#.-([,/'.includes(name.charAt(end - 1))) end -= 1
  return name.slice(0, end)
}

const knownByField = Object.entries(names).map(([field, known]) => [field, known, new Set(known)] as const)

/** Returns the columns of a CSV by what they hold, as far as their names are known. */
export function guessColumns(header: readonly string[]): ColumnMapping {
  const exact = new Map<string, string>()
  const short = header.filter((name) => name.length <= LONGEST_NAME)
  const forms = short.map((name) => {
    const lower = name.toLowerCase()
    if (!exact.has(lower)) exact.set(lower, name)
    return { name, forms: [lower, splitUnit(lower).base, withoutNumber(lower)] }
  })
  const found = knownByField.flatMap(([field, known, set]) => {
    const first = known.find((one) => exact.has(one))
    const name =
      first === undefined ? forms.find((each) => each.forms.some((form) => set.has(form)))?.name : exact.get(first)
    return name === undefined ? [] : [[field, name] as const]
  })
  return Object.fromEntries(found)
}

/** The rows whose cells say what a column holds. */
const TRIED_ROWS = 20

/**
 * Returns a table without the lines above its header, such as the title and period of a report: those before the line
 * that names the most columns of days, times and lengths, of at least two.
 */
export function belowTitle(table: CsvTable): CsvTable {
  const lines = [table.header, ...table.rows.slice(0, TITLE_LINES).map(({ cells }) => cells)]
  const counts = lines.map((cells) => countTimes(guessColumns(cells.map((cell) => cell.trim()))))
  const most = Math.max(...counts)
  const at = most > 1 ? counts.indexOf(most) : 0
  const header = lines[at]?.map((name) => name.trim())
  if (!header) return table
  const above = lines[at - 1]
  const below = namesBelow(header, lines[at + 1])
  const names = withGroups(below ?? namesBelow(above ?? [], header) ?? header, below ? header : above)
  const first = at + (below ? 1 : 0)
  const named = first > 0 || names !== header ? { header: names, rows: table.rows.slice(first) } : table
  return withDates(named, monthOf(lines.slice(0, at)))
}

/** A longer cell of a title is a text, of which the beginning is read. */
const LONGEST_TITLE = 200

/** Returns the month that a title names with its year, as `2026-11`; `undefined` if it names none, or several. */
function monthOf(title: readonly (readonly string[])[]): string | undefined {
  const text = title
    .flat()
    .map((cell) => cell.slice(0, LONGEST_TITLE))
    .join(' ')
  const words = (text.match(/\p{L}{3,}/gu) ?? []).map((word) => MONTHS.get(fold(word)))
  const numbers = text.matchAll(/(?<![\d./-])(0?[1-9]|1[0-2])[./-](?=20\d\d(?!\d))/g)
  const numbered = Array.from(numbers, ([, month]) => Number(month))
  const months = new Set([...words.filter((month) => month !== undefined), ...numbered])
  const years = new Set(text.match(/(?<![\d])20\d\d(?!\d)/g))
  const [[month], [year]] = [[...months], [...years]]
  return months.size === 1 && years.size === 1 ? `${year}-${String(month).padStart(2, '0')}` : undefined
}

const DAY_NUMBER = /^(?:(\p{L}{2,10})[.,]{0,2}\s?)?(\d\d?)\.?$/u

/** Returns a table with dates where its column of days has the numbers of the days of a month. */
function withDates(table: CsvTable, month: string | undefined): CsvTable {
  if (month === undefined) return table
  const isOfDays = (name: string, place: number) => {
    const cells = ['tag', 'day', 'datum', 'date'].includes(name.toLowerCase()) ? cellsOf(table, place) : []
    // The last one can be the word before a sum.
    return cells.length > 1 && cells.slice(0, -1).every((cell) => DAY_NUMBER.test(cell))
  }
  const place = table.header.findIndex(isOfDays)
  const dateOf = (cell: string) => {
    const [, name = '', day = ''] = DAY_NUMBER.exec(cell.trim()) ?? []
    const date = `${month}-${day.padStart(2, '0')}`
    const weekday = WEEKDAYS.get(fold(name))
    return isDate(date) && (weekday ?? weekdayIndex(date)) === weekdayIndex(date) ? date : cell
  }
  const rows = table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, at) => (at === place ? dateOf(cell) : cell)),
  }))
  return place === -1 ? table : { ...table, rows }
}

/**
 * Returns the names of a header of two lines: those of the second one, where it has some, and a unit in brackets behind
 * the name above it. `undefined` if the second one has other than units, and both do not name more columns of
 * times than each of them.
 */
function namesBelow(header: readonly string[], second: readonly string[] | undefined): string[] | undefined {
  const [upper, lower] = [header, second ?? []].map((cells) => cells.map((cell) => cell.trim()))
  if (!upper || !lower || [...upper, ...lower].some((cell) => /\d/.test(cell))) return undefined
  const places = Math.max(upper.length, lower.length)
  const names = Array.from({ length: places }, (_, place) => {
    const [name = '', cell = ''] = [upper[place], lower[place]]
    return cell.startsWith('(') ? `${name} ${cell}`.trim() : cell || name
  })
  const count = (cells: readonly string[]) => countTimes(guessColumns(cells))
  const areUnits = lower.every((cell) => cell === '' || cell.startsWith('('))
  const isMore = count(names) > Math.max(count(upper), count(lower))
  return isMore || (areUnits && names.some((name, place) => name !== upper[place])) ? names : undefined
}

/** Returns names with the title above them where that makes them the times of a break: `Beginn` below `Pause`. */
function withGroups(header: string[], groups: readonly string[] | undefined): string[] {
  let group = ''
  const counts = { breakStart: 0, breakEnd: 0 }
  const names = header.map((name, place) => {
    group = groups?.[place]?.trim() || group
    const both = `${group} ${name}`
    const { breakStart, breakEnd } = guessColumns([both])
    if (name === '' || group === '' || (breakStart ?? breakEnd) === undefined) return name
    counts[breakStart === undefined ? 'breakEnd' : 'breakStart'] += 1
    return both
  })
  // A title that is not above its columns is that of none.
  return counts.breakStart > 0 && counts.breakStart === counts.breakEnd ? names : header
}

function countTimes({ date, startDate, start, startTime, end, endTime, duration, hours }: ColumnMapping): number {
  const named = [date ?? startDate, start ?? startTime, end ?? endTime, duration ?? hours]
  return named.filter((name) => name !== undefined).length
}

/**
 * Returns the columns of a table by their names, and by their cells: a column `Tag`, which is German for day, and one
 * whose cells are ranges such as `9:00-12:00`, whatever its name.
 */
export function columnsOfTable(table: CsvTable): ColumnMapping {
  const { tags, ...others } = withRanges(table, guessColumns(table.header))
  if (tags === undefined) return others
  const cells = cellsOf(table, table.header.indexOf(tags)).filter((cell) => absentIn([], cell) === undefined)
  // The last one can be the word before a sum.
  const areAll = (isOne: (cell: string) => boolean) => isOne(cells[0] ?? '') && cells.slice(0, -1).every(isOne)
  const isNameOfDay = (cell: string) => /^\d\d?\.?$/.test(cell) || WEEKDAYS.has(fold(cell).replace(/\.$/, ''))
  if (areAll(isNameOfDay)) return others
  const isFree = others.date === undefined && others.startDate === undefined
  return isFree && areAll((cell) => readDateCell(cell, 'dmy') !== undefined)
    ? { ...others, date: tags }
    : { ...others, tags }
}

function cellsOf({ rows }: CsvTable, place: number): string[] {
  return rows.slice(0, TRIED_ROWS).flatMap(({ cells }) => cells[place]?.trim() || [])
}

function withRanges(table: CsvTable, columns: ColumnMapping): ColumnMapping {
  const { start, startTime, end, endTime } = columns
  if (end !== undefined || endTime !== undefined || (start ?? startTime) !== undefined) return columns
  const isOfRanges = (name: string, at: number) => {
    const cells = columns.break === name ? [] : cellsOf(table, at)
    return cells.some((cell) => timeRangesIn(cell).length > 0) && cells.filter(isOther).length === 0
  }
  const isOther = (cell: string) => !isEmptyCell(cell) && timeRangesIn(cell).length === 0 && /\d/.test(cell)
  const ranges = table.header.find(isOfRanges)
  if (ranges === undefined) return columns
  const others = Object.entries(columns).filter(([, name]) => name !== ranges)
  return { ...Object.fromEntries(others), start: ranges }
}

/** Fields that mean the same to a reader, the one that people are asked for first. */
const synonyms: readonly (readonly [ColumnField, ...ColumnField[]])[] = [
  ['date', 'startDate'],
  ['start', 'startTime'],
  ['end', 'endTime'],
  ['duration', 'hours'],
  ['user', 'email'],
]

/** Returns a mapping that names each meaning once, by the fields that people are asked for. */
export function oneColumnEach(columns: ColumnMapping): ColumnMapping {
  const one = { ...columns }
  for (const [asked, ...others] of synonyms) {
    for (const other of others) {
      if (one[other] !== undefined) one[asked] ??= one[other]
      delete one[other]
    }
  }
  return one
}

/** Returns the tool that writes such a header; `undefined` for any other CSV. */
export function guessCsvFormat(header: readonly string[]): ImportFormat | undefined {
  const columns = guessColumns(header)
  const has = (...fields: ColumnField[]) => fields.every((field) => columns[field] !== undefined)
  const hasNamed = (...wanted: string[]) => wanted.every((name) => header.includes(name))
  if (hasNamed('subtotals', 'tag_groups')) return 'timetagger'
  if (hasNamed('start', 'stop', 'project', 'tags', 'id')) return 'watson'
  if (hasNamed('billable', 'client', 'project', 'task', 'start', 'end')) return 'solidtime'
  if (has('date', 'hours', 'project', 'task', 'firstName', 'lastName')) return 'harvest'
  // Toggl writes only the first word with a capital, Clockify both, in English.
  if (hasNamed('Start date') && header.some((name) => /^(Duration|End time|Stop time)$/.test(name))) return 'toggl'
  // Outlook's calendar has no client, project or duration.
  if (columns.allDay !== undefined) return undefined
  if (has('startDate') && (has('startTime') || has('duration') || has('hours'))) return 'clockify'
  if (has('date', 'start', 'client', 'task')) return 'kimai'
  return undefined
}
