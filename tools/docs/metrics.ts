// docs/operate/metrics.md: every series that api and worker serve.
import '../../apps/gateway/src/kit/series.ts'
import { families } from '../../apps/gateway/src/kit/metrics.ts'

const HEAD = `<!-- Generated from apps/gateway/src/kit/series.ts by \`npm run generate\`; do not edit. -->

# Metrics

With \`PRIVATE_PORT\` set, api and worker serve \`/metrics\` in Prometheus' text format ([restarts](restarts.md) has the other addresses of that port;
[0069](../decisions/0069-metrics-and-alarms.md) why it is so). In [monitoring](monitoring) are a
[prometheus.yml](monitoring/prometheus.yml) to begin with, [twelve alarms](monitoring/cowrie.rules.yml) with their [run-books](runbooks), an
[alertmanager.yml](monitoring/alertmanager.yml) that sends mail, and a dashboard for Grafana ([grafana.json](monitoring/grafana.json), import it and choose
your Prometheus). Of what workers read of the cells every worker says the same: take the maximum, not the sum.

| Series | Kind | Labels | Of | Means |
|---|---|---|---|---|
`

export const metricsPage = (): string =>
  HEAD +
  families()
    .filter(({ name }) => name.startsWith('cowrie_'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, kind, labels, of, help }) => {
      const names = labels.map((label) => `\`${label}\``).join(', ')
      return `| \`${name}\` | ${kind} | ${names} | ${of === 'both' ? 'api, worker' : of} | ${help} |\n`
    })
    .join('')
