/** Files whose tests run in the heavy tier alone; single tests are declared with `heavyTest`. */
export const heavyFiles = [
  'bench/run.test.ts',
  'packages/cli/test/export.test.ts',
  'packages/server/test/account/real-data.test.ts',
  'packages/server/test/faults/kill-push.test.ts',
  'test/browser/insecure.test.ts',
  'test/browser/thousand.test.ts',
  'test/e2e/company-sign-in.test.ts',
  'test/e2e/limits.test.ts',
  'test/e2e/mail.test.ts',
  'test/e2e/open-weeks.test.ts',
  'test/e2e/vacation.test.ts',
  'test/e2e/week-of-two-devices.test.ts',
  'test/packages/packages.test.ts',
  'test/simulation/postgres.test.ts',
  'test/soak/soak.test.ts',
]
