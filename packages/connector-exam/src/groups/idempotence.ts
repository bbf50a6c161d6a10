// Group 2: one session is one payment, however often it is ordered.
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { PAYOUT_PATHS_V2, PayoutAnswerV2 } from '@cowrie/contract/bank/v2/payouts'
import { Compile } from 'typebox/compile'
import { must, Skip } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import { newAmount } from '../room/samples.ts'
import type { Group } from './group.ts'

const OFTEN = 100

async function atOnce(room: Room): Promise<void> {
  const trial = await room.trial()
  const all = await Promise.all(Array.from({ length: OFTEN }, () => room.send(trial)))
  const rows = await room.rows(trial)
  must(
    rows.length === 1,
    `The same order was sent ${OFTEN} times at once, and the bank took it ${rows.length} times. Expected: once.`,
  )
  // One that is not answered says nothing about the money; all of them would say that nothing works.
  const answered = all.filter(({ status }) => status !== 'none')
  const strange = answered.find(({ status }) => status !== 'SUCCESS' && status !== 'PENDING')
  must(
    answered.length > 0 && strange === undefined,
    `The same order was sent ${OFTEN} times at once, and ${answered.length} were answered, one with ${strange?.text ?? 'nothing'}. Expected SUCCESS or PENDING.`,
  )
  await room.learns(trial, ['SUCCESS'], 'The bank has paid it')
}

async function afterwards(room: Room): Promise<void> {
  const trial = await room.trial()
  await room.send(trial)
  await room.learns(trial, ['SUCCESS'], 'The bank has paid it')
  for (let turn = 0; turn < 3; turn += 1) {
    const said = await room.send(trial)
    must(
      said.status === 'SUCCESS',
      `An order that was paid was sent again, and answered with ${said.text}. Expected SUCCESS.`,
    )
  }
  await room.row(trial)
}

async function otherContents(room: Room): Promise<void> {
  const trial = await room.trial()
  await room.send(trial)
  let amount = newAmount()
  while (amount === trial.order.amount) amount = newAmount()
  const said = await room.send({ ...trial, order: { ...trial.order, amount } })
  must(
    said.http === 409,
    `Another amount under a session that was used was answered with ${said.text}. Expected HTTP 409: a session names one order for ever.`,
  )
  await room.row(trial)
}

const answers = Compile(PayoutAnswerV2)

/** The gateway may use the paths of either version for one payout: a process that has just started does not
 *  know yet which there are. */
async function bothVersions(room: Room): Promise<void> {
  const self = await room.adapter.call('GET', CONNECTOR_PATHS.capabilities)
  if (self?.json?.['payouts'] === undefined) throw new Skip('the adapter has payouts of version 1 only')
  const trial = await room.trial()
  const ask = async (path: string, message: object): Promise<unknown> => {
    const said = await room.adapter.call('POST', path, message)
    must(
      said?.status === 200 && answers.Check(said.json),
      `POST ${path} was answered with ${said === null ? 'nothing' : `HTTP ${said.status}`}, or not as the protocol has it.`,
    )
    return said.json['status']
  }
  await ask(PAYOUT_PATHS_V2.payouts, { ...trial.order, nameEnquiryReference: 'EXAM-1' })
  await room.learns(trial, ['SUCCESS'], 'It was ordered in version 2, and the bank has paid it')
  const said = await room.send(trial)
  must(said.status === 'SUCCESS', `The same order in version 1 was answered with ${said.text}. Expected SUCCESS.`)
  for (const path of [PAYOUT_PATHS_V2.payoutInquiries, PAYOUT_PATHS_V2.payoutBars]) {
    const status = await ask(path, { sessionId: trial.order.sessionId })
    must(status === 'SUCCESS', `POST ${path} about what was paid says ${String(status)}. Expected SUCCESS.`)
  }
  await room.row(trial)
}

export const idempotence: Group = {
  number: 2,
  name: 'idempotence',
  needs: 'payout',
  checks: () => [
    { name: `the same order ${OFTEN} times at once`, run: atOnce },
    { name: 'the same order after it was paid', run: afterwards },
    { name: 'another order under the same session', run: otherContents },
    { name: 'the same order at the paths of both versions', run: bothVersions },
  ],
}
