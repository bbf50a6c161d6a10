// clients/php/generated/operations.php: the operations, the events, and the table of what a call needs.
import { capital, HEADERS } from '../source.ts'
import { type EventKind, HEAD, KINDS, LOG_IN, OPERATIONS, type Operation, snake } from './operations.ts'
import { type Dialect, shapeIn } from './shapes.ts'

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
const doc = (lines: readonly string[], indent: string): string => {
  const safe = lines.map((line) => line.replaceAll('*/', '* /'))
  return safe.length === 1
    ? `${indent}/** ${safe[0]} */\n`
    : `${indent}/**\n${safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}

function routeOf({ id, entry, takes }: Operation): string {
  const { outcome } = entry
  const more: readonly (readonly [string, string | false])[] = [
    ['auth', entry.auth !== undefined && quoted(entry.auth)],
    ['keyed', entry.keyed === true && 'true'],
    ['body', entry.body === true && 'true'],
    ['items', entry.items === true && 'true'],
    ['file', entry.file === true && 'true'],
    [
      'outcome',
      outcome !== undefined && `[${[outcome.ask, outcome.by, outcome.from ?? outcome.by].map(quoted).join(', ')}]`,
    ],
    ['takes', takes !== '' && quoted(takes)],
    ['amounts', entry.amounts !== undefined && quoted(entry.amounts)],
  ]
  const given = more.flatMap(([name, value]) => (value === false ? [] : [`${name}: ${value}`]))
  return `            ${quoted(id)} => new Route(${[quoted(entry.method), quoted(entry.path), ...given].join(', ')}),\n`
}

const GIVES = { nothing: 'void', pages: 'Listing', text: 'string', array: 'array', any: 'mixed' } as const
const TAKES = { none: '$input = []', optional: '$input = []', required: '$input', list: '$input' } as const

function methodOf({ id, name, entry, input, gives, words }: Operation): string {
  const call = `($this->ask)(${quoted(id)}, $input, $options)`
  const body = entry.pages
    ? `return new Listing(${quoted(entry.pages)}, $input, fn (array $input): array => ${call});`
    : `${gives === 'nothing' ? '' : 'return '}${call};`
  const given = input === 'list' ? 'list<array<string, mixed>>' : 'array<string, mixed>'
  return `${doc([words, '', `@param ${given} $input`], '    ')}    public function ${name}(array ${TAKES[input]}, ?Options $options = null): ${GIVES[gives]}
    {
        ${body}
    }
`
}

const classOf = ([group, operations]: (typeof OPERATIONS)[number]): string => `final readonly class ${capital(group)}
{
    public function __construct(private \\Closure $ask)
    {
    }

${operations.map(methodOf).join('\n')}}
`

// ---- events

const DIALECT: Dialect = {
  ...{ text: 'string', integer: 'int', number: 'int|float', boolean: 'bool', nothing: 'null', any: 'mixed' },
  literal: (value) => (typeof value === 'string' ? quoted(value) : String(value)),
  list: (item) => `list<${item}>`,
  map: (value) => `array<string, ${value}>`,
  object: (_, fields) =>
    `array{${fields.map(({ name, type, required }) => `${/^\w+$/.test(name) ? name : quoted(name)}${required ? '' : '?'}: ${type}`).join(', ')}}`,
}

const eventOf = ({ name, summary, data }: EventKind): string =>
  `${doc([summary, '', `@extends Event<${shapeIn(DIALECT, data, name)}>`], '')}final readonly class ${name} extends Event\n{\n}\n`

export function phpSource(): string {
  const all = OPERATIONS.flatMap(([, operations]) => operations)
  const groups = OPERATIONS.map(([group]) => `    public readonly Operation\\${capital(group)} $${group};\n`)
  const made = OPERATIONS.map(([group]) => `        $this->${group} = new Operation\\${capital(group)}($ask);\n`)
  const headers = Object.entries(HEADERS).map(
    ([name, header]) => `    public const HEADER_${snake(name).toUpperCase()} = ${quoted(header)};\n`,
  )
  const kinds = KINDS.map(
    ({ type, name, amounts }) => `        ${quoted(type)} => [Events\\${name}::class, ${quoted(amounts)}],\n`,
  )
  return `<?php

// ${HEAD}
// The operations of the gateway, one method each, and the kinds of notifications.

declare(strict_types=1);

namespace Cowrie;

use Cowrie\\Internal\\Route;

abstract class Operations
{
    public const LOG_IN = ${quoted(LOG_IN)};
${headers.join('')}
    /** By the name that the gateway sends: the class, and where the body has amounts as numbers. */
    public const EVENTS = [
${kinds.join('')}    ];

${groups.join('')}
    protected function __construct(\\Closure $ask)
    {
${made.join('')}    }

    protected static function route(string $operation): Route
    {
        /** @var array<string, Route> $routes made once */
        static $routes = [
${all.map(routeOf).join('')}        ];
        return $routes[$operation];
    }
}

namespace Cowrie\\Operation;

use Cowrie\\Listing;
use Cowrie\\Options;

${OPERATIONS.map(classOf).join('\n')}
namespace Cowrie\\Events;

use Cowrie\\Event;

${KINDS.map(eventOf).join('\n')}`
}
