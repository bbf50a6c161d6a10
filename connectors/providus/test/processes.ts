// The fake bank and the adapter as processes, for whoever kills them.
import { sharedSettings, startFake as start, startReported } from '../../../packages/connector-kit/test/fake-client.ts'
import type { Env, Program } from '../../../packages/connector-kit/test/programs.ts'

/** Each is somewhere else: what is found where it does not belong is recognised. */
export const LOGIN = {
  userName: 'cowrie-payouts',
  password: 'canary-password-5fd1',
  clientId: 'Y293cmllLXRlc3Q=',
  clientSecret: 'CANARYSECRET77B0E1',
}
export const DEBIT_ACCOUNT = '1700313889'

export const startFake = (): Promise<Program> =>
  start('providus', { ...LOGIN, port: 0, debitAccount: DEBIT_ACCOUNT, webhookUrl: 'http://127.0.0.1:1/' })

type Places = Parameters<typeof sharedSettings>[0] & { readonly fakeUrl: string }

export const settingsOf = ({ fakeUrl, ...places }: Places): Env => ({
  ...sharedSettings(places),
  PROVIDUS_ENVIRONMENT: 'TEST',
  PROVIDUS_TRANSFERS_URL: `${fakeUrl}/postingrest`,
  PROVIDUS_USERNAME: LOGIN.userName,
  PROVIDUS_PASSWORD: LOGIN.password,
  PROVIDUS_DEBIT_ACCOUNT: DEBIT_ACCOUNT,
  PROVIDUS_COLLECTIONS_URL: `${fakeUrl}/api`,
  PROVIDUS_CLIENT_ID: LOGIN.clientId,
  PROVIDUS_CLIENT_SECRET: LOGIN.clientSecret,
})

export const startAdapter = (fake: Program, settings: Env): Promise<Program> =>
  startReported('providus', fake.url, settings)
