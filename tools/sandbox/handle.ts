// What the sandbox hands out: addresses, merchants with their keys, the operator, the test cards.
import { SANDBOX_CARDS } from '../../packages/contract/src/collections/cards.ts'
import { nairaNumber } from '../../packages/contract/src/kit/money.ts'
import { operatorOf, type SeededMerchant, sandboxMerchants } from './seed.ts'
import type { Ports, SandboxPorts } from './stack.ts'

export const CELL = '01'

export type Handle = ReturnType<typeof handleOf>

const merchantOf = (merchant: SeededMerchant) => ({
  name: merchant.name,
  apiKey: merchant.apiKey,
  secretKey: merchant.secretKey,
  contractCode: merchant.contractCode,
  walletAccountNumber: merchant.walletNumber,
  walletBalance: nairaNumber(merchant.walletKobo),
  transferOtp: merchant.transferOtp,
  email: merchant.email,
  password: merchant.password,
})

/** Private: the operator's listener is opened on this machine only. */
export const operatorUrlOf = ({ operator }: Ports): string => `http://127.0.0.1:${operator}`

export function handleOf(ports: SandboxPorts, databaseUrl: string, seed: string) {
  const apiUrl = `http://127.0.0.1:${ports.api}`
  const { main, direct, other } = sandboxMerchants(seed, CELL)
  return {
    apiUrl,
    checkoutUrl: `${apiUrl}/checkout`,
    dashboardUrl: `${apiUrl}/dashboard`,
    docsUrl: `${apiUrl}/docs`,
    guidesUrl: `http://127.0.0.1:${ports.guides}`,
    mailsUrl: `${apiUrl}/dashboard/sandbox/mails`,
    openapiUrl: `${apiUrl}/openapi.json`,
    operatorUrl: operatorUrlOf(ports),
    simulatorUrl: `http://127.0.0.1:${ports.simulator}`,
    databaseUrl,
    merchants: { main: merchantOf(main), direct: merchantOf(direct), other: merchantOf(other) },
    operator: operatorOf(seed),
    cards: SANDBOX_CARDS,
  }
}
