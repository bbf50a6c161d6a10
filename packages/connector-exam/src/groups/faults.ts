// Group 6: a bank that answers nonsense, or too late, has said nothing about the money.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { now } from '../kit/clock.ts'
import { must, Skip } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import { newAccount } from '../room/samples.ts'
import type { Behaviour, Plan } from '../subject/upstream.ts'
import type { Check, Group } from './group.ts'

type Fault = { readonly name: string; readonly plan: (room: Room) => Omit<Plan, 'on'>; readonly refuses?: boolean }

/** `refuses`: whoever is answered so knows that nothing was taken, so FAILED is true too. */
const FAULTS: readonly Fault[] = [
  { name: '401: its token has expired', plan: () => ({ behaviour: 'status', status: 401 }), refuses: true },
  { name: '429', plan: () => ({ behaviour: 'status', status: 429 }), refuses: true },
  { name: '500', plan: () => ({ behaviour: 'status', status: 500 }) },
  { name: '500 after it took the order', plan: () => ({ behaviour: 'status', status: 500, taken: true }) },
  { name: 'a page of HTML', plan: () => ({ behaviour: 'html' }) },
  { name: 'a page of HTML after it took the order', plan: () => ({ behaviour: 'html', taken: true }) },
  { name: 'half an answer', plan: () => ({ behaviour: 'half' }) },
  {
    name: 'an answer that comes too late',
    plan: ({ limits }) => ({ behaviour: 'slow', delayMs: limits.answerMs + 1_000 }),
  },
]

const ofOrder = ({ name, plan, refuses = false }: Fault): Check => ({
  name: `an order: ${name}`,
  needs: 'payout',
  run: async (room) => {
    const trial = await room.trial(plan(room))
    const start = now().getTime()
    const said = await room.send(trial)
    const tookMs = now().getTime() - start
    must(
      said.status !== 'none' || said.http !== null,
      `The bank answered an order with ${name}, and the adapter did not answer within ${tookMs} ms. Expected PENDING within ${room.limits.answerMs} ms: the gateway waits no longer.`,
    )
    const allowed = ['PENDING', 'SUCCESS', 'none', ...(refuses ? ['FAILED'] : [])]
    must(
      allowed.includes(said.status),
      `The bank answered an order with ${name}, and the adapter answered ${said.text}. Expected PENDING: that says nothing about the money.`,
    )
    await room.honest(trial, said, 'the order')
    if ((await room.rows(trial)).length === 1)
      await room.learns(
        trial,
        ['SUCCESS'],
        `The bank answered an order with ${name}, had taken it, and says so when asked`,
      )
    await room.honest(trial, await room.send(trial), 'the order')
    const after = await room.trial()
    await room.send(after)
    await room.learns(after, ['SUCCESS'], `The bank answered one order with ${name} and paid the next one`)
  },
})

const ofQuestion = ({ name, plan }: Fault): Check => ({
  name: `a question: ${name}`,
  needs: 'payout',
  run: async (room) => {
    const chosen = plan(room)
    room.needs(chosen.behaviour, 'inquiry')
    const trial = await room.trial({ behaviour: 'pend' })
    await room.send(trial)
    await room.upstream.next({ on: 'inquiry', ...chosen })
    const said = await room.inquire(trial)
    must(
      said.status === 'PENDING' || said.status === 'none',
      `The bank answered a question about a pending order with ${name}, and the adapter answered ${said.text}. Expected PENDING.`,
    )
    await room.upstream.reset()
    const { reference } = await room.row(trial)
    await room.upstream.settle(reference, 'SUCCESS')
    await room.learns(trial, ['SUCCESS'], `The bank answered one question with ${name} and the next one with SUCCESS`)
  },
})

const ofName = ({ name, plan }: Fault): Check => ({
  name: `a name enquiry: ${name}`,
  needs: 'name',
  run: async (room) => {
    const chosen = plan(room)
    room.needs(chosen.behaviour, 'name')
    const account = { bankCode: '058', accountNumber: newAccount() }
    await room.upstream.next({ on: 'name', ...chosen, times: 2 })
    const reply = await room.adapter.call('POST', BANK_PATHS.nameEnquiry, account)
    must(
      reply?.status !== 404,
      `The bank answered a name enquiry with ${name}, and the adapter answered 404. Expected a 5xx: 404 means that nobody has such an account.`,
    )
    must(
      reply?.status !== 200,
      `The bank answered a name enquiry with ${name}, and the adapter answered ${JSON.stringify(reply?.json)}. Expected a 5xx: no name was given.`,
    )
    await room.upstream.reset()
    const after = await room.adapter.call('POST', BANK_PATHS.nameEnquiry, account)
    must(
      after?.status === 200 && typeof after.json?.['accountName'] === 'string',
      `The bank gave a name, and the adapter answered ${after?.status ?? 'nothing'}. Expected 200 with accountName.`,
    )
  },
})

async function usualName(room: Room): Promise<void> {
  const account = { bankCode: '058', accountNumber: newAccount() }
  const reply = await room.adapter.call('POST', BANK_PATHS.nameEnquiry, account)
  const { accountName, bankCode, accountNumber } = reply?.json ?? {}
  must(
    reply?.status === 200 && typeof accountName === 'string' && accountName !== '',
    `The bank knows an account, and a name enquiry was answered with ${reply?.status ?? 'nothing'}. Expected 200 with accountName.`,
  )
  must(
    bankCode === account.bankCode && accountNumber === account.accountNumber,
    'The answer to a name enquiry is about another account than was asked for.',
  )
}

async function noSuchAccount(room: Room): Promise<void> {
  const { missingAccount } = room.playing
  if (missingAccount === undefined) throw new Skip('the fake bank does not name an account that nobody has')
  const reply = await room.adapter.call('POST', BANK_PATHS.nameEnquiry, missingAccount)
  must(
    reply?.status === 404,
    `The bank says that nobody has an account, and a name enquiry was answered with ${reply?.status ?? 'nothing'}. Expected 404.`,
  )
}

const OF_QUESTIONS: readonly Behaviour[] = ['status', 'html', 'half']

export const faults: Group = {
  number: 6,
  name: 'faults of the bank',
  needs: null,
  checks: (room) => {
    const some = FAULTS.filter(
      ({ name, plan }) => OF_QUESTIONS.includes(plan(room).behaviour) && !name.includes('took'),
    )
    return [
      ...FAULTS.map(ofOrder),
      ...some.map(ofQuestion),
      { name: 'a name enquiry: the name', needs: 'name', run: usualName },
      { name: 'a name enquiry: no such account', needs: 'name', run: noSuchAccount },
      ...some.filter(({ refuses = false }) => !refuses).map(ofName),
    ]
  },
}
