// What a group of the exam is.
import type { Capability } from '@cowrie/contract/bank/v2/connectors'
import type { Room } from '../room/room.ts'

export type Check = {
  /** What is checked, as the result names it. */
  readonly name: string
  /** Left out: those of its group. */
  readonly needs?: Capability
  readonly run: (room: Room) => Promise<void>
}

export type Group = {
  readonly number: number
  readonly name: string
  /** The capability without which there is nothing to examine; null: every adapter. */
  readonly needs: Capability | null
  /** Read when the group begins, for those that depend on the fake bank. */
  readonly checks: (room: Room) => readonly Check[]
}
