// How acts of people, and what waits for a second person, can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const ACT_ERRORS = {
  PERMISSION_DENIED: {
    status: 403,
    message: 'Not permitted: {permission}',
    hint: 'Your role or key does not include this permission. Somebody who manages the team or the keys can change that.',
    retry: 'never',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    message: 'Confirm that it is you; challenge {challenge}',
    hint: 'Prove who you are with a passkey or an authenticator code and send the act again within five minutes, or send with it `proof`: an assertion of a passkey for this challenge.',
    retry: 'later',
  },
  ACT_UNKNOWN: {
    status: 404,
    message: 'No such act or view: {act}',
    hint: 'The names are in the reference of administration.',
    retry: 'never',
  },
  MERCHANT_UNKNOWN: {
    status: 404,
    message: 'No merchant has this API key',
    hint: 'The API key begins with MK_ and is found in the list of merchants.',
    retry: 'never',
  },
  APPROVAL_UNKNOWN: {
    status: 404,
    message: 'Could not find approval with reference {reference}',
    hint: 'The reference begins with CWAP and is found in the list of approvals.',
    retry: 'never',
  },
  APPROVAL_OVER: {
    status: 409,
    message: 'The approval is {state}',
    hint: 'It was decided already, or nobody decided in time. Ask for the act again if it is still wanted.',
    retry: 'never',
  },
  APPROVAL_OWN: {
    status: 403,
    message: 'You asked for it yourself',
    hint: 'Somebody else must decide. You may reject what you asked for, but not approve it.',
    retry: 'never',
  },
  APPROVER_NEW: {
    status: 403,
    message: 'You approve from {from} on',
    hint: 'Whoever becomes an operator, or gets more rights, approves nothing for a day, so that nobody makes a second person of their own. Another operator can approve it now.',
    retry: 'later',
  },
  APPROVAL_STALE: {
    status: 409,
    message: 'Whoever asked for it may no longer do it',
    hint: 'The role of the person who asked has changed since. Reject it; somebody who may can ask again.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
