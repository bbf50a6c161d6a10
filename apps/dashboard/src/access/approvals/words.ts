// What waits for a second person, in words: every act that may wait, its amount, and every field of it.
// Nothing of the act is left out; a field that this file does not know is shown by its name.
import type { ApprovalRecord } from '@cowrie/contract/access/approvals'
import type { Static } from 'typebox'
import { koboOf, koboOfText } from '../../money.ts'
import type { StateTone } from '../../parts/figures.tsx'
import { isWithdrawal, routeFacts } from '../../screens/operator/routes/words.ts'

export type Approval = Static<typeof ApprovalRecord>

export const STATES: Readonly<Record<Approval['state'], readonly [tone: StateTone, word: string]>> = {
  WAITING: ['wait', 'Waiting'],
  EXECUTED: ['good', 'Approved and done'],
  REJECTED: ['bad', 'Rejected'],
  EXPIRED: ['off', 'Expired'],
}

/** What it is, and what the button that does it says. */
const ACTS: Readonly<Record<string, readonly [what: string, doing: string]>> = {
  'payouts.release': ['Payout', 'Approve and send'],
  'refunds.release': ['Refund', 'Approve and send'],
  'payouts.approvalAbove': ['Amount above which two people decide', 'Approve the change'],
  'destinations.confirm': ['New account that receives money', 'Approve the account'],
  'keys.create': ['New API key', 'Approve and make the key'],
  'suspense.accept': ['Accept held money', 'Approve and accept it'],
  'suspense.return': ['Return money that does not fit', 'Approve and return it'],
  'suspense.reassign': ['Assign suspense to a merchant', 'Approve and assign it'],
  'suspense.keep': ['Keep suspense', 'Approve and keep it'],
  'fees.set': ['New fees', 'Approve the fees'],
  'limits.set': ['New limits', 'Approve the limits'],
  'settlements.release': ['Release held settlements', 'Approve and release'],
  'holidays.add': ['Add a holiday', 'Approve the holiday'],
  'merchants.golive': ['Let a merchant go live', 'Approve: go live'],
  'merchants.resume': ['Lift a suspension', 'Approve and lift it'],
  'merchants.close': ['Close a merchant', 'Approve and close it'],
  'merchants.addresses': ['Networks of a merchant', 'Approve the networks'],
  'merchants.rename': ['Rename a merchant', 'Approve the name'],
  'features.grant': ['Grant a feature', 'Approve and grant it'],
  'keys.reset': ['New secret key for a merchant', 'Approve and reset it'],
  'owners.invite': ['Invite an owner', 'Approve and invite'],
  'owners.replace': ['Another owner, where none can be reached', 'Approve and invite'],
  'operators.invite': ['Invite an operator', 'Approve and invite'],
  'operators.reset': ['Reset an operator', 'Approve and reset'],
  'operators.changeRole': ['Change the role of an operator', 'Approve the role'],
  'breaks.resolve': ['Correcting entry', 'Approve and post it'],
  'breaks.undo': ['Undo a correcting entry', 'Approve and undo it'],
  'breaks.close': ['Close a break with a difference', 'Approve and close it'],
  'work.repair': ['Repair of work that is stuck', 'Approve and repair'],
  'routes.set': ['New route', 'Approve the route'],
}
const ROUTE = 'routes.set'
const WITHDRAWAL = ['Withdraw a route', 'Approve and withdraw it'] as const
const wordsOf = ({ act, input }: Approval): readonly [what: string, doing: string] | undefined =>
  act === ROUTE && isWithdrawal(input) ? WITHDRAWAL : ACTS[act]
/** `CWAP01…`: an approval is kept in the cell of its act. */
const cellOf = ({ reference }: Approval): string => reference.slice(4, 6)
const KINDS: Readonly<Record<string, string>> = { TRANSFER: 'Payout', BATCH: 'Batch of payouts', REFUND: 'Refund' }
export const kindOf = (approval: Approval): string =>
  KINDS[String(approval.input['kind'])] ?? wordsOf(approval)?.[0] ?? wordOf(approval.act.replace('.', ' '))
export const doingOf = (approval: Approval): string => wordsOf(approval)?.[1] ?? 'Approve'

/** Null where the act is about no amount. */
export function amountOf({ input }: Approval): bigint | null {
  const { amount } = input
  return typeof amount === 'number' ? koboOf(amount) : typeof amount === 'string' ? koboOfText(amount) : null
}

/** Who or what it is about, for the head of a row. */
export function subjectOf(approval: Approval): string {
  const { act, input, merchant } = approval
  if (act === ROUTE) return routeFacts(input, cellOf(approval))[0]?.[1] ?? kindOf(approval)
  const named: readonly unknown[] = [
    input['to'],
    input['name'],
    input['email'],
    input['reference'],
    input['id'],
    merchant,
  ]
  return named.find((value): value is string => typeof value === 'string' && value !== '') ?? kindOf(approval)
}

/** `Ada Obi, 0123456789, bank 058`: the name stands alone, the rest below it. */
export function headOf(approval: Approval): readonly [head: string, rest: string] {
  const subject = subjectOf(approval)
  const at = approval.input['kind'] === 'TRANSFER' ? subject.indexOf(', ') : -1
  return at === -1 ? [subject, approval.reason] : [subject.slice(0, at), subject.slice(at + 2)]
}

/** `approvalAbove` → `Approval above`. */
export const wordOf = (name: string): string => {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function textOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(textOf).join(', ') || 'None'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
/** Every field of the act beside its amount, which stands large above them. */
export const fieldsOf = (approval: Approval): readonly (readonly [string, string])[] =>
  approval.act === ROUTE
    ? routeFacts(approval.input, cellOf(approval))
    : Object.entries(approval.input)
        .filter(([name]) => name !== 'amount' && name !== 'kind')
        .map(([name, value]) => [wordOf(name), textOf(value)])

/** How whoever asked or decided showed who they are. */
export const proofOf = (kind: string, signed: boolean): string =>
  signed
    ? 'signed it with a passkey'
    : kind === 'person'
      ? 'had just shown who they are'
      : kind === 'key'
        ? 'by API key'
        : 'by command'
