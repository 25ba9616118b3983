import type { LocalDate, TeamRole } from '@saldo/core'
import { expect, test } from 'vitest'
import { pageNamed, pagesOf, partsOf } from './team-pages.ts'

const pages = (is_member: boolean, roles: TeamRole[], is_admin = false, left_on: LocalDate | null = null) =>
  pagesOf({ is_member, left_on, is_admin, roles: roles.map((role) => ({ role, group_id: 1 })) })

test('[D24.1] [D24.19] a user has the pages of their membership and roles, and an admin manages people only', () => {
  expect(pages(true, [])).toEqual(['away', 'requests', 'months'])
  expect(pages(true, ['lead'])).toEqual(['away', 'requests', 'months', 'inbox', 'board'])
  expect(pages(true, ['deputy'])).toEqual(['away', 'requests', 'months', 'inbox'])
  expect(pages(false, ['hr'])).toEqual(['away', 'inbox', 'board', 'payroll', 'company'])
  expect(pages(false, ['payroll'])).toEqual(['payroll'])
  expect(pages(false, [], true)).toEqual(['company'])
  expect(pages(true, ['auditor'])).toEqual(['away', 'requests', 'months', 'company'])
  expect(pages(false, [])).toEqual([])
  expect(pages(false, [], false, '2026-11-30')).toEqual(['months'])
})

test('[D24.14] HR and the works council have the trail of the company, and admins manage people without it', () => {
  const parts = (role: TeamRole | undefined, is_admin: boolean) =>
    partsOf({ is_admin, roles: role ? [{ role, group_id: 1 }] : [] }).join(' ')
  expect(parts('hr', false)).toBe('people groups roles policy blocks leave trail')
  expect(parts(undefined, true)).toBe('people groups roles policy blocks')
  expect(parts('auditor', false)).toBe('policy blocks trail')
})

test('[D24.6] an address names a page also for whoever does not have it at the moment', () => {
  expect(pageNamed('inbox')).toBe('inbox')
  expect(pageNamed('nowhere')).toBeUndefined()
  expect(pageNamed(undefined)).toBeUndefined()
})
