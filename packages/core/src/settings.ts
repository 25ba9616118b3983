import * as v from 'valibot'
import { isMonthDay } from './date.ts'
import { MAX_VACATION_DAYS, vacationDays, writableRecord } from './record-fields.ts'
import {
  CountryText,
  DateText,
  MonthDayText,
  milliseconds,
  PlaceCode,
  TimeText,
  textUpTo,
  wholeNumber,
  Zone,
} from './validation.ts'
import { DAY_MS } from './values.ts'

/** The earliest date at which an account may begin. It bounds the work that one settings row can cause. */
export const FIRST_EFFECTIVE_DATE = '1900-01-01'

/** The most weeks of a rotating schedule (D2.17). */
export const MAX_ROTATION_WEEKS = 8

const MAX_AUTO_CLOSE_DAYS = 366

/** The largest limit of a balance, in milliseconds (D2.37). */
export const MAX_LIMIT_MS = 366 * DAY_MS
/** The most ends of periods in a year (D2.37). */
export const MAX_PERIOD_ENDS = 12

const rule = v.looseObject({
  worked_above_ms: milliseconds(0, 2 * DAY_MS),
  required_ms: milliseconds(0, DAY_MS),
})

/** The countries whose working-time law can have hints (D14.3). */
export const hintCountries = ['de', 'at', 'ch'] as const

/** A span of local time within a day. */
const TimeSpan = v.pipe(
  v.looseObject({ from: TimeText, to: TimeText }),
  v.forward(
    v.check(({ from, to }) => from < to, 'must be later than from'),
    ['to'],
  ),
)

const MAX_PARTIAL_DAYS = 50
const partialMessage = `must be at most ${MAX_PARTIAL_DAYS} days of the year such as 12-24`
const shareOfHoliday = 'must be a number from 0 to 1'

/** The public holidays of a place, and days that are free in part or not at all, by month and day (D16.1). */
const HolidayRule = v.looseObject({
  country: CountryText,
  state: v.optional(v.nullable(PlaceCode), null),
  region: v.optional(v.nullable(PlaceCode), null),
  partial: v.optional(
    v.pipe(
      v.record(
        v.string(),
        v.pipe(v.number(shareOfHoliday), v.minValue(0, shareOfHoliday), v.maxValue(1, shareOfHoliday)),
      ),
      v.check(
        (partial) => Object.keys(partial).length <= MAX_PARTIAL_DAYS && Object.keys(partial).every(isMonthDay),
        partialMessage,
      ),
    ),
    {},
  ),
})

const periodEndsMessage = `must be at most ${MAX_PERIOD_ENDS} days of the year such as 12-31`

/** The limits of the balance, and what may be kept of it at the end of a period (D2.37). */
const Limits = v.pipe(
  v.looseObject({
    green_ms: milliseconds(0, MAX_LIMIT_MS),
    yellow_ms: milliseconds(0, MAX_LIMIT_MS),
    period_ends: v.optional(
      v.pipe(
        v.array(MonthDayText, periodEndsMessage),
        v.maxLength(MAX_PERIOD_ENDS, periodEndsMessage),
        v.transform((days) => [...new Set(days)].sort()),
      ),
      [],
    ),
    keep_at_most_ms: v.optional(v.nullable(milliseconds(0, MAX_LIMIT_MS)), null),
  }),
  v.forward(
    v.check(({ green_ms, yellow_ms }) => green_ms <= yellow_ms, 'must not be less than green_ms'),
    ['yellow_ms'],
  ),
)

const MAX_TARGETS = 7 * MAX_ROTATION_WEEKS
const targetMessage = `must be seven durations a week, Monday first, for 1 to ${MAX_ROTATION_WEEKS} weeks`

const settings = {
  effective_from: v.pipe(DateText, v.minValue(FIRST_EFFECTIVE_DATE, `must not be before ${FIRST_EFFECTIVE_DATE}`)),
  time_zone: Zone,
  target_ms: v.pipe(
    v.array(milliseconds(0, DAY_MS), targetMessage),
    // Each fault is named once.
    v.check(({ length }) => length > MAX_TARGETS || (length > 0 && length % 7 === 0), targetMessage),
    v.metadata({ minItems: 7 }),
    v.maxLength(MAX_TARGETS, targetMessage),
  ),
  break_policy: v.optional(
    v.nullable(
      v.looseObject({
        rules: v.pipe(v.array(rule, 'must be a list of rules'), v.maxLength(20, 'must be at most 20 rules')),
        min_piece_ms: v.optional(milliseconds(0, DAY_MS), 0),
      }),
    ),
    null,
  ),
  auto_close: v.optional(
    v.nullable(
      v.looseObject({
        day_after_ms: milliseconds(0, MAX_AUTO_CLOSE_DAYS * DAY_MS),
        week_after_days: wholeNumber(0, MAX_AUTO_CLOSE_DAYS),
      }),
    ),
    null,
  ),
  week_starts_on: v.optional(wholeNumber(1, 7), 1),
  hints: v.optional(v.nullable(v.picklist(hintCountries, `must be one of ${hintCountries.join(', ')}`)), null),
  core_time: v.optional(v.nullable(TimeSpan), null),
  frame: v.optional(v.nullable(TimeSpan), null),
  holidays: v.optional(v.nullable(HolidayRule), null),
  vacation: v.optional(
    v.nullable(
      v.looseObject({
        days_per_year: vacationDays(0, MAX_VACATION_DAYS),
        carry_over_until: v.optional(v.nullable(MonthDayText), null),
      }),
    ),
    null,
  ),
  limits: v.optional(v.nullable(Limits), null),
  note: v.optional(textUpTo(5_000), ''),
}

/** The content of a settings row (D2.14 to D2.20). Unknown fields stay. */
export const SettingsContent = v.looseObject(settings)

const { effective_from: _from, note: _note, ...rules } = settings

/** Rules with which an account can start; what is left out is open. */
export const StartingSettings = v.partial(v.object(rules))

/** A settings row: the rules of the account from its `effective_from` on (D2.14 to D2.20). */
export const Settings = v.looseObject({ ...writableRecord, ...settings })

export type SettingsContent = v.InferOutput<typeof SettingsContent>
export type Settings = v.InferOutput<typeof Settings>
