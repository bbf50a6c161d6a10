// All acts and views of the features of a process, by side and id, and the door that people come in by.
import type { Side } from '@cowrie/contract/kit/permissions'
import { onePerProcess, type Shared } from '../feature.ts'
import type { BoundAct, BoundView } from './acts.ts'
import type { Door } from './door.ts'

export type Registry = {
  act(side: Side, id: string): BoundAct | null
  view(side: Side, id: string): BoundView | null
}

const keyOf = ({ side, id }: { readonly side: Side; readonly id: string }): string => `${side} ${id}`

function indexed<T extends { readonly spec: { readonly side: Side; readonly id: string } }>(all: readonly T[]) {
  const byKey = new Map<string, T>()
  for (const bound of all) {
    if (byKey.has(keyOf(bound.spec))) throw new Error(`${keyOf(bound.spec)} is bound twice`)
    byKey.set(keyOf(bound.spec), bound)
  }
  return byKey
}

/** What waits for a second person is stored until then: an act with a secret in its input cannot. */
function refuseStoredSecret({ spec }: BoundAct): void {
  const secret = spec.approval && (spec.secretFields ?? []).find((field) => field in spec.input.properties)
  if (secret) throw new Error(`${spec.id} may wait for approval and has the secret field ${secret}`)
}

export const sharedRegistry = onePerProcess((shared): Registry => {
  const acts = indexed(shared.features.flatMap((feature) => feature.acts?.(shared) ?? []))
  const views = indexed(shared.features.flatMap((feature) => feature.views?.(shared) ?? []))
  for (const bound of acts.values()) refuseStoredSecret(bound)
  return {
    act: (side, id) => acts.get(keyOf({ side, id })) ?? null,
    view: (side, id) => views.get(keyOf({ side, id })) ?? null,
  }
})

/** Null where no feature knows people. */
export const sharedDoor = onePerProcess((shared: Shared): Door | null => {
  const [door = null, ...others] = shared.features.flatMap((feature) => feature.door?.(shared) ?? [])
  if (others.length > 0) throw new Error('two features have a door')
  return door
})
