// Hints over HTTP: number, kind and reference of what happened, from where the browser was; ended with the
// session, which they do not prolong.
import { EventEmitter, once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { sequence } from '#core/events.ts'
import { createDoor } from '#features/access/people/sessions/door.ts'
import { sharedEntrance } from '#features/access/people/sessions/entrance.ts'
import { createWatch } from '#features/events/events/watch.ts'
import { sharedOf } from '#test/features/access/acts.ts'
import { tell } from '#test/features/events/events.ts'
import { type Harness, useHarness } from '#test/kit/harness.ts'
import { type PersonIn, personIn, sessionHeader } from '#test/people/sessions.ts'
import { follow } from './hints.ts'

const harness = useHarness()
const PATH = '/dashboard/v1/hints'

async function open(h: Harness, person: PersonIn | null, more: Record<string, string> = {}) {
  const asked = get(h.apiUrl + PATH, { headers: { ...(person ? sessionHeader(person) : {}), ...more } })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const stream = { answer, text: '', close: () => asked.destroy() }
  answer.setEncoding('utf8').on('data', (piece: string) => {
    stream.text += piece
  })
  answer.on('error', () => undefined) // it is destroyed here
  return stream
}
const happens = async (h: Harness): Promise<void> => {
  await tell(h, h.merchants.main)
  await sequence(h.gateway.ctx, '01')
}
const idsIn = (text: string): number[] => [...text.matchAll(/id: (\d+)\ndata: /g)].map(([, id]) => Number(id))

test('a hint comes with its number, and nothing of what it is about; a browser that was cut off goes on where it was', async () => {
  const h = harness()
  const person = await personIn(h, 'merchant', 'support', { merchant: h.merchants.main })
  await happens(h)
  const first = await open(h, person)
  expect([first.answer.statusCode, first.answer.headers['content-type']]).toEqual([200, 'text/event-stream'])
  await h.until('it says where it begins', async () => /^retry: 3000\nid: \d+\n\n/.test(first.text))
  const start = Number(/id: (\d+)/.exec(first.text)?.[1])
  await happens(h)
  await h.until('the hint', async () => idsIn(first.text).length === 1)
  expect(idsIn(first.text)).toEqual([start + 1])
  const [, data = ''] = /data: (.*)\n/.exec(first.text) ?? []
  expect(Object.keys(JSON.parse(data))).toEqual(['kind', 'reference'])
  first.close()
  await happens(h)
  await happens(h)
  const again = await open(h, person, { 'last-event-id': String(start + 1) })
  await h.until('what it missed', async () => idsIn(again.text).length === 2)
  expect(idsIn(again.text)).toEqual([start + 2, start + 3])
  again.close()
  const another = await personIn(h, 'merchant', 'owner', { merchant: h.merchants.other })
  const theirs = await open(h, another, { 'last-event-id': '0' })
  await h.until('it says where it begins', async () => theirs.text !== '')
  await happens(h)
  expect(idsIn(theirs.text)).toEqual([])
  theirs.close()
  expect((await open(h, null)).answer.statusCode).toBe(401)
})

test('it ends when the session may no longer follow; asking for that does not prolong the session', async () => {
  const h = harness()
  const { ctx, clock } = h.gateway
  const { main } = h.merchants
  const merchant = { ...main } as never
  const watch = createWatch(ctx, () => ({ close: async () => undefined }))
  let [may, asked, text] = [true, 0, '']
  const raw = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableEnded: false,
    writableNeedDrain: false,
    shouldKeepAlive: true,
    write: (piece: string) => {
      text += piece
      return true
    },
    end: () => {
      raw.writableEnded = true
    },
    destroy: () => undefined,
  })
  const still = async (): Promise<boolean> => {
    asked += 1
    return may
  }
  const following = follow(ctx, watch, {
    merchant,
    after: 10_000n,
    raw: raw as never,
    still,
    times: { beatMs: 20, checkMs: 40 },
  })
  await h.until('beats', async () => text.split(': \n\n').length > 3 && asked > 1)
  may = false
  await following
  expect(raw.writableEnded).toBe(true)
  await watch.close()

  const person = await personIn(h, 'merchant', 'owner', { merchant: main })
  const used = async () => (await h.sql('01', 'select used_at from sessions where id = $1', [person.id]))[0].used_at
  const before = await used()
  clock?.setOffset((clock?.offsetMs() ?? 0) + 5 * 60_000)
  const door = createDoor(sharedEntrance(sharedOf(h)))
  const request = { headers: sessionHeader(person), method: 'GET', id: 'x', socket: { remoteAddress: '127.0.0.1' } }
  await door.enter(request as never, 'merchant', true)
  expect(await used()).toEqual(before)
  await door.enter(request as never, 'merchant')
  expect(await used()).not.toEqual(before)
})
