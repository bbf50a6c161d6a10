// An adapter under examination: how it is reached, what it says it can do, and how it is started, killed and
// looked into.
import { CAPABILITIES, type Capability } from '@cowrie/contract/bank/v2/connectors'
import Type, { type Static } from 'typebox'

/** Milliseconds. A gateway waits ten seconds for an answer; the rest is what a person would call soon. */
export const LIMITS = {
  /** Within this the adapter answers a call, whatever its bank does. */
  answerMs: 10_000,
  /** Within this an inquiry tells what the bank knows. */
  learnMs: 30_000,
  /** Within this a notice is delivered that could be delivered. */
  noticeMs: 60_000,
  /** How long the exam looks that nothing comes. */
  quietMs: 3_000,
} as const
export type Limits = { readonly [Name in keyof typeof LIMITS]: number }

/** What an adapter is given before it is started. */
export type Setting = { readonly gatewayUrl: string }

/** What a subject may lack, with the reason that the result shows. */
export type Lack = 'process' | 'log' | 'rows' | 'secondKey'

export type Subject = {
  readonly name: string
  /** Asked before every call: a restart may change it. */
  readonly url: () => string
  /** The keys shared with the gateway; the second one, where there is one, is that of a rotation. */
  readonly keys: readonly string[]
  /** Left out: the adapter is asked. */
  readonly capabilities?: readonly Capability[]
  /** Where the fake bank has its control interface. */
  readonly upstreamUrl: string
  /** `kill` as kill -9, and `start` again with the same database; it returns when the adapter answers. */
  readonly process?: { readonly kill: () => Promise<void>; readonly start: () => Promise<void> }
  /** All that the adapter has logged so far. */
  readonly log?: () => Promise<string>
  /** All rows of its database, as text in any form. */
  readonly rows?: () => Promise<string>
  /** What must be found neither in its log nor in its rows: passwords and keys of the bank. The keys above
   *  are added. */
  readonly secrets?: readonly string[]
  readonly lacks?: { readonly [Name in Lack]?: string }
  readonly limits?: Partial<Limits>
  readonly close?: () => Promise<void>
}

/** What a file in JavaScript or TypeScript exports as `open`. */
export type Open = (setting: Setting) => Promise<Subject>

const Command = Type.String({ minLength: 1, description: 'Run by sh' })

/** What a file in JSON holds. */
export const SubjectFile = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    url: Type.String({ pattern: '^https?://' }),
    keys: Type.Array(Type.String({ minLength: 16 }), { minItems: 1, maxItems: 2 }),
    capabilities: Type.Optional(Type.Array(Type.Enum([...CAPABILITIES]))),
    upstreamUrl: Type.String({ pattern: '^https?://' }),
    gatewayPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    start: Type.Optional(Command),
    kill: Type.Optional(Command),
    log: Type.Optional(Command),
    rows: Type.Optional(Command),
    secrets: Type.Optional(Type.Array(Type.String({ minLength: 4 }))),
    lacks: Type.Optional(Type.Record(Type.Enum(['process', 'log', 'rows', 'secondKey']), Type.String())),
    limits: Type.Optional(
      Type.Partial(
        Type.Object({
          answerMs: Type.Integer({ minimum: 1 }),
          learnMs: Type.Integer({ minimum: 1 }),
          noticeMs: Type.Integer({ minimum: 1 }),
          quietMs: Type.Integer({ minimum: 1 }),
        }),
      ),
    ),
  },
  { additionalProperties: false },
)
export type SubjectFile = Static<typeof SubjectFile>
