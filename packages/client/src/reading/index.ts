/** Reads what people and tools write: numbers, durations, dates and times of day, in English and German. @module */
export {
  type DateField,
  type DateOutlook,
  readDate,
  readDates,
  readFullDate,
} from './dates.ts'
export {
  type BareNumber,
  readDuration,
} from './durations.ts'
export { readMoment } from './moments.ts'
export { readNumber, readPercent } from './numbers.ts'
export { allValues, certainValue, mapReading, type Reading } from './reading.ts'
export { certainTime, readTime, readTimeRange, type TimeField } from './times.ts'
export type { DateOrder } from './written-days.ts'
