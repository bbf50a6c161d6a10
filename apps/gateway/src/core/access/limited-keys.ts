// Limited API keys as the request path sees them: a merchant whose request came with one carries what the key
// may. A key narrows what its merchant may and never widens it: fewer permissions, fewer addresses, fewer
// contracts.
import { AGENT_SCOPE, permissionsOfScope } from '@cowrie/contract/kit/permissions'
import { CONTRACT_FIELDS, EVERY_KEY, type Route } from '@cowrie/contract/kit/spec'
import type { Ctx, Statement } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { readAs } from '../cells/cells.ts'
import { type ContractStatements, type Declarations, merged } from '../declarations.ts'

export type LimitedKey = {
  readonly apiKey: string
  /** 1, 2, 3 … per merchant; its tokens carry it. */
  readonly number: number
  /** What its merchant calls it. */
  readonly name: string
  /** Of an agent: what it asks for waits for one of the merchant's people, and each of its calls is in the
   *  audit trail. */
  readonly agent: boolean
  /** Who made it and who approved that, in small letters: the key counts as either of them. */
  readonly makers: readonly string[]
  may(permission: NonNullable<Route['permission']>): boolean
  /** Null: all. */
  readonly contracts: ReadonlySet<string> | null
}

/** Says that it is the key: another one of the same merchant may. */
const refuse = (permission: string): never =>
  fail('PERMISSION_DENIED', { permission: `${permission}. This API key is limited` })

/** As a merchant's record holds it. */
export type KeyRow = {
  number: number
  api_key: string
  name: string
  digest: string
  scope: string
  makers: string[]
  contracts: string[] | null
  addresses: string[] | null
}

export const toLimitedKey = ({ api_key: apiKey, number, name, scope, makers, contracts }: KeyRow): LimitedKey => {
  const permissions = permissionsOfScope(scope)
  return {
    apiKey,
    number,
    name,
    agent: scope === AGENT_SCOPE,
    makers,
    may: (permission) => permission === EVERY_KEY || permissions.has(permission),
    contracts: contracts && new Set(contracts),
  }
}

/** Refuses a route that is not for this key. What an agent may only propose, it may ask for: `needsPerson`
 *  sees to the rest. */
export function needPermission(key: LimitedKey, { permission, proposable, contractFields }: Route): void {
  if (permission === undefined || !(key.may(permission) || (key.agent && proposable)))
    refuse(permission ?? 'this route')
  if (key.contracts !== null && !contractFields && permission !== EVERY_KEY) refuse(`${permission} for all contracts`)
}

/** The statements of all features; a field of requests that none of them declares ends the start. */
export function gatherContractStatements(features: readonly Declarations[]): ContractStatements {
  const declared = merged<Statement>(
    'the contract of',
    features.map(({ contractOf = {} }) => contractOf),
  )
  for (const field of CONTRACT_FIELDS)
    if (field !== 'contractCode' && !Object.hasOwn(declared, field))
      throw new Error(`no feature declares the contract of "${field}"`)
  return declared as ContractStatements
}

/** A character that no identifier has. */
const NOBODYS = '\ufffd'
const PLACES = ['params', 'query', 'body'] as const
type Asked = Readonly<Record<(typeof PLACES)[number], unknown>>

/** The call as a key that is limited to contracts may make it. Another contract is refused; an object of
 *  another contract is replaced by one that nobody has, so the answer is that of an unknown one to the
 *  letter. The contract of an object never changes. */
export async function heldToContracts<C extends Asked>(
  { ctx, contractStatements }: { readonly ctx: Ctx; readonly contractStatements: ContractStatements },
  merchant: { readonly cell: CellId; readonly id: bigint },
  contracts: ReadonlySet<string>,
  { permission, contractFields = [] }: Route,
  call: C,
): Promise<C> {
  let held = call
  for (const field of contractFields) {
    for (const place of PLACES) {
      const fields = call[place] as Readonly<Record<string, unknown>> | undefined
      const value = fields?.[field]
      if (typeof value !== 'string') continue
      if (field === 'contractCode') {
        if (!contracts.has(value)) refuse(`${permission} for this contract`)
        continue
      }
      const rows = await readAs(ctx, merchant.cell, merchant.id, (r) =>
        r.query<{ contract_code: string }>(contractStatements[field], [merchant.id, value]),
      )
      if (rows.every((row) => contracts.has(row.contract_code))) continue
      held = { ...held, [place]: { ...(held[place] as object), [field]: NOBODYS } }
    }
  }
  return held
}
