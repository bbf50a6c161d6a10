// A program that works for what a browser would: the puzzles of pages where many payments wait.
import { createHash } from 'node:crypto'

export const PUZZLE_HEADER = 'x-cowrie-puzzle'

/** The puzzle in the page of a payment link; empty where nobody is asked. */
export const puzzleIn = (page: string): string => /data-puzzle="([^"]+)"/.exec(page)?.[1] ?? ''

export function solve(puzzle: string): { readonly puzzle: string; readonly answer: string } {
  const bits = Number(puzzle.split('-')[1])
  for (let n = 0; ; n += 1) {
    const digest = createHash('sha256').update(`${puzzle}.${n}`).digest()
    if (digest.readUInt32BE() >>> (32 - bits) === 0) return { puzzle, answer: String(n) }
  }
}
