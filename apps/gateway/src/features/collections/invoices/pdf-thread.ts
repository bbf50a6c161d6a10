// The thread that writes PDFs: takes a paper, answers with the bytes.
import { parentPort } from 'node:worker_threads'
import type { InvoicePaper } from '@cowrie/checkout'
import { writeSheet } from './pdf-sheet.ts'

export type PdfJob = { readonly id: number; readonly paper: InvoicePaper; readonly at: Date }
export type PdfDone =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly why: string }

parentPort?.on('message', ({ id, paper, at }: PdfJob) => {
  const answer = (done: PdfDone): void => parentPort?.postMessage(done)
  writeSheet(paper, at).then(
    (bytes) => answer({ id, bytes }),
    (error: unknown) => answer({ id, why: String(error) }),
  )
})
