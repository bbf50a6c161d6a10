// The settings of this adapter. Nothing else reads the environment.
import * as kit from '@cowrie/connector-kit'

export type Config = ReturnType<typeof readConfig>

/** What cards are sealed with, the one that is shown first. None: cards arrive clear. */
const sealKeys = ({ optional, fault }: kit.Settings): kit.SealKeys =>
  ['CARD_KEY', 'CARD_KEY_BEFORE'].flatMap((name) => {
    const pem = optional(name)
    try {
      return pem === undefined || pem === '' ? [] : [kit.readSealKey(pem)]
    } catch {
      fault(`${name} is not right: a private RSA key in PEM, of at least 2048 bits.`)
      return []
    }
  })

/** Throws one error with a sentence for each setting that is missing or wrong, and none of their values. */
export const readConfig = (env: kit.Environment) =>
  kit.readSettings(env, (settings) => {
    const { text, url } = settings
    const environment = kit.environmentOf(settings, 'PAYSTACK_ENVIRONMENT')
    const kind = environment === 'LIVE' ? 'sk_live_' : 'sk_test_'
    return {
      environment,
      url: url('PAYSTACK_URL', 'the address of the interface', { preset: 'https://api.paystack.co' }),
      secretKey: text('PAYSTACK_SECRET_KEY', `the secret key, which begins with ${kind}`, {
        form: RegExp(`^${kind}\\w{16,}$`),
      }),
      sealKeys: sealKeys(settings),
      /** Payers type their cards on Paystack's page. */
      page: text('PAYSTACK_CARD_PAGE', 'yes or no', { form: /^(?:yes|no)$/, preset: 'no' }) === 'yes',
      bankCode: text('BANK_CODE', 'at most ten characters', { form: /^[\w-]{1,10}$/, preset: 'PAYSTACK' }),
      ...kit.adapterSettings(settings, 'paystack'),
      ...kit.timeSettings(settings, 50),
      ...kit.webhookSettings(settings, '/paystack'),
    }
  })

/** What is wrong ends the process. */
export const config = (): Config => kit.settingsOrEnd(() => readConfig(process.env))
