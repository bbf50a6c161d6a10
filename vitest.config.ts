import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'connectors/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'tools/**/*.test.ts',
      'trials/**/*.test.ts',
    ],
    globalSetup: ['apps/gateway/test/kit/postgres.ts'],
    // Limits, not expectations: they only end what would never end, so they are far beyond what a busy
    // machine needs.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    pool: 'forks',
    isolate: false, // a file finds the program loaded: loading it again for each was a fifth of the time
    maxWorkers: 3, // a tenth of the time a file waits for a clock, a bank or a browser
  },
})
