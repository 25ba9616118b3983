import { addDays, type IsoWeek, mondayOf, weekOf } from '@saldo/core'

/** Returns the address of the week that is some weeks after another one, or before it. */
export function pathOfWeek(week: IsoWeek, weeks: number, thisWeek: IsoWeek): string {
  const other = weekOf(addDays(mondayOf(week), weeks * 7))
  return other === thisWeek ? '/week' : `/week/${other}`
}
