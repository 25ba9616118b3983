import type { ColumnField, ColumnMapping, ImportFormat } from './file.ts'

/**
 * The names of columns in the exports of Toggl, Clockify, Kimai, solidtime, Harvest, TimeTagger and Watson, in lower
 * case: English, German, Spanish, French and Portuguese, in which Clockify and Kimai write them. The first column of a
 * field counts.
 */
const names: Record<ColumnField, readonly string[]> = {
  user: [
    ...['user', 'member', 'username', 'user_name', 'employee', 'alias'],
    ...['benutzer', 'benutzername', 'mitarbeiter', 'utilisateur', 'identifiant'],
    ...['usuario', 'nombre de usuario', 'usuário', 'utilizador', 'do utilizador', 'nome do utilizador'],
  ],
  email: ['email', 'e-mail', 'user_email', 'correo electrónico', 'correo', 'courriel', 'adresse e-mail'],
  firstName: ['first name', 'vorname', 'nombre', 'prénom'],
  lastName: ['last name', 'nachname', 'apellido', 'nom de famille'],
  client: ['client', 'customer', 'kunde', 'cliente'],
  project: ['project', 'projekt', 'proyecto', 'projet', 'projeto'],
  task: [
    ...['task', 'activity', 'aufgabe', 'tätigkeit', 'tarea', 'actividad'],
    ...['tâche', 'activité', 'tarefa', 'atividade', 'actividade'],
  ],
  note: [
    ...[
      'description',
      'notes',
      'note',
      'comment',
      'annotation',
      'beschreibung',
      'notiz',
      'notizen',
      'kommentar',
      'bemerkung',
    ],
    ...['descripción', 'comentario', 'commentaire', 'descrição', 'comentário'],
  ],
  tags: [
    ...['tags', 'tag', 'labels', 'schlagworte', 'schlagwörter', 'etiquetas', 'etiqueta'],
    ...['mots-clés', 'mot-clé', 'étiquettes', 'étiquette', 'balises'],
  ],
  date: ['date', 'day', 'datum', 'fecha', 'data', 'jour'],
  start: ['start', 'begin', 'from', 'started at', 'von', 'beginn', 'kommen', 'début', 'inicio', 'início', 'de'],
  startDate: [
    ...['start date', 'startdatum', 'fecha de inicio', 'fecha inicio'],
    ...['date de début', 'date de commencement', 'data de início', 'data inicial'],
  ],
  startTime: [
    ...['start time', 'startzeit', 'hora de inicio', 'hora inicio'],
    ...['heure de début', 'hora de início', 'hora inicial'],
  ],
  end: ['end', 'stop', 'to', 'ended at', 'bis', 'ende', 'gehen', 'fin', 'à', 'final', 'fim', 'para', 'hasta', 'até'],
  endDate: [
    ...['end date', 'stop date', 'enddatum', 'fecha de finalización', 'fecha final', 'fecha de fin', 'fecha fin'],
    ...['date de fin', 'data final', 'data de término', 'data de fim'],
  ],
  endTime: [
    ...['end time', 'stop time', 'endzeit', 'hora de finalización', 'hora final', 'hora de fin', 'hora fin'],
    ...['heure de fin', 'hora de término', 'hora de fim'],
  ],
  duration: [
    ...['duration', 'duration (h)', 'time (h)', 'dauer', 'dauer (h)', 'zeit (h)', 'duración', 'duración (h)'],
    ...['tiempo (h)', 'durée', 'durée (h)', 'temps (h)', 'duração', 'duração (h)', 'tempo (h)'],
  ],
  hours: [
    ...['hours', 'duration (decimal)', 'time (decimal)', 'stunden', 'dauer (dezimal)', 'dauer (dezimalzahl)'],
    ...['zeit (dezimal)', 'horas', 'duración (decimal)', 'tiempo (decimal)', 'heures', 'durée (décimal)'],
    ...['durée (décimale)', 'temps (décimal)', 'duração (decimal)', 'tempo (decimal)'],
  ],
  break: ['break', 'break duration', 'pause', 'pausa', 'descanso', 'intervalo'],
  type: ['type', 'typ', 'art', 'tipo'],
}

/** Returns the columns of a CSV by what they hold, as far as their names are known. */
export function guessColumns(header: readonly string[]): ColumnMapping {
  const byName = new Map(header.toReversed().map((name) => [name.toLowerCase(), name]))
  const found = Object.entries(names).flatMap(([field, known]) => {
    const name = known.find((one) => byName.has(one))
    return name === undefined ? [] : [[field, byName.get(name)] as const]
  })
  return Object.fromEntries(found)
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
  if (has('startDate') && (has('startTime') || has('duration') || has('hours'))) return 'clockify'
  if (has('date', 'start', 'client', 'task')) return 'kimai'
  return undefined
}
