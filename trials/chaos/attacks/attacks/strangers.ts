// Somebody without a credential, with one payment link, or with what stands in the page of a shop.
import { randomInt } from 'node:crypto'
import { type Attack, told, verdict } from '../attack.ts'
import { PUZZLE_HEADER, puzzleIn, solve } from '../puzzles.ts'
import { type Merchant, must, reference, type World } from '../world.ts'

const INIT = '/api/v1/merchant/transactions/init-transaction'

const COLLECTIONS = 'apps/gateway/src/features/collections'
const TRANSACTIONS = `${COLLECTIONS}/transactions`

/** Payments that wait, opened from one network: nobody is asked for work before a tenth. */
const OF_NETWORK = 300
/** Requests that are on their way together are counted a moment later than they are looked at. */
const AT_ONCE = 10
const FREE = OF_NETWORK / 10 + AT_ONCE

type Caller = Readonly<Record<string, string>>
/** `opened`, or what the stranger is told instead. */
type Door = (work?: { readonly puzzle: string; readonly answer: string }) => Promise<{
  readonly told: string
  readonly puzzle: string
}>

/** The door that pages come through, from one address and with a body that any shop's page shows. */
const pageOf =
  (world: World, from: Caller, merchant: Merchant): Door =>
  async (work = { puzzle: '', answer: '' }) => {
    const answer = await fetch(`${world.apiUrl}/plugin/transactions`, {
      method: 'POST',
      headers: { ...from, origin: 'https://shop.example' },
      body: JSON.stringify({
        ...{ apiKey: merchant.apiKey, contractCode: merchant.contractCode, amount: 100, currency: 'NGN' },
        ...{ reference: reference(), customerEmail: 'n@nobody.example', customerFullName: 'N', ...work },
      }),
    })
    const said = JSON.parse(await answer.text()).problem?.code ?? ''
    return { told: answer.status === 200 ? 'opened' : said, puzzle: answer.headers.get(PUZZLE_HEADER) ?? '' }
  }

async function linkOf(merchant: Merchant): Promise<string> {
  const link = { title: 'Donate', contractCode: merchant.contractCode, currencyCode: 'NGN' }
  return must(await merchant.call('POST', '/api/v1/payment-links', link)).body.paymentLinkCode
}
const formOf =
  (world: World, from: Caller, code: string): Door =>
  async (work = { puzzle: '', answer: '' }) => {
    const answer = await fetch(`${world.apiUrl}/pay/${code}`, {
      ...{ method: 'POST', redirect: 'manual', headers: from },
      body: new URLSearchParams({ name: 'N', email: 'n@nobody.example', amount: '100', ...work }),
    })
    const text = await answer.text()
    return { told: answer.status === 303 ? 'opened' : String(answer.status), puzzle: puzzleIn(text) }
  }

const paymentOf = (merchant: Merchant, paymentMethods?: readonly string[]) => ({
  ...{ amount: 100, customerName: 'Ngozi Bello', customerEmail: 'ngozi@payers.example' },
  ...{ paymentReference: reference(), paymentDescription: 'cloth', currencyCode: 'NGN' },
  ...{ contractCode: merchant.contractCode, ...(paymentMethods ? { paymentMethods } : {}) },
})
/** The path of a payment's page. */
const checkoutOf = async (merchant: Merchant, paymentMethods?: readonly string[]): Promise<string> =>
  new URL(must(await merchant.call('POST', INIT, paymentOf(merchant, paymentMethods))).body.checkoutUrl).pathname

/** Of no bank, made up anew, with its check digit. */
function cardNumber(): string {
  const digits = [4, 5, 3, 9, ...Array.from({ length: 11 }, () => randomInt(10))]
  const sum = digits.reduce((all, digit, at) => all + (at % 2 ? digit : (digit * 2) % 9 || digit), 0)
  return [...digits, (10 - (sum % 10)) % 10].join('')
}

/** How many of so many tries opened a payment. */
async function openings(doors: readonly Door[], tries: number, work?: Parameters<Door>[0]): Promise<number> {
  let [left, opened] = [tries, 0]
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { told: answer } = await (doors[left % doors.length] as Door)(work)
      if (answer === 'opened') opened += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return opened
}

/** As if all but two of what one network may open were opened: a program that works for it gets the two. */
async function atTheCap(world: World, door: Door): Promise<string> {
  const [last] = await world.sql<{ key: string }>(
    `select key from stranger_payments, unnest(keys) as key where key like 'N%' order by transaction_id desc limit 1`,
  )
  await world.sql('update stranger_counts set open = $2 where key = $1', [last?.key, OF_NETWORK - 2])
  const answers: string[] = []
  for (let at = 0; at < 4; at += 1) {
    const asked = await door()
    answers.push(asked.puzzle === '' ? asked.told : (await door(solve(asked.puzzle))).told)
  }
  return answers.join(', ')
}
const few = (opened: number): string => (opened <= FREE ? `at most ${FREE}` : `${opened}`)

export const STRANGERS: readonly Attack[] = [
  {
    name: 'numbers-by-a-link',
    finding: 'H5(b)',
    tries: 'one address opens a payment link 400 times, with made-up answers; then works for the answers',
    must: 'a tenth of the cap without work, none with a wrong answer, and nothing above the cap',
    run: async (world) => {
      const door = formOf(world, world.network(), await linkOf(await world.merchant()))
      const opened = await openings([door], 300)
      const { puzzle } = await door()
      const guessed = await openings([door], 100, { puzzle, answer: '7' })
      return verdict([
        ['300 without work', few(opened), `at most ${FREE}`],
        ['100 with a made-up answer', String(guessed), '0'],
        ['with work, two below the cap', await atTheCap(world, door), 'opened, opened, 429, 429'],
      ])
    },
    plants: {
      'links-uncounted': {
        file: `${COLLECTIONS}/payment-links/payment-links.ts`,
        from: 'await openForStranger(ctx, t, stranger, () => makeNumbered(ctx, t, init, held.code, number), answered)',
        to: 'await makeNumbered(ctx, t, init, held.code, number)',
      },
      'any-answer-will-do': {
        file: `${TRANSACTIONS}/puzzles.ts`,
        from: 'NUMBER.test(number) && hasZeroBits(',
        to: 'NUMBER.test(number) || hasZeroBits(',
      },
      'caps-that-hold-nobody': {
        file: `${TRANSACTIONS}/strangers.ts`,
        from: 'if (full !== null) refuse(',
        to: "if (full === '') refuse(",
      },
    },
  },
  {
    name: 'numbers-by-a-page',
    finding: 'H5(b)',
    tries: 'one address sends 1,000 openings of 25 shops to the door of their pages; then works for the answers',
    must: 'a tenth of the cap without work, and nothing above the cap, at whatever shop; the shops’ servers go on',
    run: async (world) => {
      const [from, shops] = [world.network(), [] as Merchant[]]
      for (let at = 0; at < 25; at += 1) shops.push(await world.merchant(0))
      const doors = shops.map((shop) => pageOf(world, from, shop))
      const opened = await openings(doors, 1_000)
      const [shop] = shops as [Merchant]
      const above = await atTheCap(world, pageOf(world, from, await world.merchant(0)))
      const begun = await shop.call('POST', INIT, paymentOf(shop))
      const full = 'TOO_MANY_OPEN_PAYMENTS'
      return verdict([
        ['1,000 without work', few(opened), `at most ${FREE}`],
        ['with work, two below the cap', above, `opened, opened, ${full}, ${full}`],
        ['a shop asks by its server', told(begun), '200'],
      ])
    },
    plants: {
      'pages-uncounted': {
        file: `${COLLECTIONS}/in-page/in-page.ts`,
        from: 'await openForStranger(ctx, t, stranger, () => makeTransaction(ctx, t, init), answered)',
        to: 'await makeTransaction(ctx, t, init)',
      },
      'pages-that-never-work': {
        file: `${COLLECTIONS}/in-page/in-page.ts`,
        from: 'if (!isAsked(crowd)) return null',
        to: 'if (!isAsked(crowd) || crowd < 1) return null',
      },
    },
  },
  {
    name: 'all-live-streams',
    finding: 'L5',
    tries: 'one address holds on to as many live streams as it gets, of sixty payments',
    must: 'fifty; a payer elsewhere gets a stream as before',
    run: async (world) => {
      const [from, merchant, ending] = [world.network(), await world.merchant(), new AbortController()]
      const stream = async (path: string, headers: Caller): Promise<number> =>
        (await fetch(`${world.apiUrl}${path}/live`, { headers, signal: ending.signal })).status
      try {
        const statuses: number[] = []
        for (let at = 0; at < 60; at += 1) statuses.push(await stream(await checkoutOf(merchant), from))
        const elsewhere = await stream(await checkoutOf(merchant), world.network())
        return verdict([
          ['streams of one address', String(statuses.filter((status) => status === 200).length), '50'],
          ['a payer elsewhere', String(elsewhere), '200'],
        ])
      } finally {
        ending.abort()
      }
    },
    plants: {
      'streams-without-end': {
        file: `${COLLECTIONS}/checkout/live.ts`,
        from: 'if (ofNetwork >= WATCHERS_OF_NETWORK_MAX) return false',
        to: 'if (ofNetwork < 0) return false',
      },
    },
  },
  {
    name: 'card-locked-by-a-stranger',
    finding: 'L6',
    tries: "somebody who knows a card's number types it twelve times with wrong codes, on the pages of a shop",
    must: 'they try it no more; its owner pays with it at another shop, by its page and by its server',
    run: async (world) => {
      const [from, merchant, other] = [world.network(), await world.merchant(), await world.merchant()]
      const number = cardNumber()
      const type = async (shop: Merchant, headers: Caller): Promise<string> => {
        const path = `${world.apiUrl}${await checkoutOf(shop, ['CARD'])}`
        const card = { number, expiry: '10/30', cvv: '999', pin: '9999' }
        const sent = await fetch(`${path}/card`, {
          ...{ method: 'POST', redirect: 'manual', headers },
          body: new URLSearchParams(card),
        })
        return (await sent.text()).includes('Too many attempts with this card') ? 'too often' : 'tried'
      }
      const answers: string[] = []
      for (let at = 0; at < 12; at += 1) answers.push(await type(merchant, from))
      const begun = must(await other.call('POST', INIT, paymentOf(other, ['CARD'])))
      const charged = await other.call('POST', '/api/v1/merchant/cards/charge', {
        ...{ transactionReference: begun.body.transactionReference, collectionChannel: 'API_NOTIFICATION' },
        card: { number, expiryMonth: '10', expiryYear: '2030', cvv: '123', pin: '1234' },
      })
      return verdict([
        ['the last two tries', answers.slice(10).join(', '), 'too often, too often'],
        ['its owner, on a page', await type(other, world.network()), 'tried'],
        ['its owner, by a server', charged.code === 'CARD_TRIED_TOO_OFTEN' ? 'too often' : 'tried', 'tried'],
      ])
    },
    plants: {
      'a-card-counts-everywhere': {
        file: `${COLLECTIONS}/cards/attempts.ts`,
        from: 'recent.of_card >= CARD_TRIES_MAX ||',
        to: 'recent.of_card_everywhere >= CARD_TRIES_MAX ||',
      },
      'a-card-counts-nowhere': {
        file: `${COLLECTIONS}/cards/attempts.ts`,
        from: '(spent && !isEverybodys(',
        to: '(!spent && spent && !isEverybodys(',
      },
    },
  },
  {
    name: 'day-used-up-by-a-form',
    finding: 'H5(c)',
    tries: "a stranger opens a link of open amount for all of the merchant's limit of the day",
    must: 'the merchant goes on asking its customers for money',
    run: async (world) => {
      const merchant = await world.merchant()
      const [risk, admin] = [await world.person('operator', 'risk'), await world.person('operator', 'admin')]
      const asked = must(await risk.act('limits.set', { kind: 'COLLECTIONS', perDay: '3000' }, merchant))
      must(await admin.act('approvals.approve', { reference: asked.body.reference }))
      const form = await fetch(`${world.apiUrl}/pay/${await linkOf(merchant)}`, {
        ...{ method: 'POST', redirect: 'manual', headers: world.network() },
        body: new URLSearchParams({ name: 'N', email: 'n@nobody.example', amount: '2999' }),
      })
      const begun = await merchant.call('POST', INIT, paymentOf(merchant))
      return verdict([
        ['the form', String(form.status), '303'],
        ['the merchant asks for 100', told(begun), '200'],
      ])
    },
    plants: {
      'strangers-count': {
        file: 'apps/gateway/src/features/collections/transactions/limits.sql.ts',
        from: 'and u.merchant_id = t.merchant_id) then 0',
        to: 'and u.merchant_id < 0) then 0',
      },
    },
  },
]
