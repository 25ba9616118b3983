import { expect, test } from 'vitest'
import { presentByDate } from '../../src/team/staffing.ts'

const december = { from: '2026-12-01', to: '2026-12-05' } as const

test('[D26.11] members count on the dates of their memberships, without those on which they are away', () => {
  const all = [{ from: '2026-01-01', to: '9999-12-31' }] as const
  const present = presentByDate(december, [
    { memberDates: all, awayDates: [] },
    { memberDates: all, awayDates: [{ from: '2026-11-30', to: '2026-12-02' }] },
    // Two memberships of one member count once, and absences outside of them not at all.
    {
      memberDates: [
        { from: '2026-12-03', to: '2026-12-03' },
        { from: '2026-12-02', to: '2026-12-03' },
      ],
      awayDates: [
        { from: '2026-12-05', to: '2027-01-01' },
        { from: '2026-12-01', to: '2026-12-01' },
        { from: '2026-12-03', to: '2026-12-04' },
      ],
    },
  ])
  expect([...present]).toEqual([
    ['2026-12-01', 1],
    ['2026-12-02', 2],
    ['2026-12-03', 2],
    ['2026-12-04', 2],
    ['2026-12-05', 2],
  ])
})

test('[D30.8] each member is looked at once, whatever the number of dates', () => {
  let looks = 0
  const member = {
    get memberDates() {
      looks += 1
      return [{ from: '2026-01-01', to: '9999-12-31' }] as const
    },
    awayDates: [],
  }
  const present = presentByDate({ from: '2026-01-01', to: '2026-12-31' }, [member, member])
  expect(present.get('2026-12-31')).toBe(2)
  expect(looks).toBe(2)
})
