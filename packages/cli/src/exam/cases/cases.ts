// The exam: all cases, in the sequence in which they are sent. The first one must be answered for the rest to
// make sense.
import type { Case } from '../case.ts'
import { DELIVERY_CASES } from './deliveries.ts'
import { KIND_CASES } from './kinds.ts'
import { MONEY_CASES } from './money.ts'
import { SIGNATURE_CASES } from './signatures.ts'

export const CASES: readonly Case[] = [...SIGNATURE_CASES, ...KIND_CASES, ...MONEY_CASES, ...DELIVERY_CASES]
