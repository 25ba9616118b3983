const timedFigures = ['kind', 'started_at', 'ended_at', 'time_zone']
const absenceFigures = ['kind', 'date', 'day_share', 'amount_ms', 'time_zone']
const requestFigures = ['asks', 'absence', 'last_date', 'planned', 'substitute']

/**
 * Returns the fields of an entry that have times and figures, by its kind: a field of another kind can have anything,
 * as each one that the service does not know.
 */
export function figureFieldsOf({ kind }: { kind?: unknown }): readonly string[] {
  switch (kind) {
    case 'work':
      return [...timedFigures, 'counts']
    case 'break':
      return timedFigures
    case 'vacation_grant':
      return ['kind', 'date', 'days', 'time_zone']
    case 'request':
      return [...absenceFigures, ...requestFigures]
    default:
      return absenceFigures
  }
}
