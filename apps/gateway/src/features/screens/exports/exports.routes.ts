import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { QueryOf, Route } from '@cowrie/contract/kit/spec'
import { exportPayments, takeExport } from '@cowrie/contract/screens/files'
import type { Merchant } from '#core/access/merchants.ts'
import type { Door } from '#core/acts/door.ts'
import { personComing } from '#core/acts/people-routes.ts'
import { masked } from '#core/acts/route-lines.ts'
import { record } from '#core/acts/trail.ts'
import type { RouteDeps } from '#core/bind.ts'
import { cellById, tx } from '#core/cells/cells.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type HttpReply, type HttpRequest, openStream, refuseUnread, sendRefusal } from '#kit/http/answers.ts'
import { queryReader } from '#kit/validation/validate.ts'
import { directExport } from './exports.ts'
import { piecesOf, readyExport } from './queue.ts'

/** Of one merchant in a process: nobody's exports hold up another's. */
const OF_ONE_MAX = 2
/** Nobody waits longer for a reader who takes nothing. */
const STALLED_MS = 30_000

type Raw = HttpReply['raw']

/** False when the reader has gone, or takes nothing for a while. */
const drained = (raw: Raw): Promise<boolean> =>
  new Promise((done) => {
    const end = (taken: boolean): void => {
      clearTimeout(timer)
      raw.off('drain', onDrain)
      raw.off('close', onClose)
      done(taken)
    }
    const onDrain = (): void => end(true)
    const onClose = (): void => end(false)
    const timer = setTimeout(onClose, STALLED_MS)
    raw.once('drain', onDrain)
    raw.once('close', onClose)
  })

const into =
  (raw: Raw) =>
  async (piece: string | Buffer): Promise<boolean> =>
    !raw.destroyed && (raw.write(piece) || (await drained(raw)))

/** Room for exports that hold a connection: so many of one merchant, and half of what the process has to a
 *  cell, so that payments find one. */
function createRoom(ctx: Ctx) {
  const running = new Map<bigint, number>()
  const ofCell = new Map<string, number>()
  return async <T>({ cell, id }: Merchant, work: () => Promise<T>): Promise<T> => {
    const [own, all] = [running.get(id) ?? 0, ofCell.get(cell) ?? 0]
    const most = Math.max(OF_ONE_MAX, Math.floor(cellById(ctx, cell).app.options.max / 2))
    if (own >= OF_ONE_MAX || all >= most) fail('EXPORTS_FULL')
    running.set(id, own + 1)
    ofCell.set(cell, all + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(id) ?? 1) - 1
      if (left > 0) running.set(id, left)
      else running.delete(id)
      ofCell.set(cell, (ofCell.get(cell) ?? 1) - 1)
    }
  }
}

/** Who took what home. */
const recordTaken = (ctx: Ctx, merchant: Merchant, route: Route, what: object) =>
  tx(ctx, merchant.cell, merchant.id, (t) =>
    record(t, {
      merchantId: merchant.id,
      by: merchant.person ?? fail('SESSION_MISSING'),
      what: route.id,
      reason: '',
      after: what,
    }),
  )

type Answer = (request: HttpRequest, reply: HttpReply, merchant: Merchant) => Promise<unknown>

/** A route that answers one of a merchant's people with a file. */
function serve(deps: RouteDeps, door: Door, route: Route, answer: Answer): void {
  const { app, http } = deps
  const coming = personComing(deps, door, route)
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { knows: true, logged: { id: route.id, path: route.path } },
    onRequest: (request, reply, done) => {
      const goOn = (merchant: Merchant): void => {
        request.merchant = merchant
        done()
      }
      coming(request).then(goOn, (error: unknown) => void refuseUnread(reply, error, http))
    },
    handler: async (request, reply) => {
      try {
        await answer(request, reply, request.merchant ?? fail('SESSION_MISSING'))
        return reply
      } catch (error) {
        return sendRefusal(reply, error, http)
      }
    },
  })
}

function openFile(reply: HttpReply, fileName: string): Raw {
  reply.more.push('content-disposition', `attachment; filename="${fileName}"`)
  return openStream(reply, 'text/csv; charset=utf-8')
}

/** What breaks has no last line, and its connection is cut: no browser takes it for the whole. */
const finish = (ctx: Ctx, reply: HttpReply, { cell }: Merchant, raw: Raw, writing: Promise<boolean>): Promise<void> =>
  writing.then(
    (whole) => void (whole ? raw.end() : raw.destroy()),
    (error: unknown) => {
      ctx.log.warn('an export ended early', { cell, requestId: reply.request.id, error })
      raw.destroy()
    },
  )

/** The compressed stream as it is, or what it holds; true when it was taken to the end. */
async function send(pieces: AsyncIterable<Buffer>, zipped: boolean, raw: Raw): Promise<boolean> {
  const write = into(raw)
  let whole = false
  const drain = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of source) if (!(await write(piece))) return
    whole = true
  }
  await (zipped ? drain(pieces) : pipeline(pieces, createGunzip(), drain))
  return whole
}

export function exportRoutes(deps: RouteDeps): void {
  const { ctx, door } = deps
  if (door === null) return
  const room = createRoom(ctx)
  const readQuery = queryReader(exportPayments)
  serve(deps, door, exportPayments, async (request, reply, merchant) => {
    const query = readQuery(request.query as Record<string, unknown>) as QueryOf<typeof exportPayments>
    await room(merchant, async () => {
      const file = await directExport(ctx, merchant, query)
      await recordTaken(ctx, merchant, exportPayments, { title: file.fileName, filter: masked(query) })
      const raw = openFile(reply, file.fileName)
      await finish(ctx, reply, merchant, raw, file.write(into(raw)))
    })
  })
  serve(deps, door, takeExport, async (request, reply, merchant) => {
    const row = await readyExport(ctx, merchant, (request.params as { reference: string }).reference)
    const { file_name: title, rows_written: rows } = row
    await recordTaken(ctx, merchant, takeExport, { reference: String(row.id), title, rows: Number(rows) })
    const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    if (zipped) reply.more.push('content-encoding', 'gzip')
    const raw = openFile(reply, title)
    await finish(ctx, reply, merchant, raw, send(piecesOf(ctx, merchant.cell, row), zipped, raw))
  })
}
