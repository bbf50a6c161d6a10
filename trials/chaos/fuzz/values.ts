// Values for fuzzed requests, from the contract's schemas: what a client would send, with names it has seen
// in earlier answers.
import fc from 'fast-check'
import { SANDBOX_CARDS } from '../../../packages/contract/src/collections/cards.ts'
import { DAY_MS } from '../../../packages/contract/src/kit/durations.ts'
import type { JsonSchema } from '../../../packages/contract/src/kit/fields.ts'
import type { ChaosMerchant } from '../kit/world.ts'

export type Random = () => number
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
export const chance = (random: Random, share: number): boolean => random() < share

const SEEN_MAX = 200
const SAMPLES = 40
/** How often a known value is taken where one is known. */
const KNOWN = 0.6

/** Names and what answers held under them: references, codes, numbers of accounts. */
export class Seen {
  readonly #values = new Map<string, string[]>()

  /** Remembers every short text of an answer under its name. */
  learn(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const one of value.slice(0, 5)) this.learn(one, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) this.learn(inner, key)
    else if (typeof value === 'string' && value !== '' && value.length <= 80) this.#keep(name, value)
  }

  of(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }

  #keep(name: string, value: string): void {
    const values = this.#values.get(name) ?? []
    if (values.includes(value)) return
    if (values.push(value) > SEEN_MAX) values.shift()
    this.#values.set(name, values)
  }
}

/** Other names under which the same thing is asked for. */
const SAME: Readonly<Record<string, string>> = {
  mandateReferences: 'mandateReference',
  destinationAccountNumber: 'accountNumber',
  fromReference: 'transactionReference',
  biller_code: 'billerCode',
  category_code: 'categoryCode',
}

let serial = 0
const unique = (): string => {
  serial += 1
  return `f-${serial.toString(36)}-${process.pid.toString(36)}`
}
const digits = (random: Random, length: number): string =>
  Array.from({ length }, () => Math.floor(random() * 10)).join('')
const later = (random: Random): string => new Date(Date.now() + random() * 30 * DAY_MS).toISOString()

/** What a client knows by heart. */
function named(name: string, random: Random, merchant: ChaosMerchant): Json | undefined {
  if (/email/i.test(name)) return pick(random, ['ngozi@example.com', 'ada@example.com', `${unique()}@example.com`])
  if (/^(amount|.*Amount|.*Value)$/.test(name)) return pick(random, [100, 250, 1500, 1500.5, '2000.00', 5000])
  if (/Date$|^(from|to|startDate|endDate|expiryDate)$/.test(name)) return later(random).slice(0, 19).replace('T', ' ')
  if (/url$/i.test(name)) return 'https://shop.example/back'
  switch (name) {
    case 'contractCode':
      return merchant.contractCode
    case 'apiKey':
    case 'clientId':
      return merchant.apiKey
    case 'sourceAccountNumber':
      return merchant.walletNumber
    case 'currency':
    case 'currencyCode':
      return 'NGN'
    case 'bankCode':
    case 'destinationBankCode':
    case 'customerAccountBankCode':
      return pick(random, ['058', '057', '044', '50515'])
    case 'accountNumber':
    case 'destinationAccountNumber':
    case 'customerAccountNumber':
      return `${digits(random, 6)}${pick(random, ['7788', '0001', '0002', '0004', '1234'])}`
    case 'bvn':
      return '22222222226'
    case 'nin':
      return '12345678902'
    case 'card':
      return { ...SANDBOX_CARDS[pick(random, ['plain', 'otp', 'threeDs', 'failing'] as const)] }
    case 'token':
    case 'authorizationCode':
      return pick(random, ['123456', digits(random, 6)])
    case 'wait':
      return pick(random, ['0', '1'])
    default:
      return undefined
  }
}

/** What a name must not be, in front of what it is made of (no links in names). */
const FORBIDS = /^\^\(\?!.*\)(?=\[\^)/
/** What is forbidden is not generated from, but left out afterwards. */
function matchingAll(pattern: string): fc.Arbitrary<string> {
  const whole = new RegExp(pattern, 'u')
  return fc.stringMatching(new RegExp(pattern.replace(FORBIDS, '^'), 'u')).filter((text) => whole.test(text))
}

const samples = new Map<string, readonly string[]>()
function matching(pattern: string, random: Random): string {
  const known = samples.get(pattern) ?? fc.sample(matchingAll(pattern), SAMPLES)
  samples.set(pattern, known)
  return pick(random, known)
}

function text(schema: JsonSchema, name: string, random: Random): string {
  if (typeof schema['pattern'] === 'string') return matching(schema['pattern'], random)
  const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 40)]
  const words = /reference$/i.test(name) ? unique() : `${name} ${unique()}`
  return words.padEnd(least, 'x').slice(0, Math.max(most, 1))
}

function number(schema: JsonSchema, random: Random): number {
  const [least, most] = [Number(schema['minimum'] ?? 0), Number(schema['maximum'] ?? 5000)]
  const value = least + random() * Math.min(most - least, 5000)
  return schema['type'] === 'integer' ? Math.round(value) : Math.round(value * 100) / 100
}

export type Maker = { readonly random: Random; readonly seen: Seen; readonly merchant: ChaosMerchant }

/** A value that fits the schema, as far as a schema can tell. */
export function make(schema: JsonSchema, name: string, maker: Maker): Json {
  const { random, seen, merchant } = maker
  const known = seen.of(SAME[name] ?? name)
  const isText = schema['type'] === 'string'
  if (isText && known.length > 0 && chance(random, KNOWN)) return pick(random, known)
  const given = named(name, random, merchant)
  if (given !== undefined && chance(random, 0.9)) return given
  if ('const' in schema) return schema['const'] as Json
  if (Array.isArray(schema['enum'])) return pick(random, schema['enum'] as Json[])
  if (Array.isArray(schema['anyOf'])) return make(pick(random, schema['anyOf'] as JsonSchema[]), name, maker)
  if (Array.isArray(schema['examples']) && chance(random, 0.5)) return pick(random, schema['examples'] as Json[])
  switch (schema['type']) {
    case 'string':
      return text(schema, name, random)
    case 'number':
    case 'integer':
      return number(schema, random)
    case 'boolean':
      return chance(random, 0.5)
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) + Math.floor(random() * 3) }, () =>
        make((schema['items'] ?? {}) as JsonSchema, name, maker),
      )
    case 'object':
      return objectOf(schema, maker)
    default:
      return null
  }
}

export function objectOf(schema: JsonSchema, maker: Maker): { [key: string]: Json } {
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  return Object.fromEntries(
    properties
      .filter(([name]) => required.includes(name) || chance(maker.random, 0.4))
      .map(([name, inner]) => [name, make(inner, name, maker)]),
  )
}
