// The fake as a process: the published interface and the control interface on one port. Its settings come as
// JSON in the first argument.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BANKS } from '@cowrie/contract/bank/banks'
import {
  createPlans,
  type Plan,
  play,
  readSettings,
  sendText,
  serveFake,
} from '../../../packages/connector-kit/test/fake.ts'
import { CALLS, type Credentials, createBank, type Json } from './bank.ts'
import { bookedAs } from './codes.ts'
import { createControls } from './control.ts'

export type FakeConfig = Credentials & { readonly port?: number }

const parse = (text: string): Json => {
  try {
    return JSON.parse(text || '{}') as Json
  } catch {
    return {}
  }
}

const config = readSettings<FakeConfig>()
const bank = createBank(config)
const plans = createPlans(CALLS, (code) => bookedAs(code) !== 'FAILED')

/** With a code, the body looks like an answer, whatever its status. */
function answer(response: ServerResponse, plan: Plan, usual: Json): void {
  const coded = JSON.stringify({ ...usual, responseCode: plan.code })
  const fault = plan.code === '' ? '{"message":"The request was not processed"}' : coded
  const text = plan.behaviour === 'code' ? coded : JSON.stringify(usual)
  play(plan, response, 200, text, { fault, page: 'Maintenance' })
}

const INSTITUTIONS = BANKS.flatMap(({ name, nipBankCode }) =>
  nipBankCode === null ? [] : [{ institutionCode: nipBankCode, institutionName: name, category: 2 }],
)

function bankCall(request: IncomingMessage, response: ServerResponse, text: string): boolean {
  const call = `${request.method} ${request.url}`
  const send = (status: number, body: unknown): true => {
    sendText(response, status, JSON.stringify(body))
    return true
  }
  if (call.includes(' /exam') || call.includes(' /fake')) return false
  if (call === 'POST /reset') {
    const token = bank.issue(new URLSearchParams(text))
    return token === null ? send(401, { error: 'invalid_client' }) : send(200, token)
  }
  if (!bank.isLetIn(request.headers.authorization)) {
    bank.counts.refused += 1
    return send(401, { message: 'Unauthorized' })
  }
  const message = parse(text)
  switch (call.replace('/nipservice/v1/nip', '')) {
    case 'POST /fundstransfer': {
      const plan = plans.next('order')
      answer(response, plan, bank.transfer(message, plan))
      return true
    }
    case 'POST /tsq':
      answer(response, plans.next('inquiry'), bank.inquiry(message))
      return true
    case 'POST /nameenquiry':
      answer(response, plans.next('name'), bank.name(message))
      return true
    case 'POST /balanceenquiry':
      return send(200, bank.balance(message))
    case 'GET /institutions':
      return send(200, INSTITUTIONS)
    default:
      return send(404, { message: 'no Route matched' })
  }
}

serveFake(config.port ?? 0, { bank: bankCall, controls: createControls(bank, plans) })
