import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { folderInMemory } from './packages/server/test/memory.ts'

/** Tests of the service that leave nothing behind, on SQLite: a quarter of their time went into loading the same modules again. */
const service = ['packages/server/test/{http,account,security,sync}/*.test.ts']

/** What is about PostgreSQL alone. */
const postgresOnly = [
  'packages/server/test/store/postgres.test.ts',
  'packages/server/test/postgres/*.test.ts',
  'packages/cli/test/postgres.test.ts',
  'test/{client,e2e,kills,simulation}/postgres.test.ts',
]

/** What runs on both: the store's contract, HTTP, devices, and of the account what the engine could matter to. */
const onBoth = [
  'packages/server/test/http/*.test.ts',
  'packages/server/test/account/{main-job,auto-close,at-once}.test.ts',
  'test/client/{saldo,session,trays}.test.ts',
  'test/conformance/service.test.ts',
  'test/fuzzing/fuzzing.test.ts',
]
/** What needs nothing that it must have for itself: most of its time would go into loading the same modules again. */
const pure = [
  'packages/core/test/**/*.test.ts',
  'packages/{core,client,web}/src/**/*.test.ts',
  'test/kills/{attempts,power/unsynced-disk}.test.ts',
]
/** Of what runs on both, what looks into the file of one. */
const fileOnly = ['packages/server/test/http/{auth-writes,event-streams}.test.ts']

/** Short files that run long. Begun last, as they were where nothing is known of earlier runs, they would leave a core idle. */
const long = [
  'test/simulation/simulation.test.ts',
  'packages/server/test/account/invariant.test.ts',
  'bench/run.test.ts',
  'test/conformance/mutants.test.ts',
  'test/conformance/client.test.ts',
  'test/simulation/planted.test.ts',
  'test/browser/day.test.ts',
  'test/browser/thousand.test.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => long.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // More than cores: much of the time a worker waits for a browser, a program or a database.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    env: {
      // Thousands of commits and browsers’ profiles: on a disk, each sync would be waited for.
      TMPDIR: folderInMemory() ?? tmpdir(),
      // Hundreds of programs are started, which else would each be compiled anew.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/saldo/compiled'),
    },
    // Where much else runs, all takes its time: these are for what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...postgresOnly, ...pure, ...service],
        },
      },
      {
        extends: true,
        test: { name: 'service', include: service, isolate: false },
      },
      {
        extends: true,
        test: { name: 'pure', include: pure, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...postgresOnly, ...onBoth],
          exclude: [...configDefaults.exclude, ...fileOnly],
          isolate: false,
          globalSetup: 'packages/server/test/postgres/global-setup.ts',
        },
      },
    ],
  },
})
