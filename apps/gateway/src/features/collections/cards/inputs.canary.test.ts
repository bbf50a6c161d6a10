// What a payer tells the issuer is never stored: PIN, phone number, date of birth and address go through
// every form of the page, right, wrong and misspelt, at a real api process that logs everything; then every
// byte that was written is searched.
import { expect, test } from 'vitest'
import { card, charges } from '#test/features/collections/cards.ts'
import { startApi } from '#test/kit/api-process.ts'
import { dump } from '#test/kit/data-at-rest.ts'
import { initialise, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ cards: 2 })

const SECRETS = { pin: '975319', phone: '08039753197', birthday: '17/09/1953' }
const ADDRESS = { street: '97 Wuse Canary Close', city: 'Kafanchan', state: 'Gombe-Canary', zip: '975319' }
const FORMS: readonly (readonly [amount: string, fields: Record<string, string>])[] = [
  ['3921.37', { pin: SECRETS.pin }],
  ['3922.37', { phone: SECRETS.phone }],
  ['3923.37', { birthday: SECRETS.birthday }],
  ['3924.37', ADDRESS],
]

test('PIN, phone number, birthday and address are in no table, no log and no answer', async () => {
  const h = harness()
  const { main } = h.merchants
  const api = await startApi(h, 'trace')
  const answers: string[] = []
  const { number, cvv } = card('plain')
  const marker = unique('canary')
  for (const [amount, fields] of FORMS) {
    const made = await initialise(h, main, { amount, customerName: marker })
    const address = api.url + new URL(made.checkoutUrl).pathname
    const post = async (path: string, body: Record<string, string>): Promise<number> => {
      const answer = await fetch(address + path, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(body),
      })
      answers.push(await answer.text(), answer.headers.get('location') ?? '')
      return answer.status
    }
    expect(await post('/card', { number, cvv, expiry: '10/30' })).toBe(303)
    const misspelt = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `${value}x`.repeat(30)]))
    expect(await post('/input', misspelt)).toBe(422)
    expect(await post('/input', fields)).toBe(303) // not the right one: asked again
    answers.push(await (await fetch(`${address}?way=card`)).text())
    expect((await charges(h, main, made.transactionReference))[0]).toMatchObject({ status: 'INPUT', input_wrong: true })
  }
  const places: Record<string, string> = {
    answers: answers.join('\n'),
    log: await api.stop(),
    'database 01': await dump(h.databases['01']),
    'database of the simulator': await dump(h.databases['01'].replace(/_01$/, '_simulator')),
  }
  expect(places['database 01'], 'the search finds what is there').toContain(marker)
  const iso = '1953-09-17'
  for (const [place, text] of Object.entries(places))
    for (const secret of [...Object.values(SECRETS), iso, ...Object.values(ADDRESS)])
      expect(text.includes(secret), `${secret} in ${place}`).toBe(false)
})
