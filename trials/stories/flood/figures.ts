import type { PasswordFigures } from '../../../apps/gateway/src/features/access/people/factors/passwords.ts'

/** What the api has done since it began. */
export type Figures = PasswordFigures & { readonly statements: number; readonly answeringMicros: number }
/** Whom a flood is against, and how large it is. */
export type Order = {
  readonly url: string
  readonly email: string
  readonly tries: number
  readonly atOnce: number
  /** How often it tells how far it is. */
  readonly parts: number
}
/** How many tries were answered: against one account or many, the status, and whether it was said when to
 *  come again. */
export type Progress = { readonly counts: Readonly<Record<string, number>>; readonly over: boolean }
