// What the board is made of, for its parts.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { showBoard } from '@cowrie/contract/screens/board'
import type { lastBooks } from '@cowrie/contract/settlements/books'
import type { EachCell } from '../kit/cells.ts'

export type BoardReply = ViewReplyOf<typeof showBoard>
export type Standing = NonNullable<BoardReply['cells'][number]['standing']>
export type Books = EachCell<ViewReplyOf<typeof lastBooks>>

/** Older than its alarm: nobody works on it. */
export const isLate = ({ oldestDueAt, alarmSeconds }: Standing['timers'], at: string): boolean =>
  oldestDueAt !== null && Date.parse(at) - Date.parse(oldestDueAt) > alarmSeconds * 1000
