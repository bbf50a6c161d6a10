// The generated page of what people do and look at, from the contract's lists of acts and views.
import { ACTS, PREFIX, VIEWS } from '@cowrie/contract/acts'
import type { Act, View } from '@cowrie/contract/kit/act'
import type { Side } from '@cowrie/contract/kit/permissions'
import { code, page, requestTable, table } from './markdown.ts'

const TITLES: Readonly<Record<Side, string>> = { merchant: "A merchant's people", operator: "The operator's people" }

const needs = ({ approval, stepUp, dryRun }: Act): string =>
  [
    approval === 'always' ? 'a second person' : approval === 'sometimes' ? 'sometimes a second person' : '',
    stepUp ? 'step-up' : '',
    dryRun ? 'can be tried' : '',
  ]
    .filter(Boolean)
    .join(', ')

const fieldsOf = (title: string, schema: Act['input']): string[] =>
  Object.keys(schema.properties).length > 0 ? [`#### ${title}`, requestTable(schema)] : []

function sideOf(side: Side): string[] {
  const acts = ACTS.filter((one) => one.side === side)
  const views = VIEWS.filter((one) => one.side === side)
  const row = (one: Act | View, more: readonly string[]) => [
    code(one.id),
    one.summary,
    code(one.permission),
    one.concerns,
    ...more,
  ]
  return [
    `## ${TITLES[side]}`,
    `${code(`POST ${PREFIX[side]}/acts/<act>`)}, ${code(`GET ${PREFIX[side]}/views/<view>`)}`,
    table(
      ['Act', 'Does', 'Permission', 'Concerns', 'Needs'],
      acts.map((one) => row(one, [needs(one)])),
    ),
    table(
      ['View', 'Shows', 'Permission', 'Concerns'],
      views.map((one) => row(one, [])),
    ),
    '### Input',
    ...acts.flatMap((one) => fieldsOf(one.id, one.input)),
    '### Queries',
    ...views.flatMap((one) => fieldsOf(one.id, one.query)),
  ]
}

export const administrationPage = (): string =>
  page(
    '# Administration',
    [
      'What people do and look at. An act is sent as JSON with `input`, and where they apply `merchant` (an API key), `cell`, `reason`, `dryRun` and',
      '`proof`; it answers `outcome` DONE, WAITING (with the `reference` of an approval) or WOULD. Every act is kept in the audit trail.',
    ].join('\n'),
    ...sideOf('operator'),
    ...sideOf('merchant'),
  )
