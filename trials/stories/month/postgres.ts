// The month's database grows like a real one, and is looked after like one.
import type { TestProject } from 'vitest/node'
import { provideCluster } from '../../../apps/gateway/test/kit/postgres.ts'

export const setup = (project: TestProject): Promise<() => Promise<void>> => provideCluster(project)
