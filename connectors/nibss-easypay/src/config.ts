// The settings of this adapter. Nothing else reads the environment.
import * as kit from '@cowrie/connector-kit'

export type Config = ReturnType<typeof readConfig>
export type NibssSettings = Config['nibss']

/** The account that payouts are debited from. */
const accountOf = ({ text }: kit.Settings) => ({
  bank: text('NIBSS_ACCOUNT_INSTITUTION', 'the six digits that NIBSS gave its bank', { form: /^\d{6}$/ }),
  number: text('NIBSS_ACCOUNT_NUMBER', 'ten digits', { form: /^\d{10}$/ }),
  name: text('NIBSS_ACCOUNT_NAME', 'its name'),
  kycLevel: text('NIBSS_ACCOUNT_KYC_LEVEL', '1, 2 or 3', { form: /^[1-3]$/, preset: '3' }),
  bvn: text('NIBSS_ACCOUNT_BVN', 'eleven digits', { form: /^\d{11}$/ }),
})

/** Throws one error with a sentence for each setting that is missing or wrong, and none of their values. */
export const readConfig = (env: kit.Environment) =>
  kit.readSettings(env, (settings) => {
    const { text, url: address } = settings
    const clientId = text('NIBSS_CLIENT_ID', 'the id that NIBSS gave')
    const url = address('NIBSS_URL', 'the address of the interface')
    const mandate = text('NIBSS_MANDATE', 'the reference of the mandate for payouts')
    const path = { form: /^\/[\w/-]+$/, preset: '/reset' }
    const location = { form: /^-?\d+\.\d+,-?\d+\.\d+$/ }
    return {
      ...kit.adapterSettings(settings, 'nibss_easypay'),
      ...kit.timeSettings(settings),
      /** Of the bank that has the account. */
      statements: kit.statementSettings(settings),
      environment: kit.environmentOf(settings, 'NIBSS_ENVIRONMENT'),
      /** Who the gateway believes to talk to. */
      bankCode: text('BANK_CODE', 'at most ten characters', { form: /^.{1,10}$/ }),
      bankName: text('BANK_NAME', 'a name', { preset: 'NIBSS EasyPay' }),
      nibss: {
        url,
        tokenUrl: url + text('NIBSS_TOKEN_PATH', 'the path of tokens, which begins with /', path),
        clientId,
        clientSecret: text('NIBSS_CLIENT_SECRET', 'the secret of that id'),
        scope: text('NIBSS_SCOPE', 'of a token', { preset: `${clientId}/.default` }),
        /** What our sessions begin with. */
        institution: text('NIBSS_INSTITUTION_CODE', 'the six digits that NIBSS gave', { form: /^\d{6}$/ }),
        channel: text('NIBSS_CHANNEL', '1 to 12', { form: /^(?:[1-9]|1[0-2])$/, preset: '7' }),
        location: text('NIBSS_LOCATION', 'latitude,longitude', location),
        billerId: text('NIBSS_BILLER_ID', 'the biller of the mandate'),
        mandate,
        balanceMandate: text('NIBSS_BALANCE_MANDATE', 'a mandate that lets the balance be read', {
          preset: mandate || 'unset',
        }),
        account: accountOf(settings),
      },
    }
  })

/** What is wrong ends the process. */
export const config = (): Config => kit.settingsOrEnd(() => readConfig(process.env))
