// The registers of people: bank verification numbers and national identity numbers. They hold no data: the
// last digits decide. Eleven digits ending in an even digit are a person; of those, ending in 0000, a person who is barred.
import { BANK_PATHS, type IdentityAnswer, IdentityAsked } from '@cowrie/contract/bank/connector'
import type { FastifyInstance } from 'fastify'
import { Compile } from 'typebox/compile'
import { bodyText, parseFields, refuse } from '../kit/requests.ts'

const questions = Compile(IdentityAsked)

export const lookUp = ({ kind, number }: IdentityAsked): IdentityAnswer => ({
  kind,
  exists: /[02468]$/.test(number),
  barred: number.endsWith('0000'),
})

export function bindRegister(app: FastifyInstance): void {
  app.post(BANK_PATHS.identities, async (request, reply) => {
    const asked = parseFields(bodyText(request))
    // The refusal does not repeat what was asked: the number belongs to a person.
    return questions.Check(asked)
      ? lookUp(asked)
      : refuse(reply, 400, 'kind must be BVN or NIN, and number eleven digits')
  })
}
