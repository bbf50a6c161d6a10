// The fake as a process: `node fake/main.ts '{"port":0,"secretKey":"sk_test_…","webhookUrl":"…"}'`. It
// listens for the published interface and for its own control at one port.
import { createPlans, readSettings, serveFake } from '../../../packages/connector-kit/test/fake.ts'
import { createBooks } from './books.ts'
import { createControls } from './control.ts'
import { CALLS, createPaystack } from './paystack.ts'

export type FakeConfig = { readonly port: number; readonly secretKey: string; readonly webhookUrl: string }

const { port, secretKey, webhookUrl } = readSettings<FakeConfig>()
const books = createBooks()
const plans = createPlans(CALLS, () => true)
serveFake(port, {
  bank: createPaystack(books, plans, secretKey),
  controls: createControls({ books, plans, secretKey, webhookUrl }),
})
