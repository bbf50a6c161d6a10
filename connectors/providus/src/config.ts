// The settings of this adapter. Nothing else reads the environment.
import * as kit from '@cowrie/connector-kit'

export type Config = ReturnType<typeof readConfig>

/** Throws one error with a sentence for each setting that is missing or wrong, and none of their values. */
export const readConfig = (env: kit.Environment) =>
  kit.readSettings(env, (settings) => {
    const { text, number, url, fault } = settings
    const kinds = { form: /^(?:reserved|dynamic)$/, preset: 'reserved' }
    const config = {
      environment: kit.environmentOf(settings, 'PROVIDUS_ENVIRONMENT'),
      /** Payouts: `…/postingrest` */
      transfersUrl: url('PROVIDUS_TRANSFERS_URL', "the bank's address for payouts", { clear: true }),
      userName: text('PROVIDUS_USERNAME', 'the login for payouts'),
      password: text('PROVIDUS_PASSWORD', 'the password for payouts'),
      /** The account at Providus that payouts are paid from. */
      debitAccount: text('PROVIDUS_DEBIT_ACCOUNT', 'ten digits, the account that payouts are paid from', {
        form: /^\d{10}$/,
      }),
      /** Collections: `…/api` */
      collectionsUrl: url('PROVIDUS_COLLECTIONS_URL', "the bank's address for account numbers", { clear: true }),
      clientId: text('PROVIDUS_CLIENT_ID', 'the Client-Id for account numbers'),
      clientSecret: text('PROVIDUS_CLIENT_SECRET', 'the secret of that Client-Id'),
      numbers: text('PROVIDUS_NUMBERS', 'reserved or dynamic', kinds) === 'dynamic' ? 'dynamic' : 'reserved',
      /** As agreed with the bank: 10 unless extended, at most 48 hours. */
      dynamicMinutes: number('PROVIDUS_DYNAMIC_MINUTES', 'minutes, at most 2880', { preset: '10', most: 2_880 }),
      ...kit.adapterSettings(settings, 'providus'),
      ...kit.webhookSettings(settings, '/providus'),
      ...kit.timeSettings(settings),
      statements: kit.statementSettings(settings),
    } as const
    const plain = [config.transfersUrl, config.collectionsUrl].some(
      (at) => at.startsWith('http:') && !kit.isLoopback(at),
    )
    if (config.environment === 'LIVE' && plain && env['PROVIDUS_PLAIN_HTTP'] !== 'through-a-vpn')
      fault(
        'An address of the bank is http, and the password goes there in the body: PROVIDUS_PLAIN_HTTP=through-a-vpn says that it is safe.',
      )
    return config
  })

/** What is wrong ends the process. */
export const config = (): Config => kit.settingsOrEnd(() => readConfig(process.env))
