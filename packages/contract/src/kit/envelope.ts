// Every answer, also of unknown routes, malformed bodies and faults of our own, is one of these two.
import Type, { type TSchema } from 'typebox'
import { Named } from './fields.ts'

/** The reply of a route that succeeds without a `responseBody`. */
export const Nothing = Type.Undefined()

const SUCCESS = {
  requestSuccessful: Type.Literal(true),
  responseMessage: Type.Literal('success'),
  responseCode: Type.Literal('0'),
}
export const successEnvelope = (body: TSchema): TSchema =>
  body === Nothing ? Type.Object(SUCCESS) : Type.Object({ ...SUCCESS, responseBody: body })

export const Problem = Named('Problem', {
  code: Type.String({ description: 'Stable; see the table of errors' }),
  hint: Type.String(),
  field: Type.Optional(Type.String({ description: 'The invalid field, where there is one' })),
  position: Type.Optional(
    Type.Object(
      {
        line: Type.Integer({ minimum: 1, description: 'Counted from 1' }),
        column: Type.Integer({ minimum: 1, description: 'Counted from 1' }),
      },
      { description: 'Where the body stops being valid JSON' },
    ),
  ),
  docUrl: Type.String(),
  requestId: Type.String({ description: 'Quote it to support' }),
})

/** One fault of form: missing, wrong type, wrong format, wrong value. */
export const Fault = Named('Fault', {
  field: Type.String({ description: 'A dotted path', examples: ['transactionList.2.reference'] }),
  code: Type.String({ description: 'As `problem.code`' }),
  message: Type.String(),
  hint: Type.Optional(Type.String({ description: 'What was probably meant' })),
})

/** In the sandbox: the fields of an accepted request that the gateway does not know, and ignored. */
export const UNKNOWN_FIELDS_HEADER = 'x-cowrie-unknown-fields'

/** A batch may have thousands of rows: an answer names the first of its faults. */
export const FAULTS_MAX = 100

export const Refusal = Named('Refusal', {
  requestSuccessful: Type.Literal(false),
  responseMessage: Type.String(),
  responseCode: Type.String(),
  error: Type.Optional(Type.String({ description: 'With 401 only' })),
  error_description: Type.Optional(Type.String({ description: 'With 401 only' })),
  problem: Problem,
  errors: Type.Optional(
    Type.Array(Fault, {
      description: `Every invalid field of the body, at most ${FAULTS_MAX}; \`responseMessage\` and \`problem\` are about the first`,
    }),
  ),
})
