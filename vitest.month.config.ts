// The simulated month, alone: 20,000 operations by the clock (MONTH_OPERATIONS: fewer), with both cores.
import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

export default defineConfig({
  test: { ...base.test, include: ['e2e/month/month.ts'], globalSetup: ['e2e/month/postgres.ts'] },
})
