import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isHeavy, isQuick } from './packages/core/test/tier.ts'
import { folderInMemory } from './packages/server/test/memory.ts'
import { citusBinaries } from './packages/server/test/postgres/binaries.ts'
import { HEAVY_REASON, HEAVY_TAG, SkippedTests } from './test/tiers.ts'

/**
 * Where tests run, by the words before `.test.ts`, as CONTRIBUTING.md explains them. Folders decide only what the quick
 * tier has: tests of pure functions, of the service on SQLite, and a look into a browser.
 */
const quick = [
  'packages/core/test/**/*.test.ts',
  'packages/{core,client,web}/src/**/*.test.ts',
  'test/kills/{attempts,power/unsynced-disk}.test.ts',
  'packages/server/test/{http,account,mail,security,sync,webhooks}/*.test.ts',
  'test/conformance/service.*.test.ts',
  'test/e2e/first-day.browser.test.ts',
]
const all = ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts']
const postgresAlone = ['**/*.postgres{,.heavy}.test.ts']
const onBoth = [
  '**/*.databases{,.heavy}.test.ts',
  ...(isHeavy ? ['**/*.heavy-databases.test.ts', 'packages/server/test/http/*.test.ts'] : []),
]
/** Tests on a database that Citus distributes, where a PostgreSQL that has it is given. */
const distributed = ['**/*.distributed.test.ts']
const sqliteAlone = ['**/*.sqlite.test.ts']

/** Files that take longest. They start first, so that no core is idle at the end. */
const longest = [
  'test/e2e/team.browser.test.ts',
  'test/e2e/week.browser.test.ts',
  'test/e2e/shown.browser.test.ts',
  'test/e2e/offline.browser.test.ts',
  'test/e2e/quick-entry.browser.test.ts',
  'test/e2e/timer.browser.test.ts',
  'test/e2e/first-day.browser.test.ts',
  'test/e2e/hostile-text.browser.test.ts',
  'test/e2e/left-behind.browser.test.ts',
  'test/e2e/widths.browser.test.ts',
  'packages/server/test/store/store.postgres.test.ts',
  'packages/server/test/account/recompute-job.test.ts',
  'packages/server/test/account/auto-close.heavy-databases.test.ts',
  'packages/server/test/store/open.test.ts',
  'packages/server/test/http/isolation.test.ts',
  'packages/cli/test/user.test.ts',
  'test/client/import.test.ts',
  'test/simulation/simulation.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

function project(name: string, include: string[], exclude: string[] = []) {
  return { extends: true as const, test: { name, include, exclude: [...configDefaults.exclude, ...exclude] } }
}

const postgres = project('postgres', [...postgresAlone, ...onBoth], sqliteAlone)

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
    tags: [{ name: HEAVY_TAG, description: HEAVY_REASON, skip: !isHeavy }],
    runner: './test/tier-runner.ts',
    reporters: ['default', new SkippedTests()],
    projects: [
      // One project for all of them: each has processes of its own, which load all modules and start a browser.
      project('sqlite', isQuick ? quick : all, [...postgresAlone, ...distributed]),
      ...(citusBinaries() === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'distributed',
                include: [...distributed, 'packages/server/test/store/store.postgres.test.ts'],
                globalSetup: 'packages/server/test/postgres/distributed-setup.ts',
              },
            },
          ]),
      ...(isQuick
        ? []
        : [{ ...postgres, test: { ...postgres.test, globalSetup: 'packages/server/test/postgres/global-setup.ts' } }]),
    ],
  },
})
