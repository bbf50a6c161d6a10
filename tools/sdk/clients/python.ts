// clients/python/cowrie_client/_generated.py: the operations, the events, and the table of what a call needs.
import { capital, HEADERS } from '../source.ts'
import { type EventKind, HEAD, KINDS, LOG_IN, OPERATIONS, type Operation, snake } from './operations.ts'
import { type Dialect, type Field, shapeIn } from './shapes.ts'

const quoted = (text: string): string => JSON.stringify(text)
const docstring = (text: string, indent: string): string =>
  `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}${text.endsWith('"') ? ' ' : ''}"""\n`

function routeOf({ id, entry, takes }: Operation): string {
  const { outcome } = entry
  const more: readonly (readonly [string, string | false])[] = [
    ['auth', entry.auth !== undefined && quoted(entry.auth)],
    ['keyed', entry.keyed === true && 'True'],
    ['body', entry.body === true && 'True'],
    ['items', entry.items === true && 'True'],
    ['file', entry.file === true && 'True'],
    [
      'outcome',
      outcome !== undefined &&
        `Outcome(${quoted(outcome.ask)}, ${quoted(outcome.by)}, ${quoted(outcome.from ?? outcome.by)})`,
    ],
    ['takes', takes !== '' && quoted(takes)],
    ['amounts', entry.amounts !== undefined && quoted(entry.amounts)],
  ]
  const given = more.flatMap(([name, value]) => (value === false ? [] : [`${name}=${value}`]))
  return `    ${quoted(id)}: Route(${[quoted(entry.method), quoted(entry.path), ...given].join(', ')}),\n`
}

const GIVES = { nothing: 'None', pages: 'Listing', text: 'str', array: 'Any', any: 'Any' } as const
const TAKES = {
  none: 'fields: Fields | None = None',
  optional: 'fields: Fields | None = None',
  required: 'fields: Fields',
  list: 'fields: Items',
} as const

function methodOf({ id, name, entry, input, gives, words }: Operation): string {
  const call = entry.pages
    ? `return self._pages(${quoted(id)}, ${quoted(entry.pages)}, fields, options)`
    : gives === 'text'
      ? `return str(self._call(${quoted(id)}, fields, options))`
      : `${gives === 'nothing' ? '' : 'return '}self._call(${quoted(id)}, fields, options)`
  const signature = `def ${snake(name)}(self, ${TAKES[input]}, **options: Unpack[Options]) -> ${GIVES[gives]}`
  return `    ${signature}:\n${docstring(words, '        ')}        ${call}\n`
}

const classOf = ([group, operations]: (typeof OPERATIONS)[number]): string =>
  `class ${capital(group)}(Group):\n${operations.map(methodOf).join('\n')}`

// ---- events

const KEYWORD =
  /^(?:False|None|True|and|as|assert|async|await|class|def|del|from|global|if|import|in|is|lambda|not|or|pass|return|try|with|yield)$/

function dialect(classes: Map<string, string>): Dialect {
  const object = (name: string, fields: readonly Field[]): string => {
    const odd = fields.find((field) => !/^[A-Za-z_]\w*$/.test(field.name) || KEYWORD.test(field.name))
    if (odd) throw new Error(`${name}: ${odd.name} cannot be the name of a field in Python`)
    const lines = fields.map(({ name: field, type, required }) =>
      required ? `    ${field}: ${type}\n` : `    ${field}: NotRequired[${type}]\n`,
    )
    classes.set(name, `class ${name}(TypedDict):\n${lines.join('')}`)
    return name
  }
  return {
    ...{ text: 'str', integer: 'int', number: 'float', boolean: 'bool', nothing: 'None', any: 'Any' },
    literal: (value) => `Literal[${typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value)}]`,
    list: (item) => `list[${item}]`,
    map: (value) => `dict[str, ${value}]`,
    object,
  }
}

function eventOf({ name, summary, data }: EventKind): string {
  const classes = new Map<string, string>()
  const type = shapeIn(dialect(classes), data, `${name}Data`)
  const event = `class ${name}(Event[${type}]):\n${docstring(summary, '    ')}`
  return [...classes.values(), event].join('\n\n')
}

export function pythonSource(): string {
  const all = OPERATIONS.flatMap(([, operations]) => operations)
  const groups = OPERATIONS.map(([group]) => `        self.${snake(group)} = ${capital(group)}(ask)\n`)
  const kinds = KINDS.map(({ type, name, amounts }) => `    ${quoted(type)}: (${name}, ${quoted(amounts)}),\n`)
  const headers = Object.entries(HEADERS).map(([name, header]) => `    ${quoted(name)}: ${quoted(header)},\n`)
  return `# ${HEAD}
"""The operations of the gateway, one method each, and the kinds of notifications."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack

from ._events import Event
from ._route import Ask, Fields, Group, Items, Listing, Options, Outcome, Route

LOG_IN = ${quoted(LOG_IN)}

ROUTES: dict[str, Route] = {
${all.map(routeOf).join('')}}


${OPERATIONS.map(classOf).join('\n\n')}

class Operations:
    def __init__(self, ask: Ask) -> None:
${groups.join('')}

# ---- events


HEADERS = {
${headers.join('')}}


${KINDS.map(eventOf).join('\n\n')}

EVENTS: dict[str, tuple[type[Event[Any]], str]] = {
${kinds.join('')}}
"""By the name that the gateway sends: the class, and where the body has amounts as numbers."""
`
}
