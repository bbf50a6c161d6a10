// What an attack is, and how it says what happened. A new one goes into the file of its topic in attacks/, or
// into a new file that list.ts names; with a plant for each protection that it would tell the loss of.
import type { Plant } from '../kit/plants.ts'
import type { Answer, World } from './world.ts'

export type Seen = { readonly held: boolean; readonly saw: string }

export type Attack = {
  /** As `--only` takes it. */
  readonly name: string
  /** Of the security review; where it found nothing, the script that looked. */
  readonly finding: string
  readonly tries: string
  readonly must: string
  /** Longer than some seconds: `--long 0` leaves it out. */
  readonly long?: true
  /** Makes its own merchants and people: attacks know nothing of one another, but share the clock. */
  readonly run: (world: World) => Promise<Seen>
  /** Protections that can be switched off, by name: the attack must then succeed. */
  readonly plants: Readonly<Record<string, Plant>>
}

/** Steps of an attack: what each is, what happened, what must happen. */
export type Step = readonly [step: string, happened: string, must: string | RegExp]
export const verdict = (steps: readonly Step[]): Seen => ({
  held: steps.every(([, happened, must]) => (typeof must === 'string' ? happened === must : must.test(happened))),
  saw: steps.map(([step, happened]) => `${step}: ${happened}`).join('; '),
})

/** `403 PERMISSION_DENIED`, `200 DONE`, `200 SUCCESS`, `200`. */
export const told = ({ status, code, body }: Answer): string =>
  [status, code || (body?.outcome ?? body?.status ?? '')].filter((word) => word !== '').join(' ')
