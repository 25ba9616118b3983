import { expect, test } from 'vitest'
import { defaultPreferences, Preferences, Profile, ProfilePatch, UserAccountPatch } from './profile.ts'
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

test('[D19.17] preferences are a language, ways to write durations and hours, and the first run', () => {
  expect(defaultPreferences).toEqual({ language: null, durations: 'clock', hours: 'auto', first_run: 'ask' })
  const allowed = {
    language: [null, 'de', 'en'],
    durations: ['clock', 'decimal'],
    hours: ['auto', 'h23', 'h12'],
    first_run: ['ask', 'skipped'],
  }
  const wrong = {
    language: ['deu', 'd', 'DE', 'de-AT', '', 1],
    durations: ['auto', null],
    hours: ['h24', null],
    first_run: [true, null],
  }
  for (const field of ['language', 'durations', 'hours', 'first_run'] as const) {
    for (const value of allowed[field]) {
      const preferences = { ...defaultPreferences, [field]: value }
      expect(check(Preferences, preferences)).toEqual({ ok: true, value: preferences })
    }
    for (const value of wrong[field]) {
      const errors = [{ pointer: `/${field}` }]
      expect(check(Preferences, { ...defaultPreferences, [field]: value })).toMatchObject({ ok: false, errors })
    }
  }
})

test('[D8.36] [D19.17] a patch of an account has the fields of the profile and the preferences that change', () => {
  const patch = { name: 'Ada', preferences: { hours: 'h12' } }
  expect(check(UserAccountPatch, patch)).toEqual({ ok: true, value: patch })
  expect(check(UserAccountPatch, { employer: 1 })).toMatchObject({ ok: false, errors: [{ pointer: '/employer' }] })
  expect(check(UserAccountPatch, { preferences: { hours: 1 } })).toMatchObject({
    ok: false,
    errors: [{ pointer: '/preferences/hours' }],
  })
})
