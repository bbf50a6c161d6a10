// Starts the process of the receivers, tells merchants' addresses, and asks at the end what was seen.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { behaviourOf } from './behaviours.ts'
import type { Certificates } from './certificates.ts'
import type { ZooMerchant } from './plan.ts'
import type { ZooAsked, ZooPorts, ZooReport } from './zoo.ts'

export type Zoo = {
  urlOf(merchant: ZooMerchant): string
  report(): Promise<ZooReport>
  stop(): Promise<void>
}

async function ask<Answer>(child: ChildProcess, asked: ZooAsked): Promise<Answer> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the receivers ended by themselves')))
  ended.catch(() => undefined)
  const answered = once(child, 'message') as Promise<[Answer]>
  child.send(asked)
  return (await Promise.race([answered, ended]))[0]
}

/** `closedPort` is one that nobody listens on. */
export async function startZoo(
  merchants: readonly ZooMerchant[],
  certificates: Certificates | null,
  closedPort: number,
): Promise<Zoo> {
  const child = fork(fileURLToPath(new URL('zoo.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  })
  const residents = merchants.map(({ path, secretKey, name, behaviour }) => ({ path, secretKey, name, behaviour }))
  const ports: ZooPorts = { ...(await ask<ZooPorts>(child, { residents, certificates })), nobody: closedPort }
  return {
    urlOf: ({ path, behaviour }) => {
      const { site } = behaviourOf(behaviour)
      const scheme = ['web', 'alone', 'nobody', 'mute'].includes(site) ? 'http' : 'https'
      return `${scheme}://127.0.0.1:${ports[path] ?? ports[site]}${path}`
    },
    report: () => ask<ZooReport>(child, 'report'),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
