import { defaultPolicy, type JsonObject, noMapping } from '@saldo/core'
import { PASSWORD } from './browser.ts'
import { newId, resourceOf } from './resources.ts'

const [work, sick] = [resourceOf('entries').content, resourceOf('entries').other]
const settings = {
  ...resourceOf('settings_history').content,
  break_policy: { rules: [{ worked_above_ms: 21_600_000, required_ms: 1_800_000 }], min_piece_ms: 0 },
  auto_close: { day_after_ms: 0, week_after_days: 3 },
}
const adjustment = resourceOf('balance_adjustments').content
const changes = [
  { kind: 'entries', op: 'upsert', seq: 1, record: { id: newId(), updated_at: '2026-11-21T08:00:00Z', ...sick } },
  { kind: 'settings_history', op: 'delete', seq: 2, id: newId(), updated_at: '2026-11-21T08:00:00Z' },
]

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }

/** Bodies for each operation that takes one. The tests that use them fail for a new operation that has none here. */
export const bodies: Record<string, JsonObject[]> = {
  'POST /api/entries': [work, sick],
  'PUT /api/entries/{id}': [work, sick],
  'POST /api/settings': [settings],
  'PUT /api/settings/{id}': [settings],
  'POST /api/balance/adjustments': [adjustment],
  'PUT /api/balance/adjustments/{id}': [adjustment],
  'POST /api/closed-days': [{ date: '2026-11-20' }],
  'POST /api/closed-weeks': [{ week: '2026-W46' }],
  'POST /api/reports': [{ from: '2026-11-01', to: '2026-11-30', group: 'project', words: 'x' }],
  'POST /api/admin/user-search': [{ search: 'someone' }],
  'POST /api/team/requests/preview': [
    { kind: 'request', asks: 'absence', absence: 'vacation', date: '2026-12-01', last_date: '2026-12-04' },
  ],
  'POST /api/team/requests/{user}/{id}/decision': [
    { digest: 'ab', outcome: 'approved' },
    { digest: 'ab', outcome: 'declined', reason: 'No' },
  ],
  'POST /api/team/months/{month}/lock': [{ users: [1] }],
  'POST /api/team/months/{month}/return': [{ users: [1, 2], reason: 'A day is missing' }],
  'POST /api/team/months/{month}/reopen': [{ users: [1], reason: 'A day was forgotten' }],
  ...Object.fromEntries(
    ['', '/preview', '/removal'].map((part) => [
      `POST /api/team/leave${part}`,
      [{ id: newId(), kind: 'vacation', from: '2026-12-28', to: '2026-12-31', users: [1] }],
    ]),
  ),
  'POST /api/team/members/{user}/changes': [{ id: newId(), reason: 'The terminal was broken', changes }],
  'POST /api/me/proposals/{id}/answer': [{ answer: 'accept' }],
  'POST /api/me/remarks': [{ month: '2026-10', text: 'The 7th is missing' }],
  'PUT /api/team/personnel': [{ items: [{ user_id: 1, number: '007', entry_date: '2026-01-01' }] }],
  'PUT /api/team/mapping': [{ ...noMapping, rules: [{ sum: 'worked', wage_type: '100', unit: 'hours' }] }],
  'POST /api/team/exports': [{ month: '2026-10' }, { month: '2026-10', draft: true, leave_out: [1] }],
  'POST /api/team/requests/{user}/{id}/substitution': [{ from: '2026-12-03', to: '2026-12-08', answer: 'cannot' }],
  'POST /api/sync/push': [{ device: newId(), changes }],
  'POST /api/auth/sign-up': [{ email: 'someone@example.com', name: 'Someone', password: PASSWORD, setup_code: 'x' }],
  'POST /api/auth/sign-in': [{ email: 'nobody@example.com', password: PASSWORD }],
  'POST /api/auth/oidc/{provider}': [{ return_to: '/week', user_id: 1 }],
  'POST /api/auth/link': [{ secret: 'unknown' }],
  'POST /api/auth/link/password': [{ secret: 'unknown', password: PASSWORD }],
  'POST /api/auth/forgotten-password': [{ email: 'nobody@example.com' }],
  'POST /api/auth/email': [{ secret: 'unknown' }],
  'POST /api/me/email': [{ email: 'another@example.com', password: 'not this one' }],
  'POST /api/admin/users': [{ email: 'someone@example.com', name: 'Someone', password: PASSWORD }],
  'POST /api/admin/users/{id}/link': [{ password: PASSWORD }, { show: true, password: PASSWORD }],
  'PATCH /api/admin/users/{id}': [{ role: 'admin', password: PASSWORD }, { active: false }],
  'POST /api/admin/companies': [{ name: 'Acme', hr: 'nobody@example.com', password: PASSWORD }],
  'PUT /api/team/groups': [{ items: [{ name: 'Sales' }], dry_run: true }],
  'PUT /api/team/people': [{ items: [{ email: 'someone@example.com', group_id: 1, from: '2026-11-21' }] }],
  'POST /api/team/people-search': [{ search: 'someone', state: 'invited' }],
  'PUT /api/team/people/invitations': [{ items: [1] }],
  'PUT /api/team/roles': [
    { items: [{ user_id: 1, role: 'lead', group_id: 1, from: '2026-11-21' }], password: 'not this one' },
  ],
  'POST /api/team/roles/{id}/confirmation': [{ password: 'not this one' }],
  'PUT /api/team/policy': [{ ...defaultPolicy }],
  'PUT /api/team/blocks': [{ items: [{ group_id: 1, from: '2026-11-21', to: '2026-11-22', reason: 'Fair' }] }],
  'POST /api/me/password': [{ current_password: 'not this one', new_password: PASSWORD }],
  'POST /api/me/tokens': [{ name: 'cron', password: 'not this one' }],
  'POST /api/me/feeds': [{ name: 'Team', absences: true, work: false, language: 'en', password: 'not this one' }],
  'POST /api/webhooks': [{ url: 'https://example.com/', events: ['week.closed'], password: 'not this one' }],
  'POST /api/me/second-factor': [{ password: 'not this one' }],
  'POST /api/me/second-factor/confirmation': [{ code: '123456' }],
  'POST /api/me/second-factor/recovery-codes': [{ password: 'not this one' }],
  'DELETE /api/me/second-factor': [{ password: 'not this one' }],
  'POST /api/auth/passkey': [
    {
      credential: {
        ...credential,
        response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'MQ' },
      },
    },
  ],
  'POST /api/me/passkey-options': [{ password: 'not this one' }],
  'POST /api/me/passkeys': [
    { name: 'Key', credential: { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'AA' } } },
  ],
  'PUT /api/me/passkeys/{id}': [{ name: 'Key' }],
  'DELETE /api/me/passkeys/{id}': [{ password: 'not this one' }],
  'PATCH /api/me': [{ name: 'Ada' }, { preferences: { hours: 'h12' } }],
  'DELETE /api/me': [{ password: 'not this one' }],
}
