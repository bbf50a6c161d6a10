// Wrong use, a gateway that is away, wrong keys: every command says what is wrong and what would be right, in
// words. Never a stack.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { newFolder, runIn, STACK } from './home.ts'

const FOLDER = newFolder() // no sandbox here or above
afterAll(() => rmSync(FOLDER, { recursive: true }))

/** A port that was free a moment ago. */
const closed = createServer().listen(0, '127.0.0.1')
await once(closed, 'listening')
const AWAY = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
closed.close()
const KEYS = { COWRIE_URL: AWAY, COWRIE_API_KEY: 'MK_TEST_0100000000', COWRIE_SECRET_KEY: 'secret-1234' }

const WRONG: readonly (readonly [words: readonly string[], says: string])[] = [
  [['pay'], 'Right use: cowrie pay [options] <amount>'],
  [['pay', 'much'], 'Give naira, such as 5000'],
  [['pay', '5000', '--metod', 'card'], 'Did you mean --method?'],
  [['pay', '5000', '--method', 'cash'], 'Allowed choices are transfer, card, ussd.'],
  [['pay', '5000', '--method', 'ussd', '--card', 'otp'], '--card needs --method card'],
  [['pay', '5000', '--scenario', 'late', '--method', 'ussd'], '--scenario is about transfers'],
  [['pya', '5000'], 'Did you mean pay?'],
  [['trigger'], 'Right use: cowrie trigger'],
  [['trigger', 'succesful_refund'], 'Did you mean SUCCESSFUL_REFUND?'],
  [['trigger', 'ENDPOINT_DISABLED'], 'no single step makes it. These can be made:'],
  [['advance', 'soon'], 'such as 90s, 10m, 2h, 1d or 1h30m'],
  [['advance', '10'], '10 of what?'],
  [['advance', '900d'], 'to 400 days at once'],
  [['scenario'], 'Usage: cowrie scenario'],
  [['scenario', 'rnu'], 'Did you mean run?'],
  [['scenario', 'run', 'late-paymnet'], 'Did you mean late-payment?'],
  [['open', 'shop'], 'Allowed choices are checkout, dashboard, docs, mails, bank.'],
  [['samples', 'handlr'], 'Did you mean handler?'],
  [['show'], "missing required argument 'anything'"],
  [['explain'], "missing required argument 'payment'"],
  [['status', 'now'], 'too many arguments'],
  [['login', '--url', 'nowhere'], '"nowhere" is not an address'],
  [['login', '--url', 'http://gateway.example'], 'is not encrypted'],
  [['sandbox', '--prot', '5000'], 'No option is called --prot. Did you mean --port?'],
  [['sandbox', '--port', 'abc'], '"abc" is not a port'],
  [['sandbox', '--port'], '--port is used wrongly'],
  [['sandbox', 'now'], 'The sandbox takes options only'],
  [['sandbox', '--webhook-url', 'hook'], '"hook" is not an address'],
  [['mcp', 'now'], 'too many arguments'],
]

test.each(WRONG)('cowrie %j is wrong use: 2, and what would be right', async (words, says) => {
  const said = await runIn(FOLDER, words)
  expect(said.code, said.all).toBe(2)
  expect(said.err).toContain(says)
  expect(said.all).not.toMatch(STACK)
})

test.each([
  ['pay', '5000'],
  ['trigger', 'SUCCESSFUL_TRANSACTION'],
  ['scenario', 'run', 'reversal'],
  ['advance', '10m'],
  ['open', 'docs'],
])('cowrie %s where no sandbox runs: 2, and how to start one', async (...words) => {
  const said = await runIn(FOLDER, words)
  expect(said).toMatchObject({ code: 2, err: expect.stringMatching(/No sandbox runs in this\s+folder/) })
  expect(said.all).not.toMatch(STACK)
})

test.each([['show', 'x'], ['explain', 'x'], ['status']])(
  'cowrie %s with a gateway that is away: 1',
  async (...words) => {
    const said = await runIn(FOLDER, words, KEYS)
    expect(said).toMatchObject({ code: 1, err: expect.stringMatching(/does not answer\s+\(connection\s+refused\)/) })
    expect(said.all).not.toMatch(STACK)
  },
)

test('login asks for the keys on standard input, keeps nothing that the gateway did not take, and never echoes', async () => {
  const said = await runIn(FOLDER, ['login', '--url', AWAY], {}, 'MK_TEST_0100000000\nsecret-1234\n')
  expect(said).toMatchObject({ code: 1, err: expect.stringContaining('does not answer') })
  expect(said.all).not.toContain('secret-1234')
  const wrong = await runIn(FOLDER, ['login', '--url', AWAY], {}, 'my key\n')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('An API key begins with MK_TEST_') })
  const none = await runIn(FOLDER, ['login', '--url', AWAY])
  expect(none.code).toBe(2)
  expect(await runIn(FOLDER, ['logout'])).toMatchObject({ code: 0, out: 'No keys were kept.\n' })
  expect(await runIn(FOLDER, ['status'])).toMatchObject({ code: 2, err: expect.stringContaining('No keys found') })
})
