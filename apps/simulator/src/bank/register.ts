// The registers of people: bank verification numbers and national identity numbers. They hold no data: the
// last digits decide. Eleven digits ending in an even digit are a person; of those, ending in 0000, a person
// who is barred. Who it is, people.ts says; of numbers that end in 0004 the register gives no details today.
import { BANK_PATHS, type IdentityAnswer, IdentityAsked } from '@cowrie/contract/bank/connector'
import {
  type AccountAnswer,
  AccountAsked,
  type DetailsAnswer,
  DetailsAsked,
  IDENTITY_PATHS,
  type PersonAnswer,
  PersonAsked,
} from '@cowrie/contract/bank/identity-connector'
import type { FastifyInstance } from 'fastify'
import { Compile } from 'typebox/compile'
import { accountName } from '../kit/names.ts'
import { bodyText, parseFields, refuse } from '../kit/requests.ts'
import { matchAccount, matchDetails, personOf } from './people.ts'

const questions = Compile(IdentityAsked)
const detailsAsked = Compile(DetailsAsked)
const accountsAsked = Compile(AccountAsked)
const peopleAsked = Compile(PersonAsked)
const isDown = (number: string): boolean => number.endsWith('0004')

export const lookUp = ({ kind, number }: IdentityAsked): IdentityAnswer => ({
  kind,
  exists: /[02468]$/.test(number),
  barred: number.endsWith('0000'),
})

export const compareDetails = ({ reference, bvn, ...given }: DetailsAsked): DetailsAnswer => {
  const person = personOf(bvn)
  return { reference, matches: person && matchDetails(person, given) }
}
export function compareAccount({ reference, bvn, bankCode, accountNumber }: AccountAsked): AccountAnswer {
  const exists = personOf(bvn) !== null
  const name = exists ? accountName(bankCode, accountNumber) : null
  return {
    reference,
    exists,
    account: name === null ? null : { accountName: name, ...matchAccount(bvn, accountNumber) },
  }
}
export const describePerson = ({ reference, nin }: PersonAsked): PersonAnswer => ({ reference, person: personOf(nin) })

type Form<Asked> = { Check(value: unknown): value is Asked }

/** The same question gets the same answer, so the reference needs no memory here. */
function bindQuestion<Asked>(
  app: FastifyInstance,
  path: string,
  form: Form<Asked>,
  numberOf: (asked: Asked) => string,
  answer: (asked: Asked) => unknown,
): void {
  app.post(path, async (request, reply) => {
    const asked: unknown = parseFields(bodyText(request))
    if (!form.Check(asked)) return refuse(reply, 400, 'The question is not of the protocol')
    return isDown(numberOf(asked)) ? refuse(reply, 503, 'The register is not available') : answer(asked)
  })
}

export function bindRegister(app: FastifyInstance): void {
  bindQuestion(app, IDENTITY_PATHS.details, detailsAsked, ({ bvn }) => bvn, compareDetails)
  bindQuestion(app, IDENTITY_PATHS.account, accountsAsked, ({ bvn }) => bvn, compareAccount)
  bindQuestion(app, IDENTITY_PATHS.person, peopleAsked, ({ nin }) => nin, describePerson)
  app.post(BANK_PATHS.identities, async (request, reply) => {
    const asked = parseFields(bodyText(request))
    // The refusal does not repeat what was asked: the number belongs to a person.
    return questions.Check(asked)
      ? lookUp(asked)
      : refuse(reply, 400, 'kind must be BVN or NIN, and number eleven digits')
  })
}
