import type { TeamRole } from '@saldo/core'
import { expect, test } from 'vitest'
import { pagesOf } from './team-pages.ts'

const pages = (is_member: boolean, roles: TeamRole[], is_admin = false) =>
  pagesOf({ is_member, is_admin, roles: roles.map((role) => ({ role, group_id: 1 })) })

test('[D24.1] a user has the pages of their membership and roles, and an admin manages people only', () => {
  expect(pages(true, [])).toEqual(['away', 'requests'])
  expect(pages(true, ['lead'])).toEqual(['away', 'requests', 'inbox'])
  expect(pages(false, ['hr'])).toEqual(['away', 'inbox', 'company'])
  expect(pages(false, [], true)).toEqual(['company'])
  expect(pages(true, ['auditor'])).toEqual(['away', 'requests', 'company'])
  expect(pages(false, [])).toEqual([])
})
