// A fake bank, a recording gateway, a database, and adapters between them, for a test file.
import { afterEach, beforeEach } from 'vitest'
import { fakeClient } from './fake-client.ts'
import { useGateway } from './gateway.ts'
import type { Program } from './programs.ts'
import { useStore } from './store.ts'

/** Call once per test file. Every test has a new fake. */
export function useFake(start: () => Promise<Program>) {
  const gateway = useGateway()
  const used = useStore()
  const running: Program[] = []
  let fake: Program

  beforeEach(async () => {
    fake = await start()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.kill()))
    await fake.kill()
  })

  return {
    ...used,
    gateway,
    process: () => fake,
    client: fakeClient(() => fake.url),
    places: (keys: readonly string[]) => ({
      ...{ fakeUrl: fake.url, databaseUrl: used.url(), schema: used.store().schema },
      ...{ gatewayUrl: gateway.url(), keys },
    }),
    /** Killed after the test. */
    kept: async <Started extends Program>(adapter: Promise<Started>): Promise<Started> => {
      const started = await adapter
      running.push(started)
      return started
    },
  }
}
