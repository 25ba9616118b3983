import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { ReadBudget } from '../budget.ts'
import { newRow } from '../file.ts'
import { readSolidtimeZip } from './solidtime.ts'
import { isTimewarriorData, isTimewarriorJson, readTimewarriorData, readTimewarriorJson } from './timewarrior.ts'
import { isWatson, readWatson } from './watson.ts'

const atHour = (hour: number) => ({ at: Date.UTC(2026, 0, 5, hour) })

test('[D11.1] Watson: a logged frame has its times, project, tags and id', () => {
  const logged = {
    project: 'a',
    start: '2026-01-05T08:00:00Z',
    stop: '2026-01-05T09:00:00Z',
    tags: ['b', 'c'],
    id: 'x',
  }
  expect(readWatson([logged, { ...logged, id: 7, project: undefined }], new ReadBudget())).toEqual([
    { ...newRow(1), start: atHour(8), end: atHour(9), project: 'a', tags: ['b', 'c'], ref: 'x' },
    { ...newRow(2), start: atHour(8), end: atHour(9), project: '', tags: ['b', 'c'] },
  ])
  expect(isWatson([logged])).toBe(true)
  for (const name of ['project', 'start', 'stop']) {
    const { [name]: _, ...rest } = logged as Record<string, unknown>
    expect(isWatson([rest]), name).toBe(false)
  }
  expect(isWatson({ 0: logged })).toBe(false)
})

test('[D11.1] Watson: a frame has seconds, a project and an id in this order', () => {
  const frame = [1_767_600_000, 1_767_603_600, 'a', 'x', ['b']]
  expect(readWatson([frame], new ReadBudget())).toEqual([
    { ...newRow(1), start: atHour(8), end: atHour(9), project: 'a', tags: ['b'], ref: 'x' },
  ])
  expect(isWatson([frame])).toBe(true)
  for (const index of [0, 1, 2, 3]) expect(isWatson([frame.with(index, null as never)]), `${index}`).toBe(false)
})

test('[D11.1] Timewarrior: a line has tags, of which some are quoted, and an annotation', () => {
  const time = 'inc 20260105T080000Z - 20260105T090000Z'
  const read = (line: string) => readTimewarriorData(line, new ReadBudget())[0]
  const row = { ...newRow(1), start: atHour(8), end: atHour(9) }
  expect(read(time)).toEqual(row)
  expect(read(`${time} # a "b c" d`)).toEqual({ ...row, tags: ['a', 'b c', 'd'] })
  expect(read(`${time} # "say \\"x\\"" # "my \\"note\\""`)).toEqual({ ...row, tags: ['say "x"'], note: 'my "note"' })
  expect(read(`${time} # # note # more`)).toEqual({ ...row, note: 'note # more' })
  expect(read(`${time} # a # "b" and c`)).toEqual({ ...row, tags: ['a'], note: '"b" and c' })
  expect(read('inc 20260105T080000Z')).toEqual({ ...newRow(1), start: atHour(8) })
  expect(read(`${time} and more`)).toEqual({ ...newRow(1), skip: 'invalid_record' })
  expect(read('inc 20269905T080000Z')).toMatchObject({ skip: 'invalid_time' })
  expect(readTimewarriorData(`\n${time}\n\n${time}\n`, new ReadBudget()).map(({ row }) => row)).toEqual([2, 4])
  expect([isTimewarriorData(`\n${time}`), isTimewarriorData(` x${time}`)]).toEqual([true, false])
})

test('[D11.1] Timewarrior: an exported interval has a start, and maybe an end, tags and an annotation', () => {
  const start = '20260105T080000Z'
  const [full, open, none] = readTimewarriorJson(
    [
      { start, end: '20260105T090000Z', tags: ['a', 7], annotation: 'b' },
      { start, tags: 'a', annotation: 7 },
      { end: start },
    ],
    new ReadBudget(),
  )
  expect(full).toEqual({ ...newRow(1), start: atHour(8), end: atHour(9), tags: ['a', '7'], note: 'b' })
  expect(open).toEqual({ ...newRow(2), start: atHour(8) })
  expect(none).toEqual({ ...newRow(3), skip: 'invalid_time' })
  expect([[{ start }], [{ start: `${start} x` }], [{}], {}].map(isTimewarriorJson)).toEqual([true, false, false, false])
})

test('[D11.1] solidtime: a user is named by the member’s name, else by the e-mail address, else by the id', () => {
  const entries = ['user_id,start,end', ...['a', 'b', 'c', 'd'].map((id) => `${id},2026-01-05T08:00:00Z,`)]
  const members = ['user_id,name,email', 'a,Ada,a@x.de', 'b,,b@x.de', 'c,,']
  const bytes = (lines: string[]) => strToU8(lines.join('\n'))
  const zip = zipSync({ 'time_entries.csv': bytes(entries), 'members.csv': bytes(members) })
  expect(readSolidtimeZip(zip, new ReadBudget()).map(({ user }) => user)).toEqual(['Ada', 'b@x.de', 'c', 'd'])
})
