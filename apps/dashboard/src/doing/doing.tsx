// Doing something: one attempt of a person has one key, so clicking twice or again after silence does it
// once; the proof is asked for where the gateway wants one; what was refused stands beside the button; and
// the lists that show it are read anew.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Away } from '../api/call.ts'
import { queries } from '../api/session.ts'
import { type ActProof, useProof } from './proof.tsx'

export type Attempt = { readonly key: string; readonly proof?: ActProof }
export type Doing<Input, Result> = {
  readonly go: (input: Input) => void
  readonly busy: boolean
  readonly error: unknown
  readonly result: Result | undefined
  /** What was given last: error and result are of it. */
  readonly input: Input | undefined
  readonly again: () => void
  /** Has to be on the screen: it asks for the proof. */
  readonly dialog: ReactNode
}

/** `work` gets what the person gave, and the attempt: its key goes with a public route (`call`), its proof
 *  with an act (`act`). */
export function useDoing<Input, Result>(
  work: (input: Input, attempt: Attempt) => Promise<Result>,
  then?: (result: Result, input: Input) => void,
): Doing<Input, Result> {
  const proof = useProof()
  const key = useRef<string | null>(null)
  const doing = useMutation({
    mutationFn: (input: Input) => {
      key.current ??= crypto.randomUUID()
      const attempt = key.current
      return proof.ask((signed) => work(input, { key: attempt, proof: signed }))
    },
    onSuccess: (result, input) => {
      key.current = null
      void queries.invalidateQueries()
      then?.(result, input)
    },
    // After silence the same attempt may be repeated; after a refusal the next one is another.
    onError: (error) => {
      if (!(error instanceof Away)) key.current = null
    },
  })
  return {
    go: doing.mutate,
    busy: doing.isPending,
    error: doing.error,
    result: doing.data,
    input: doing.variables,
    again: doing.reset,
    dialog: proof.dialog,
  }
}
