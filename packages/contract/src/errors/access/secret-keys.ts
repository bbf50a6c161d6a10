// How requests to rotate a secret key can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const SECRET_KEY_ERRORS = {
  ROTATION_UNDER_WAY: {
    status: 409,
    message: 'A secret key rotation is already in progress',
    hint: 'Finish the rotation with the new key, or wait until the overlap ends.',
    retry: 'later',
  },
  NO_ROTATION: {
    status: 409,
    message: 'No secret key rotation is in progress',
    hint: 'Only one secret key is active; there is nothing to finish or cancel.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
