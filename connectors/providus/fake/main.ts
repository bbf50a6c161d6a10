// The fake bank as a process: `node fake/main.ts '{"port":0,…}'`. It listens for the bank's interface and for
// its own control at one port.
import { createPlans, readSettings, serveFake } from '../../../packages/connector-kit/test/fake.ts'
import { CALLS, createBank, type Login } from './bank.ts'
import { createBooks } from './books.ts'
import { createControls } from './control.ts'

export type FakeConfig = Login & { readonly port: number; readonly debitAccount: string; readonly webhookUrl: string }

const config = readSettings<FakeConfig>()
const books = createBooks(config.debitAccount)
const plans = createPlans(CALLS, () => false)
serveFake(config.port, {
  bank: createBank(books, plans, config),
  controls: createControls({ books, plans, login: config, webhookUrl: config.webhookUrl }),
})
