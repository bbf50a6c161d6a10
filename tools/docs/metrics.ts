// docs/operate/metrics.md: every series that api and worker serve.
import '../../apps/gateway/src/kit/series.ts'
import { families } from '../../apps/gateway/src/kit/metrics.ts'

const HEAD = `<!-- Generated from apps/gateway/src/kit/series.ts by \`npm run generate\`; do not edit. -->

# Metrics

With \`PRIVATE_PORT\` set, api and worker serve \`/metrics\` in Prometheus' text format ([restarts](restarts.md) has the other addresses of that port;
[0069](../decisions/0069-metrics-and-alarms.md) why it is so). In [monitoring](monitoring) are a
[prometheus.yml](monitoring/prometheus.yml) to begin with, [alarms](monitoring/cowrie.rules.yml) with their [run-books](runbooks), an
[alertmanager.yml](monitoring/alertmanager.yml) that sends mail, and a dashboard for Grafana ([grafana.json](monitoring/grafana.json), import it and choose
your Prometheus). \`trials/stories/alarms.test.ts\` fires each alarm by a planted fault. Of what workers read of the cells every worker says the same: take the maximum, not the sum.

| Series | Kind | Labels | Of | Means |
|---|---|---|---|---|
`

const TAIL = `
## Traces and logs

A request belongs to the trace that its header \`traceparent\` names (W3C Trace Context); without one, to a trace with the request's own id. Calls to the bank
carry it, and so do notifications of events that a request with a \`traceparent\` caused at once: the outcome of a payout, or, of a bank that sends one with its
notice, a payment ([0069](../decisions/0069-metrics-and-alarms.md)).

Spans of requests, calls to the bank and deliveries go to whatever OpenTelemetry provider is registered before the process:
\`node --import ./tracing.js api.js\`, where \`tracing.js\` starts the OpenTelemetry SDK of your choice. Without one no span is made.

A line of the access log (\`LOG_LEVEL=info\`) has \`requestId\`, \`traceId\` if the caller named a trace, \`method\`, \`route\`, \`status\`, \`ms\`, \`cell\`, \`merchantId\`, our
own \`reference\` of the object where the request or its answer has one, and \`code\` if it was refused. Lines of faults have the same. No line has a body, a
merchant's own reference, a name, an address of a person or a secret.
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
    .join('') +
  TAIL
