import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Config, readConfig } from '../../apps/gateway/src/config.ts'
import { PROGRAMS } from '../../packages/cli/src/programs/programs.ts'
import {
  CHART,
  digestOf,
  RENDERINGS,
  type RenderingName,
  renderedOf,
  textOf,
  VERSION,
  versionsOf,
  withChartVersion,
} from './chart.ts'

// What api.ts and worker.ts have after STOP_SECONDS, in seconds.
const CLOSING = 6

type Any = any
const rendered = (name: RenderingName): { digest: string; objects: Any[]; notes: string } =>
  JSON.parse(textOf(renderedOf(name)))
const find = (name: RenderingName, kind: string, ending: string): Any =>
  rendered(name).objects.find((one) => one.kind === kind && one.metadata.name.endsWith(ending))
const podOf = (name: RenderingName, part: string): Any =>
  find(name, part === 'migrate' ? 'Job' : 'Deployment', `-${part}`).spec.template.spec
const containerOf = (name: RenderingName, part: string): Any => podOf(name, part).containers[0]

/** What a Secret holds, as docs/operate/kubernetes.md fills it. */
const KEY = Buffer.alloc(32, 7).toString('base64')
const login = (name: string): string => `postgres://${name}:secret@db.pay.example/cell_01?sslmode=verify-full`
const SECRETS: Readonly<Record<string, string>> = {
  CELLS: `01=${login('app')}|${login('engine')}`,
  SMTP_URL: 'smtps://user:password@mail.pay.example',
  OIDC_CLIENT_SECRET: 'secret',
  MASTER_KEYS: `1:${KEY}`,
  BANK_KEYS: `1:${KEY}`,
}
let keys = ''
beforeAll(() => {
  keys = mkdtempSync(join(tmpdir(), 'cowrie-helm-test-'))
  for (const name of ['MASTER_KEYS', 'BANK_KEYS']) writeFileSync(join(keys, name), SECRETS[name] as string)
})
afterAll(() => rmSync(keys, { recursive: true }))

/** The environment of a pod, with the Secret's values, and its mounted folder where it is in this test. */
function environmentOf(name: RenderingName, part: string): Record<string, string> {
  const { env, volumeMounts } = containerOf(name, part)
  const mounted = (volumeMounts as Any[]).find((mount) => mount.name === 'keys').mountPath
  const pairs = (env as Any[]).map((one): [string, string] => [
    one.name,
    one.valueFrom ? (SECRETS[one.valueFrom.secretKeyRef.key] ?? '') : one.value.replace(mounted, keys),
  ])
  return Object.fromEntries(pairs)
}
/** Every setting that the gateway asks for. */
function known(): Set<string> {
  const asked = new Set<string>()
  const env = new Proxy<Record<string, string>>(environmentOf('full', 'api'), {
    get: (target, name: string) => {
      asked.add(name)
      return target[name]
    },
  })
  readConfig(env)
  return asked
}
const configOf = (name: RenderingName, part: string): Config => readConfig(environmentOf(name, part))

test('what is rendered is of this chart; otherwise: npm run helm', () => {
  for (const { name } of RENDERINGS) expect(rendered(name).digest, renderedOf(name)).toBe(digestOf(name))
})

test('chart and app have the version of the package', () => {
  const { version } = JSON.parse(textOf('package.json'))
  const chart = textOf(`${CHART}/Chart.yaml`)
  expect(versionsOf(chart)).toEqual([version, version])
  expect(versionsOf(withChartVersion(chart, '9.8.7'))).toEqual(['9.8.7', '9.8.7'])
  expect(withChartVersion(chart, version)).toBe(chart)
})

describe.each(RENDERINGS)('with the $name values', ({ name, release }) => {
  const objects = rendered(name).objects
  test('every object is of a known kind, with a name of its own and the labels of the release', () => {
    const kinds: Record<string, string> = {
      Deployment: 'apps/v1',
      Job: 'batch/v1',
      PodDisruptionBudget: 'policy/v1',
      Service: 'v1',
      Ingress: 'networking.k8s.io/v1',
      NetworkPolicy: 'networking.k8s.io/v1',
      ServiceMonitor: 'monitoring.coreos.com/v1',
    }
    for (const { kind, apiVersion, metadata } of objects) {
      expect(kinds[kind], kind).toBe(apiVersion)
      expect(metadata.name).toMatch(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/)
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'cowrie',
        'app.kubernetes.io/instance': release,
        'app.kubernetes.io/version': VERSION,
      })
    }
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    const always = ['Deployment', 'Deployment', 'Job', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service']
    const more = ['Ingress', 'NetworkPolicy', 'Service', 'Service', 'ServiceMonitor']
    const kindsThere = objects.map(({ kind }): string => kind)
    expect(kindsThere.toSorted()).toEqual([...always, ...(name === 'full' ? more : [])].toSorted())
  })

  test('every container is a program of the image, unprivileged, on a read-only root', () => {
    for (const part of ['api', 'worker', 'migrate']) {
      const pod = podOf(name, part)
      expect(pod.automountServiceAccountToken, part).toBe(false)
      expect(pod.securityContext, part).toMatchObject({ runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001 })
      expect(pod.securityContext.seccompProfile, part).toEqual({ type: 'RuntimeDefault' })
      expect(pod.containers.length, part).toBe(1)
      const { securityContext, args, command, image } = pod.containers[0]
      expect(securityContext, part).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(command).toBeUndefined()
      expect(args).toEqual([part])
      expect(Object.keys(PROGRAMS)).toContain(part)
      expect(image).toMatch(new RegExp(`^[\\w./-]*cowrie:${VERSION}`))
    }
    expect(textOf('Containerfile')).toContain('USER 10001:10001')
  })

  test('migrations run before an install and an upgrade, with the login of the owner and no other', () => {
    const job = find(name, 'Job', '-migrate')
    expect(job.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    })
    const [owner, gateway] = name === 'full' ? ['pay-owner', 'pay-gateway'] : ['cowrie-owner', 'cowrie']
    const secretsOf = (part: string) =>
      new Set((containerOf(name, part).env as Any[]).flatMap((one) => one.valueFrom?.secretKeyRef.name ?? []))
    expect(secretsOf('migrate')).toEqual(new Set([owner]))
    for (const part of ['api', 'worker']) expect(secretsOf(part)).toEqual(new Set([gateway]))
    expect(job.spec.template.spec.restartPolicy).toBe('Never')
  })

  test('every setting in it is one that the gateway knows', () => {
    const settings = known()
    expect(settings.size).toBeGreaterThan(30)
    settings.add('NODE_EXTRA_CA_CERTS') // Node's own
    for (const part of ['api', 'worker', 'migrate']) {
      const names = (containerOf(name, part).env as Any[]).map((one) => one.name as string)
      expect(names.filter((one) => !settings.has(one))).toEqual([])
      expect(new Set(names).size, `${part} has a setting twice`).toBe(names.length)
    }
  })

  test('with the Secret filled it is a valid live configuration, with keys in files that are read again', () => {
    for (const part of ['api', 'worker']) {
      const config = configOf(name, part)
      expect(config.environment).toBe('live')
      expect(config.rereadKeys, part).not.toBeNull()
      expect(config.publicUrl).toBe('https://pay.example')
      const { items, secretName } = podOf(name, part).volumes.find((one: Any) => one.name === 'keys').secret
      expect(secretName).toBe(name === 'full' ? 'pay-gateway' : 'cowrie')
      expect(items.map(({ path }: Any) => join(keys, path)).toSorted()).toEqual(
        ['BANK_KEYS_FILE', 'MASTER_KEYS_FILE'].map((setting) => environmentOf(name, part)[setting]),
      )
      // A mount of a single file is never changed while the pod runs.
      for (const mount of containerOf(name, part).volumeMounts) expect(mount.subPath).toBeUndefined()
    }
  })

  test('ports and probes are those that the processes listen on', () => {
    for (const part of ['api', 'worker']) {
      const config = configOf(name, part)
      const { ports, startupProbe, livenessProbe, readinessProbe } = containerOf(name, part)
      const portOf = (wanted: string) => ports.find((one: Any) => one.name === wanted)?.containerPort
      expect(config.privately).toEqual({ host: '0.0.0.0', port: portOf('private') })
      expect(startupProbe.httpGet).toEqual({ path: '/health', port: 'private' })
      expect(livenessProbe.httpGet).toEqual({ path: '/health', port: 'private' })
      expect(readinessProbe.httpGet).toEqual({ path: '/ready', port: 'private' })
      expect(portOf('http')).toBe(part === 'api' ? config.port : undefined)
    }
    const api = configOf(name, 'api')
    expect(api.host).toBe('0.0.0.0')
    // Inside of the pod only, unless it has a Service.
    expect(api.operator).toEqual({ host: name === 'full' ? '0.0.0.0' : '127.0.0.1', port: 4001 })
    expect(api.operatorUrl).toBe(name === 'full' ? 'https://operator.pay.example' : 'http://127.0.0.1:4001')
    expect(configOf(name, 'worker').operator).toBeNull()
  })

  test('a pod has the time that it drains and stops in, and another is ready before it ends', () => {
    for (const part of ['api', 'worker']) {
      const { drainMs, stopMs } = configOf(name, part)
      expect(drainMs).toBe(name === 'full' ? 15_000 : 10_000)
      const needed = (drainMs + stopMs) / 1000 + CLOSING
      expect(podOf(name, part).terminationGracePeriodSeconds).toBeGreaterThan(needed)
      const { spec } = find(name, 'Deployment', `-${part}`)
      expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
      expect(spec.replicas).toBe(name === 'full' ? { api: 6, worker: 3 }[part] : 2)
    }
  })

  test('selectors find the pods that they mean, and no others', () => {
    const labels = Object.fromEntries(
      ['api', 'worker', 'migrate'].map((part) => {
        const kind = part === 'migrate' ? 'Job' : 'Deployment'
        return [part, find(name, kind, `-${part}`).spec.template.metadata.labels as Record<string, string>]
      }),
    )
    const found = (selector: Record<string, string>): string[] =>
      Object.keys(labels).filter((part) =>
        Object.entries(selector).every(([key, value]) => labels[part]?.[key] === value),
      )
    for (const part of ['api', 'worker']) {
      expect(found(find(name, 'Deployment', `-${part}`).spec.selector.matchLabels)).toEqual([part])
      const budget = find(name, 'PodDisruptionBudget', `-${part}`).spec
      expect(found(budget.selector.matchLabels)).toEqual([part])
      expect(budget.maxUnavailable).toBe(1)
    }
    const service = find(name, 'Service', name === 'full' ? 'pay-cowrie' : 'cowrie')
    expect(found(service.spec.selector)).toEqual(['api'])
    expect(service.spec.ports[0].targetPort).toBe('http')
  })
})

test('ingress, console, metrics and network policy are there when they are asked for', () => {
  const { spec: ingress } = find('full', 'Ingress', '')
  expect(ingress.ingressClassName).toBe('nginx')
  expect(ingress.tls).toEqual([{ hosts: ['pay.example'], secretName: 'pay-tls' }])
  expect(ingress.rules[0].host).toBe('pay.example')
  expect(ingress.rules[0].http.paths[0].backend.service).toEqual({ name: 'pay-cowrie', port: { name: 'http' } })
  expect(find('full', 'Service', '-operator').spec.ports).toEqual([
    { name: 'operator', port: 80, targetPort: 'operator' },
  ])
  const monitored = find('full', 'Service', '-private')
  expect(monitored.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true })
  const { spec: monitor, metadata } = find('full', 'ServiceMonitor', '')
  expect(metadata.labels.release).toBe('prometheus')
  expect(monitored.metadata.labels).toMatchObject(monitor.selector.matchLabels)
  expect(monitor.endpoints).toEqual([{ port: 'private', path: '/metrics', interval: '30s' }])
  const { ingress: rules } = find('full', 'NetworkPolicy', '').spec
  expect(rules.map((rule: Any) => rule.ports.map((one: Any) => one.port))).toEqual([[4000, 4001], [4002]])
  expect(configOf('full', 'api')).toMatchObject({
    connections: 24,
    requestLogDays: 30,
    trustedProxies: ['10.42.0.0/16'],
  })
})
