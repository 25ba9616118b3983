import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    // By default a core is left free, which is half of two.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Whole browsers take their time where much else runs.
    expect: { poll: { timeout: 20_000 } },
  },
})
