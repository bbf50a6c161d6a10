// Group 2: one session is one payment, however often it is ordered.
import { must } from '../kit/result.ts'
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

export const idempotence: Group = {
  number: 2,
  name: 'idempotence',
  needs: 'payout',
  checks: () => [
    { name: `the same order ${OFTEN} times at once`, run: atOnce },
    { name: 'the same order after it was paid', run: afterwards },
    { name: 'another order under the same session', run: otherContents },
  ],
}
