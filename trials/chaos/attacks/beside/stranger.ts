// The stranger of H5, in a thread of its own: one payment link and the page of one shop, no credential. Half
// of the requests come from one address, the others from many; what is opened is looked at, which takes an
// account number; puzzles are worked for, so many a second. It goes on as fast as it was told, whatever is
// answered.
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createHttp } from '../../kit/http.ts'
import { PUZZLE_HEADER, puzzleIn, solve } from '../puzzles.ts'

export type Order = {
  readonly apiUrl: string
  readonly linkCode: string
  readonly shop: { readonly apiKey: string; readonly contractCode: string }
  readonly seconds: number
  readonly perSecond: number
  /** How many networks it has beside its own address. */
  readonly networks: number
  /** The processors of this machine are the gateway's too. */
  readonly solvesPerSecond: number
}
/** What it was answered: by the door that it came to and the answer, and how many pages it looked at. */
export type Toll = { readonly answers: Readonly<Record<string, number>>; readonly looked: number }

const LIMIT_MS = 10_000
const OWN = '41.200.7.7'

async function attack(order: Order): Promise<Toll> {
  const { send, close } = createHttp()
  const answers: Record<string, number> = {}
  let [looked, solved, sent] = [0, 0, 0]
  const began = performance.now()
  const seconds = (): number => (performance.now() - began) / 1000

  const ask = async (path: string, from: string, body: string, headers: Record<string, string> = {}) =>
    fetch(order.apiUrl + path, {
      ...{ method: 'POST', redirect: 'manual', body, signal: AbortSignal.timeout(LIMIT_MS) },
      headers: { 'x-forwarded-for': from, ...headers },
    })
  const atLink = async (from: string, work: Record<string, string>) => {
    const form = new URLSearchParams({ name: 'N', email: 'n@nobody.example', amount: '100', ...work })
    const answer = await ask(`/pay/${order.linkCode}`, from, form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    return { status: answer.status, puzzle: puzzleIn(await answer.text()), path: answer.headers.get('location') }
  }
  const atPage = async (from: string, work: Record<string, string>) => {
    const { apiKey, contractCode } = order.shop
    const options = { apiKey, contractCode, amount: 100, customerEmail: 'n@nobody.example', ...work }
    const answer = await ask('/plugin/transactions', from, JSON.stringify(options), { origin: 'https://shop.example' })
    const { responseBody } = JSON.parse(await answer.text())
    const path = responseBody ? new URL(responseBody.checkoutUrl).pathname : null
    return { status: answer.status, puzzle: answer.headers.get(PUZZLE_HEADER) ?? '', path }
  }
  const one = async (number: number): Promise<void> => {
    const [door, word] = number % 4 === 3 ? [atPage, 'page'] : [atLink, 'link']
    const from = (number >> 2) % 2 ? OWN : `41.201.${Math.floor(Math.random() * order.networks)}.7`
    const count = (what: string): void => {
      answers[`${word} ${what}`] = (answers[`${word} ${what}`] ?? 0) + 1
    }
    try {
      let answer = await door(from, {})
      if (answer.puzzle !== '' && solved < seconds() * order.solvesPerSecond) {
        solved += 1
        answer = await door(from, solve(answer.puzzle))
      }
      count(answer.path === null ? String(answer.status) : 'opened')
      if (answer.path === null) return
      looked += 1
      await send('GET', order.apiUrl + answer.path, { headers: { 'x-forwarded-for': from }, limitMs: LIMIT_MS })
    } catch {
      count('no answer')
    }
  }
  const all: Promise<void>[] = []
  while (seconds() < order.seconds) {
    for (; sent < seconds() * order.perSecond; sent += 1) all.push(one(sent))
    await pause(10)
  }
  await Promise.all(all)
  await close()
  return { answers, looked }
}

parentPort?.postMessage(await attack(workerData as Order))
