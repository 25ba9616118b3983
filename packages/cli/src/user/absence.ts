import { absenceChanges, absenceProblemOf, planAbsence, readAbsenceKind } from '@saldo/client/entries'
import { type AbsenceContent, absenceKinds, isAbsence, sizeOfAmount, sizeOfShare, WHOLE_DAY } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { datesArgument, durationArgument } from './arguments.ts'
import { record, store, type UserOptions } from './session.ts'
import { counted, hours } from './text.ts'

/** Records an absence on the days of a range on which work is planned. */
export function absence(
  name: string,
  words: readonly string[],
  options: UserOptions & { half?: true; hours?: string; note?: string },
): Promise<void> {
  return record(options, async (session) => {
    const kind = kindArgument(name)
    const range = datesArgument(words.join(' '), 'the dates', { today: session.today, isAhead: true })
    const { note = '' } = options
    const form = { kind, ...range, size: sizeOf(options), isSkippingFree: range.from !== range.to, note }
    const problem = absenceProblemOf(form)
    if (problem === 'tooLong') throw new CommandError('an absence has 400 days at most', 2)
    const rows = await session.saldo.entries.between(range).read()
    const absences = rows.map((row) => row.record).filter(isAbsence)
    const plan = planAbsence(form, session.timeline, absences)
    const changes = absenceChanges(form, undefined, plan)
    if (changes.length === 0) throw new CommandError('no work is planned on these days, or they are already off')
    await store(session, changes)
    const { amount_ms } = form.size
    const part = amount_ms === null ? 'half a day' : hours(amount_ms)
    const size = form.size === WHOLE_DAY ? '' : `, ${part}${plan.days.length > 1 ? ' each' : ''}`
    return {
      lines: [
        `added ${kind.replaceAll('_', ' ')} on ${counted(plan.days.length, 'day')}${size}: ` +
          plan.days.map(({ date }) => date).join(' '),
        ...(plan.free.length > 0 ? [`without planned work, left out: ${plan.free.join(' ')}`] : []),
        ...(plan.full.length > 0 ? [`already off, left out: ${plan.full.join(' ')}`] : []),
      ],
      json: { kind, days: plan.days, free: plan.free, full: plan.full },
    }
  })
}

function kindArgument(name: string): AbsenceContent['kind'] {
  const kind = readAbsenceKind(name)
  if (!kind) throw new CommandError(`the kind must be one of ${absenceKinds.join(', ')}, or a word for it`, 2)
  return kind
}

function sizeOf(options: { half?: true; hours?: string }) {
  if (options.half && options.hours !== undefined) throw new CommandError('give either --half or --hours', 2)
  if (options.half) return sizeOfShare(0.5)
  if (options.hours === undefined) return WHOLE_DAY
  return sizeOfAmount(durationArgument(options.hours, '--hours'))
}
