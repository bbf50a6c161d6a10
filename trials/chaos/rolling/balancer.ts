// HAProxy in front of the apis, as an operator would set it up: it asks each for /ready on its private port,
// and repeats no request.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Server = { readonly name: string; readonly port: number; readonly privatePort: number }

/** A connection that could not be made may be tried at another server; a request that was sent is never sent
 *  again. */
const configOf = (port: number, statsPort: number, servers: readonly Server[]): string => `global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 10m
  timeout http-keep-alive 10m
  timeout server 60s
  timeout check 20s
  retries 2
  option redispatch 1
  retry-on conn-failure
frontend public
  bind 127.0.0.1:${port}
  default_backend apis
backend apis
  balance roundrobin
  option httpchk
  http-check send meth GET uri /ready
  http-check expect status 200
  default-server check inter 250ms fall 1 rise 1
${servers.map((one) => `  server ${one.name} 127.0.0.1:${one.port} port ${one.privatePort}`).join('\n')}
listen stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`

export type Row = Readonly<Record<string, string>>
export type Balancer = {
  /** What it counted of the apis together, and of each. */
  rows(): Promise<Row[]>
  stop(): Promise<void>
}

export async function startBalancer(
  dir: string,
  port: number,
  statsPort: number,
  servers: readonly Server[],
): Promise<Balancer> {
  const file = join(dir, 'haproxy.cfg')
  await writeFile(file, configOf(port, statsPort, servers))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  return {
    rows: async () => {
      const text = await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text()
      const [head = '', ...lines] = text.trim().split('\n')
      const names = head.replace('# ', '').split(',')
      return lines
        .map((line) => line.split(','))
        .map((cells): Row => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])))
        .filter(({ pxname }) => pxname === 'apis')
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
