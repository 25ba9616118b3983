import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { folderInMemory } from './packages/server/test/memory.ts'
import { isHeavy } from './packages/server/test/tier.ts'
import { heavyFiles } from './test/heavy-files.ts'

/** Tests of pure functions. */
const pure = [
  'packages/core/test/**/*.test.ts',
  'packages/{core,client,web}/src/**/*.test.ts',
  'test/kills/{attempts,power/unsynced-disk}.test.ts',
]

/** Tests of the service on SQLite. */
const service = [
  'packages/server/test/{http,account,mail,security,sync,webhooks}/*.test.ts',
  'test/conformance/service.test.ts',
]

/** The look into a browser of the quick tier. */
const look = ['test/e2e/first-day.test.ts']

/** Tests in a browser. They share the browser, and a service that each test uses as a new user. */
const browser = ['test/{browser,e2e}/*.test.ts']

/** Tests of PostgreSQL alone. */
const postgresOnly = [
  'packages/server/test/store/postgres.test.ts',
  'packages/server/test/postgres/*.test.ts',
  'packages/cli/test/postgres.test.ts',
  'test/{client,e2e,kills,simulation}/postgres.test.ts',
]

/** Tests over HTTP that run on PostgreSQL too: of races and of values; in the heavy tier, all of them. */
const http = isHeavy ? '*' : '{account-races,closings,erasure,hostile-values}'

/** Tests whose result can depend on the database, which run on PostgreSQL too. */
const onBoth = [`packages/server/test/http/${http}.test.ts`]

/** Tests above the store's contract, which run on PostgreSQL too in the heavy tier. */
const onBothInHeavy = [
  'packages/server/test/{mail/mail,webhooks/webhooks}.test.ts',
  'packages/server/test/account/{auto-close,concurrent-changes,real-data}.test.ts',
  'test/conformance/service.test.ts',
  'test/fuzzing/fuzzing.test.ts',
  'test/client/{rejected-changes,saldo,session}.test.ts',
]

/** Tests that look into a SQLite file, or of what only a service on SQLite has. */
const sqliteOnly = ['packages/server/test/http/{auth-writes,demo,event-streams}.test.ts']

const notInThisTier = isHeavy ? [] : heavyFiles

/** Files that take longest. They start first, so that no core is idle at the end. */
const longest = [
  'test/simulation/simulation.test.ts',
  'packages/server/test/account/account-fuzz.test.ts',
  'test/conformance/client.test.ts',
  'packages/cli/test/user.test.ts',
  'packages/cli/test/commands.test.ts',
  'packages/server/test/store/postgres.test.ts',
  'test/browser/day.test.ts',
  'test/e2e/shown.test.ts',
  'test/e2e/verbs.test.ts',
  'test/e2e/offline.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Files share loaded modules, and leave nothing changed behind: loading takes a quarter of the time otherwise.
    isolate: false,
    // More workers than cores: a worker often waits for a browser, a program or a database.
    maxWorkers: availableParallelism() * 2,
    env: {
      // In memory, because tests commit thousands of times, and each commit syncs its file.
      TMPDIR: folderInMemory() ?? tmpdir(),
      // Tests start the program hundreds of times; Node compiles it once.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/saldo/compiled'),
    },
    // Time limits end tests that hang. They are too long for any load to reach.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      { extends: true, test: { name: 'pure', include: pure } },
      {
        extends: true,
        test: {
          name: 'service',
          include: service,
          exclude: [...configDefaults.exclude, ...notInThisTier],
        },
      },
      { extends: true, test: { name: 'look', include: look } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          exclude: [...look, ...postgresOnly, ...notInThisTier],
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...postgresOnly,
            ...pure,
            ...service,
            ...look,
            ...browser,
            ...notInThisTier,
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...postgresOnly, ...onBoth, ...(isHeavy ? onBothInHeavy : [])],
          exclude: [...configDefaults.exclude, ...sqliteOnly, ...notInThisTier],
          globalSetup: 'packages/server/test/postgres/global-setup.ts',
        },
      },
    ],
  },
})
