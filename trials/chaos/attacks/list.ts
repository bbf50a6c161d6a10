import type { Attack } from './attack.ts'
import { DESTINATIONS_OF_MONEY } from './attacks/destinations.ts'
import { KEYS } from './attacks/keys.ts'
import { OPERATORS } from './attacks/operators.ts'
import { PAYOUTS } from './attacks/payouts.ts'
import { PEOPLE_ATTACKS } from './attacks/people.ts'
import { STRANGERS } from './attacks/strangers.ts'

/** One file per topic. */
export const ATTACKS: readonly Attack[] = [
  ...OPERATORS,
  ...KEYS,
  ...DESTINATIONS_OF_MONEY,
  ...PAYOUTS,
  ...PEOPLE_ATTACKS,
  ...STRANGERS,
]

export const PLANTS = new Map(
  ATTACKS.flatMap((attack) => Object.entries(attack.plants).map(([name, plant]) => [name, { attack, plant }] as const)),
)
