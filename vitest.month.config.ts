// The simulated month, alone: 20,000 operations by the clock (MONTH_OPERATIONS: fewer), with both cores.
import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

export default defineConfig({
  test: { ...base.test, include: ['trials/stories/month/month.ts'], globalSetup: ['trials/stories/month/postgres.ts'] },
})
