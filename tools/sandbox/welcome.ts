// What a person sees when the sandbox is up: what runs where, the keys, and a ready curl for each step to the
// first PAID.
import { styleText } from 'node:util'
import type { Handle } from './handle.ts'

const bold = (text: string) => styleText('bold', text)
const dim = (text: string) => styleText('dim', text)
const green = (text: string) => styleText('green', text)
const cyan = (text: string) => styleText('cyan', text)

const row = (name: string, value: string, note = '') =>
  `  ${name.padEnd(14)} ${cyan(value)}${note ? `  ${dim(note)}` : ''}`

const cards = [
  ['plain', 'approved'],
  ['otp', 'asks for a one-time code: 123456'],
  ['threeDs', "3-D Secure: opens the bank's page"],
  ['failing', 'declined'],
] as const
const spaced = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')

/** By the command, which finds this sandbox from its folder. */
const shortest = [
  dim('  In a second terminal, in this folder:'),
  '',
  '     npx cowrie pay 5000',
  '',
  dim('  plays it whole, from the order to the webhook. npx cowrie samples handler copies a handler for it here,'),
  dim('  npx cowrie scenario run plays what can go wrong, npx cowrie status says what runs and what waits.'),
  '',
]

/** The settings that every program of the guides begins with. */
export function environmentLines(handle: Handle): string[] {
  const { apiKey, secretKey, contractCode, walletAccountNumber } = handle.merchants.main
  const settings = {
    ...{ COWRIE_URL: handle.apiUrl, COWRIE_BANK_URL: handle.simulatorUrl, COWRIE_API_KEY: apiKey },
    ...{ COWRIE_SECRET_KEY: secretKey, COWRIE_CONTRACT: contractCode, COWRIE_WALLET: walletAccountNumber },
  }
  return Object.entries(settings).map(([name, value]) => `export ${name}=${value}`)
}

/** To the first payment: what to paste, in this order. */
function steps(handle: Handle): string[] {
  const { main } = handle.merchants
  const basic = Buffer.from(`${main.apiKey}:${main.secretKey}`).toString('base64')
  const body = JSON.stringify({
    amount: 1500,
    customerEmail: 'ngozi@example.com',
    customerName: 'Ngozi Bello',
    paymentReference: 'order-NOW',
    paymentDescription: 'Two yards of adire',
    currencyCode: 'NGN',
    contractCode: main.contractCode,
  }).replace('NOW', `'$(date +%s)'`) // pasted a second time it must be another reference
  const step = (number: number, says: string, ...lines: string[]) => [
    `  ${bold(`${number}.`)} ${says}`,
    ...lines.map((line) => `     ${line}`),
    '',
  ]
  const api = handle.apiUrl
  const json = `-H 'Content-Type: application/json'`
  const auth = `-H "Authorization: Bearer $TOKEN"`
  const pick = (field: string) => `| sed 's/.*"${field}":"\\([^"]*\\)".*/\\1/'`
  return [
    ...step(
      1,
      'Log in. The token is valid for an hour.',
      `TOKEN=$(curl -s -X POST ${api}/api/v1/auth/login -H 'Authorization: Basic ${basic}' ${pick('accessToken')})`,
    ),
    ...step(
      2,
      'Create a transaction of 1,500 naira.',
      `REF=$(curl -s ${api}/api/v1/merchant/transactions/init-transaction ${auth} ${json} \\`,
      `  -d '${body}' ${pick('transactionReference')}); echo "$REF"`,
    ),
    ...step(
      3,
      'Get a bank account number for it.',
      `ACCOUNT=$(curl -s ${api}/api/v1/merchant/bank-transfer/init-payment ${auth} ${json} \\`,
      `  -d "{\\"transactionReference\\":\\"$REF\\"}" ${pick('accountNumber')}); echo "$ACCOUNT"`,
    ),
    ...step(
      4,
      'Pay it, as your customer would.',
      `curl -s ${handle.simulatorUrl}/api/transfers ${json} \\`,
      `  -d "{\\"bankCode\\":\\"50515\\",\\"accountNumber\\":\\"$ACCOUNT\\",\\"amount\\":1500}"; echo`,
    ),
    ...step(
      5,
      'Check that it is PAID.',
      `curl -s -G ${api}/api/v2/merchant/transactions/query --data-urlencode "transactionReference=$REF" ${auth}; echo`,
    ),
  ]
}

export function welcome(handle: Handle, how: { ms: number; ephemeral: boolean }): string {
  const { main } = handle.merchants
  const api = handle.apiUrl
  return [
    '',
    `${green('●')} ${bold('The sandbox is ready')} ${dim(`after ${(how.ms / 1000).toFixed(1)} s. Press Ctrl-C to stop it.`)}`,
    '',
    row('API', api),
    row('Dashboard', handle.dashboardUrl, `log in as ${main.email}, password ${main.password}`),
    row('Guides', handle.guidesUrl, 'how to accept a payment, verify a webhook, pay out, go live'),
    row('Reference', handle.docsUrl, 'every endpoint, error and event'),
    row('Mails', handle.mailsUrl, 'what would be mailed: receipts, codes for payouts (same log-in)'),
    row('Bank simulator', handle.simulatorUrl, "your customer's banking app"),
    row('Operator', handle.operatorUrl, `as ${handle.operator.email}, password ${handle.operator.password}`),
    row('Database', handle.databaseUrl),
    '',
    `  ${bold(main.name)} ${dim('(one of three merchants; --json shows all)')}`,
    dim('  For a second terminal: where the guides and your server look for it.'),
    '',
    ...environmentLines(handle).map((line) => `     ${line}`),
    '',
    dim(
      `  Its payouts wait for a code by mail; those of the merchant direct do not: ${how.ephemeral ? '--json shows its keys.' : 'its keys are in .cowrie/handle.json.'}`,
    ),
    '',
    bold('  Your first payment'),
    ...(how.ephemeral ? [] : shortest),
    dim('  Or step by step: paste these commands one by one into a second terminal.'),
    '',
    ...steps(handle),
    '  Or pay in the browser: the response of step 2 also has a checkoutUrl. That page takes these test cards:',
    ...cards.map(([name, says]) => `     ${spaced(handle.cards[name].number)}  ${dim(says)}`),
    dim('     10/30, CVV 123, PIN 1234. Amounts that make the issuer decline or time out: docs/sandbox-bank.md'),
    '',
    ...(how.ephemeral ? [] : [dim('  Events on your own machine: npx cowrie listen 3000 --path /hook (docs/cli.md).')]),
    dim(`  As the operator: npx cowrie admin login --url ${handle.operatorUrl} --email ${handle.operator.email}, then`),
    dim(
      '  npx cowrie admin second-factor sets up an authenticator app; npx cowrie admin --help lists what there is to do.',
    ),
    dim('  Webhooks: cowrie sandbox --webhook-url http://127.0.0.1:3000/hook (service-signature is the'),
    dim('  HMAC-SHA512 of the body with the secret key). GET /sandbox/events lists them with every delivery attempt.'),
    dim(
      `  ${how.ephemeral ? 'The data is removed when you stop it (--ephemeral).' : 'The data is kept in .cowrie/; run with --reset to start over.'}`,
    ),
    '',
    '',
  ].join('\n')
}
