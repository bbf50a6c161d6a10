// PDFs are written in a thread of their own: reading the font's tables takes 0.1 to 0.4 seconds of work each time, and nobody's
// payment shall wait for a paper. One thread, one paper at a time; whoever finds a long queue is sent away.
import { Worker } from 'node:worker_threads'
import type { InvoicePaper } from '@cowrie/checkout'
import { fail } from '../../kit/fail.ts'
import type { PdfDone, PdfJob } from './pdf-thread.ts'

const WAITING_MAX = 50

export type Press = {
  /** The paper as a PDF; `at` is the moment that stands in the document's properties. */
  print(paper: InvoicePaper, at: Date): Promise<Buffer>
  close(): Promise<void>
}

export function createPress(): Press {
  let thread: Worker | null = null
  let jobs = 0
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>()

  const giveUp = (error: Error): void => {
    thread = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  /** Started with the first paper; a process that prints nothing has no thread. */
  const start = (): Worker => {
    const started = new Worker(new URL('./pdf-thread.ts', import.meta.url))
    started.on('message', (done: PdfDone) => {
      const job = waiting.get(done.id)
      waiting.delete(done.id)
      if ('bytes' in done) job?.resolve(Buffer.from(done.bytes))
      else job?.reject(new Error(done.why))
    })
    started.on('error', giveUp)
    started.on('exit', () => thread === started && giveUp(new Error('the thread that writes PDFs has ended')))
    started.unref() // after the listeners, which hold the process
    return started
  }

  return {
    print: (paper, at) => {
      if (waiting.size >= WAITING_MAX) return fail('UNAVAILABLE', {}, 'too many PDFs are waiting')
      thread ??= start()
      jobs += 1
      const job: PdfJob = { id: jobs, paper, at }
      const promised = Promise.withResolvers<Buffer>()
      waiting.set(job.id, promised)
      thread.postMessage(job)
      return promised.promise
    },
    close: async () => {
      await thread?.terminate()
    },
  }
}
