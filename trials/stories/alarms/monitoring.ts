// A Prometheus and an Alertmanager as Debian packs them, with the files of docs/operate/monitoring. Only what
// a test cannot wait for is changed in them: addresses, how often is looked, and how long something lasts
// before it is an alarm.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'
import { freePort } from '../../../tools/ports.ts'

export const MONITORING = join(import.meta.dirname, '..', '..', '..', 'docs', 'operate', 'monitoring')
export const RULES = readFileSync(join(MONITORING, 'cowrie.rules.yml'), 'utf8')

export const ALARMS = Array.from(RULES.matchAll(/- alert: (\w+)/g), ([, name]) => name as string)
/** Every series that an alarm asks for, as Prometheus names it. */
export const SERIES = [...new Set(Array.from(RULES.matchAll(/\bcowrie_\w+/g), ([name]) => name))]

/** How long a fault lasts before it is an alarm, and how far back rates and comparisons reach, in this
 *  test. */
const FOR = '3s'
const WINDOW = '[15s]'
const BEFORE = 'offset 30s'

/** Each of these must be in the file: one that was renamed there would be left as it is here, and nothing
 *  would say so. */
function changed(text: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((last, [from, to]) => {
    const next = last.replaceAll(from, to)
    if (next === last) throw new Error(`nothing to replace by ${to}: ${from}`)
    return next
  }, text)
}

/** Runs a program to its end; answers its code and all that it said. */
export function said(program: string, ...words: string[]): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: MONITORING, encoding: 'utf8' })
  return { code: status, text: stdout + stderr }
}

type Program = { stop(): Promise<void> }
async function started(program: string, words: readonly string[], readyUrl: string): Promise<Program> {
  const child: ChildProcess = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (text += part.toString()))
  const ended = once(child, 'close')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  try {
    await until(`${program} is ready`, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${text}`)
      const answer = await fetch(readyUrl).catch(() => null)
      return answer?.ok
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

export type Monitoring = {
  /** The value of each series that an expression has, by its labels. */
  query(expression: string): Promise<{ readonly labels: Record<string, string>; readonly value: number }[]>
  /** The alarms that fire now. */
  firing(): Promise<string[]>
  targets(): Promise<{ readonly role: string; readonly health: string; readonly error: string }[]>
  /** Answers once both parts were looked at so many times more. */
  looks(times: number): Promise<void>
  stop(): Promise<void>
}

const alertmanagerConfig = (smtpPort: number): string =>
  changed(readFileSync(join(MONITORING, 'alertmanager.yml'), 'utf8'), [
    [/'mail\.example:587'/g, `'127.0.0.1:${smtpPort}'\n  smtp_require_tls: false`],
    [/\n *smtp_auth_\w+: .*/g, ''],
    [/group_wait: \d+s/g, 'group_wait: 1s'],
  ])

const prometheusConfig = (ports: { readonly api: number; readonly worker: number; readonly alerts: number }): string =>
  changed(readFileSync(join(MONITORING, 'prometheus.yml'), 'utf8'), [
    [/scrape_interval: 15s/g, 'scrape_interval: 1s\n  scrape_timeout: 1s'],
    [/evaluation_interval: 15s/g, 'evaluation_interval: 1s'],
    [/127\.0\.0\.1:9093/g, `127.0.0.1:${ports.alerts}`],
    [/\['[\d.]+:4002'.*?\]/g, `['127.0.0.1:${ports.api}']`],
    [/\['[\d.]+:4003'.*?\]/g, `['127.0.0.1:${ports.worker}']`],
  ])

const quickRules = (): string =>
  changed(RULES, [
    [/for: \d+[smh]/g, `for: ${FOR}`],
    [/\[5m\]/g, WINDOW],
    // What is counted one by one takes longer than what a load does.
    [/\[15m\]/g, '[60s]'],
    [/offset 1h/g, BEFORE],
  ])

async function asked(url: string): Promise<any> {
  const answer = await fetch(url)
  const { status, data, error } = (await answer.json()) as { status: string; data: any; error?: string }
  if (status !== 'success') throw new Error(`${url}: ${error}`)
  return data
}

/** `parts`: the private ports of an api and a worker. */
export async function startMonitoring(
  dir: string,
  parts: { readonly api: number; readonly worker: number },
  smtpPort: number,
): Promise<Monitoring> {
  const [port, alerts] = [await freePort(), await freePort()]
  writeFileSync(join(dir, 'alertmanager.yml'), alertmanagerConfig(smtpPort))
  writeFileSync(join(dir, 'prometheus.yml'), prometheusConfig({ ...parts, alerts }))
  copyFileSync(join(MONITORING, 'cowrie.rules.yml'), join(dir, 'as-shipped.yml'))
  writeFileSync(join(dir, 'cowrie.rules.yml'), quickRules())
  const [url, alertsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${alerts}`]
  const own = ['--config.file', join(dir, 'alertmanager.yml'), '--storage.path', join(dir, 'alerts')]
  const alone = ['--cluster.listen-address=', '--web.listen-address', `127.0.0.1:${alerts}`]
  const alertmanager = await started('prometheus-alertmanager', [...own, ...alone], `${alertsUrl}/-/ready`)
  const prometheus = await started(
    'prometheus',
    [
      ...['--config.file', join(dir, 'prometheus.yml'), '--storage.tsdb.path', join(dir, 'series')],
      ...['--web.listen-address', `127.0.0.1:${port}`, '--log.level', 'warn'],
    ],
    `${url}/-/ready`,
  ).catch(async (error: unknown) => {
    await alertmanager.stop()
    throw error
  })
  const query: Monitoring['query'] = async (expression) => {
    const { result } = await asked(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)
    return result.map(({ metric, value }: any) => ({ labels: metric, value: Number(value[1]) }))
  }
  const lookedAt = async (): Promise<number> =>
    Math.min(...(await query('timestamp(cowrie_ready)')).map(({ value }) => value))
  return {
    query,
    firing: async () =>
      (await asked(`${url}/api/v1/alerts`)).alerts
        .filter(({ state }: any) => state === 'firing')
        .map(({ labels }: any) => labels.alertname),
    targets: async () =>
      (await asked(`${url}/api/v1/targets`)).activeTargets.map(({ scrapeUrl, health, lastError }: any) => ({
        role: new URL(scrapeUrl).port === String(parts.api) ? 'api' : 'worker',
        health,
        error: lastError,
      })),
    looks: async (times) => {
      const before = await lookedAt()
      await until('Prometheus has looked again', async () => (await lookedAt()) >= before + times)
    },
    stop: async () => {
      await prometheus.stop()
      await alertmanager.stop()
    },
  }
}
