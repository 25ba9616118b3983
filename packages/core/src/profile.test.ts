import { expect, test } from 'vitest'
import { Profile, ProfilePatch } from './profile.ts'
import { check } from './validation.ts'

test('[D8.35] a field of a profile is one line of at most 200 characters, trimmed', () => {
  const profile = { name: ' Ada Lovelace ', personnel_number: '', employer: '𝒮'.repeat(200) }
  expect(check(Profile, profile)).toEqual({ ok: true, value: { ...profile, name: 'Ada Lovelace' } })
  for (const wrong of ['a\nb', 'a\u0000', '\ud83d', 'a\u2028b', 'x'.repeat(201), null, 1]) {
    expect(check(ProfilePatch, { employer: wrong })).toMatchObject({ ok: false, errors: [{ pointer: '/employer' }] })
  }
})

test('[D8.36] a patch of a profile has the fields that change', () => {
  expect(check(ProfilePatch, {})).toEqual({ ok: true, value: {} })
  expect(check(ProfilePatch, { personnel_number: '007' })).toEqual({ ok: true, value: { personnel_number: '007' } })
})
