// PDFs are written in a thread of their own: reading the font's tables takes 0.1 to 0.4 seconds of work each
// time, and nobody's payment shall wait for a paper. One thread, one paper at a time. A paper that was
// written is kept as long as nothing on it changes; who asks for one that is being written waits for that
// one. Merchants take turns, and each has a share of the queue, so that one link that is asked for without
// end stops nobody else's.
import { Worker } from 'node:worker_threads'
import type { InvoicePaper } from '@cowrie/checkout'
import { fail } from '#kit/fail.ts'
import type { PdfDone, PdfJob } from './pdf-thread.ts'

const WAITING_MAX = 50
const WAITING_OF_MERCHANT_MAX = 10
const WAITING_OF_CALLER_MAX = 5
const KEPT_BYTES_MAX = 32 * 1024 * 1024

export type PdfOrder = {
  /** Whose invoice it is, which one, and the address that asks for it. */
  readonly merchant: string
  readonly invoice: string
  readonly caller: string
  readonly paper: InvoicePaper
  /** The moment that stands in the document's properties. */
  readonly at: Date
}
type Waiting = PdfOrder & { readonly text: string; readonly done: PromiseWithResolvers<Buffer> }

export type Press = {
  /** The paper as a PDF. */
  print(order: PdfOrder): Promise<Buffer>
  close(): Promise<void>
}

/** The latest PDF of each invoice, with what stands on it; what was asked for longest ago goes first. */
function createShelf() {
  const kept = new Map<string, { text: string; bytes: Buffer }>()
  let size = 0
  const remove = (invoice: string): void => {
    size -= kept.get(invoice)?.bytes.length ?? 0
    kept.delete(invoice)
  }
  const put = (invoice: string, text: string, bytes: Buffer): void => {
    remove(invoice)
    kept.set(invoice, { text, bytes })
    size += bytes.length
    while (size > KEPT_BYTES_MAX) remove(kept.keys().next().value as string)
  }
  return {
    put,
    find: (invoice: string, text: string): Buffer | null => {
      const found = kept.get(invoice)
      if (found?.text !== text) return null
      put(invoice, text, found.bytes)
      return found.bytes
    },
  }
}

export function createPress(): Press {
  let thread: Worker | null = null
  let jobs = 0
  let writing: Waiting | null = null
  const shelf = createShelf()
  /** By merchant, in the order of their turns; none is empty. */
  const queues = new Map<string, Waiting[]>()
  const waiting = (): Waiting[] => [...(writing ? [writing] : []), ...[...queues.values()].flat()]

  const giveUp = (error: Error): void => {
    const all = waiting()
    thread = null
    writing = null
    queues.clear()
    for (const { done } of all) done.reject(error)
  }
  const written = (done: PdfDone): void => {
    const job = writing
    writing = null
    if (job && 'bytes' in done) {
      const bytes = Buffer.from(done.bytes)
      shelf.put(job.invoice, job.text, bytes)
      job.done.resolve(bytes)
    } else if (job && 'why' in done) job.done.reject(new Error(done.why))
    writeNext()
  }
  /** Started with the first paper; a process that prints nothing has no thread. */
  const start = (): Worker => {
    const started = new Worker(new URL('./pdf-thread.ts', import.meta.url))
    started.on('message', written)
    started.on('error', giveUp)
    started.on('exit', () => thread === started && giveUp(new Error('PDF worker thread ended')))
    started.unref() // after the listeners, which hold the process
    return started
  }
  const writeNext = (): void => {
    const [turn] = queues
    if (writing || !turn) return
    const [merchant, queue] = turn
    const next = queue.shift() as Waiting
    queues.delete(merchant)
    if (queue.length > 0) queues.set(merchant, queue) // behind the others
    writing = next
    thread ??= start()
    jobs += 1
    thread.postMessage({ id: jobs, paper: next.paper, at: next.at } satisfies PdfJob)
  }

  return {
    print: async (order) => {
      const text = JSON.stringify(order.paper)
      const kept = shelf.find(order.invoice, text)
      if (kept) return kept
      const others = waiting()
      const same = others.find((one) => one.invoice === order.invoice && one.text === text)
      if (same) return same.done.promise
      const count = (key: 'merchant' | 'caller') => others.filter((one) => one[key] === order[key]).length
      if (count('caller') >= WAITING_OF_CALLER_MAX) fail('RATE_LIMITED')
      if (others.length >= WAITING_MAX || count('merchant') >= WAITING_OF_MERCHANT_MAX)
        fail('UNAVAILABLE', {}, 'too many PDFs are waiting')
      const job: Waiting = { ...order, text, done: Promise.withResolvers<Buffer>() }
      const queue = queues.get(order.merchant)
      if (queue) queue.push(job)
      else queues.set(order.merchant, [job])
      writeNext()
      return job.done.promise
    },
    close: async () => {
      await thread?.terminate()
    },
  }
}
