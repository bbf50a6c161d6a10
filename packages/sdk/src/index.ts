// What a shop imports.
export { type Cowrie, type CowrieOptions, createCowrie } from './client.ts'
export type { Clock } from './clock.ts'
export {
  type Code,
  Conflict,
  CowrieError,
  type Fault,
  GatewayFault,
  InvalidRequest,
  NoAnswer,
  NotAllowed,
  NotAuthenticated,
  NotFound,
  NotVerified,
  OutcomeUnknown,
  RateLimited,
  Refused,
  UnreadableAnswer,
} from './errors.ts'
export type { EventBodies } from './generated/events.ts'
export type { Methods } from './generated/routes.ts'
export type * from './generated/types.ts'
export { kobo, naira } from './money.ts'
export type { Amount, CallOptions, Listing, NoInput, Page } from './route.ts'
export { VERSION } from './version.ts'
export {
  type CowrieEvent,
  type Delivered,
  type HeadersGiven,
  type RawBody,
  type UnknownEvent,
  type VerifyOptions,
  webhooks,
} from './webhooks.ts'
