// Who sits at the command line: log-in with the second factor, step-up, log-out; and a new operator's first
// steps, the invitation and the authenticator app. Nothing secret is taken as an option, and nothing secret
// is printed but what is shown once by its nature.
import { type Environment, environment } from '../config.ts'
import { Failure } from '../failure.ts'
import { bold, printLine, printNote } from '../words.ts'
import { type Client, openClient, Refused } from './client.ts'
import { ask, hasTerminal } from './prompt.ts'
import { forgetSession, loadSession, operatorUrl, type Session, saveSession } from './session.ts'
import { thingLines } from './table.ts'

export type AdminFlags = { readonly url?: string; readonly json?: true; readonly email?: string; readonly token?: true }

type LogInReply = {
  readonly state: 'CODE' | 'IN'
  readonly factors: readonly string[]
  readonly token?: string
  readonly deviceToken?: string
}
type Me = {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly factors: readonly string[]
  readonly factorNeeded: boolean
  readonly recoveryCodesLeft: number
}
type Renewed = { readonly token?: string } | undefined

const NO_URL =
  "Where is the operator's listener? Give --url or COWRIE_OPERATOR_URL; it is the address of OPERATOR_HOST and OPERATOR_PORT."

const urlOf = (flags: AdminFlags, env: Environment): string =>
  operatorUrl(
    flags.url ??
      (env['COWRIE_OPERATOR_URL'] ||
        loadSession(env)?.url ||
        (() => {
          throw new Failure(NO_URL, { exitCode: 2 })
        })()),
  )

export type Seat = {
  readonly client: Client
  /** Proves again who sits here. */
  stepUp(code: string): Promise<void>
  /** Keeps a token that the gateway gave in place of the one before. */
  renew(reply: Renewed): void
}

/** The session of the environment, else the one of the last log-in at this address: a token is sent nowhere
 *  else. */
export function takeSeat(flags: AdminFlags, signal: AbortSignal): Seat {
  const env = environment()
  const url = urlOf(flags, env)
  const given = env['COWRIE_OPERATOR_SESSION'] || null
  const kept = loadSession(env)
  let session = kept?.url === url && kept.token !== '' ? kept : null
  let token = given ?? session?.token ?? null
  if (token === null)
    throw new Failure(`You are not logged in at ${url}. Run: cowrie admin login --url ${url}`, { exitCode: 1 })
  const client = openClient(url, () => token, signal)
  const renew = (reply: Renewed): void => {
    if (reply?.token === undefined) return
    token = reply.token
    if (session !== null && given === null) {
      session = { ...session, token }
      saveSession(env, session)
    } else {
      printNote('Your session has another token now; set COWRIE_OPERATOR_SESSION to:')
      printLine(token)
    }
  }
  const stepUp = async (code: string) => renew(await client.call<Renewed>('POST', '/operator/v1/step-up', { code }))
  return { client, stepUp, renew }
}

const STEP_UP_CODES = ['STEP_UP_REQUIRED', 'PROOF_NEEDED']

/** Calls; where the gateway wants a fresh proof, asks for the code and calls again. */
export async function proved<T>(seat: Seat, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Refused) || !STEP_UP_CODES.includes(error.code)) throw error
    if (!hasTerminal())
      throw new Failure(
        'This needs a fresh proof of who you are. Run `cowrie admin stepup`, then this again within five minutes.',
      )
    await seat.stepUp(await ask('Code of your authenticator app', { secret: true }))
    return call()
  }
}

export async function logIn(flags: AdminFlags, signal: AbortSignal): Promise<void> {
  const env = environment()
  const url = urlOf(flags, env)
  const before = loadSession(env)
  const device = before?.url === url ? before.deviceToken : undefined
  const withDevice = device === undefined ? {} : { deviceToken: device }
  let token: string | null = null
  const client = openClient(url, () => token, signal)
  const email = flags.email ?? (await ask('E-mail address'))
  const password = await ask('Password', { secret: true })
  let reply = await client.call<LogInReply>('POST', '/operator/v1/log-in', {
    email,
    password,
    asToken: true,
    ...withDevice,
  })
  let deviceToken = reply.deviceToken ?? device
  token = reply.token ?? null
  if (reply.state === 'CODE') {
    if (!reply.factors.includes('TOTP'))
      throw new Failure(
        'Your only second factor is a passkey, which needs a browser. Set up an authenticator app there.',
      )
    const code = await ask('Code of your authenticator app, or a recovery code', { secret: true })
    reply = await client.call<LogInReply>('POST', '/operator/v1/log-in/code', { code, ...withDevice })
    token = reply.token ?? token
    deviceToken = reply.deviceToken ?? deviceToken
  }
  if (token === null) throw new Failure(`The gateway at ${url} gave no session.`)
  const me = await client.call<Me>('GET', '/operator/v1/me')
  if (flags.token) printLine(token)
  else saveSession(env, { url, email: me.email, token, ...(deviceToken === undefined ? {} : { deviceToken }) })
  printNote(`Logged in as ${me.email} (${me.role}).`)
  if (me.factorNeeded) printNote('Your role needs a second factor. Run: cowrie admin second-factor')
}

export async function logOut(flags: AdminFlags, signal: AbortSignal): Promise<void> {
  const env = environment()
  const kept = loadSession(env)
  try {
    await takeSeat(flags, signal).client.call('POST', '/operator/v1/log-out', {})
  } catch (error) {
    if (!(error instanceof Refused)) throw error // it had ended already
  }
  if (kept?.deviceToken === undefined) forgetSession(env)
  else saveSession(env, { ...kept, token: '' } satisfies Session)
  printNote('Logged out.')
}

export async function whoAmI(flags: AdminFlags, signal: AbortSignal): Promise<void> {
  const me = await takeSeat(flags, signal).client.call<Me>('GET', '/operator/v1/me')
  if (flags.json) return printLine(JSON.stringify(me))
  const { email, name, role, factors, recoveryCodesLeft } = me
  for (const line of thingLines({ email, name, role, factors: [...factors], recoveryCodesLeft })) printLine(line)
}

export async function stepUp(flags: AdminFlags, signal: AbortSignal): Promise<void> {
  const seat = takeSeat(flags, signal)
  await seat.stepUp(await ask('Code of your authenticator app', { secret: true }))
  printNote('Good for five minutes.')
}

/** The password of a new account; a person at a terminal types it twice. */
async function newPassword(): Promise<string> {
  const password = await ask('New password', { secret: true })
  if (hasTerminal() && (await ask('The same again', { secret: true })) !== password)
    throw new Failure('The two passwords differ.', { exitCode: 2 })
  return password
}

export async function accept(flags: AdminFlags & { readonly name?: string }, signal: AbortSignal): Promise<void> {
  const client = openClient(urlOf(flags, environment()), () => null, signal)
  const link = await ask('Link or token of your invitation', { secret: true })
  const token = /[A-Za-z0-9_-]{64}$/.exec(link)?.[0]
  if (token === undefined)
    throw new Failure('A link of an invitation ends in a token of 64 characters.', { exitCode: 2 })
  const name = flags.name === undefined ? {} : { name: flags.name }
  const body = { token, password: await newPassword(), ...name }
  const { email } = await client.call<{ email: string }>('POST', '/operator/v1/invitations/accept', body)
  printNote(`Welcome, ${email}. Run: cowrie admin login --url ${client.url} --email ${email}`)
}

/** Sets up the authenticator app. */
export async function secondFactor(flags: AdminFlags, signal: AbortSignal): Promise<void> {
  const seat = takeSeat(flags, signal)
  const { client } = seat
  const start = (body: object) => client.call<{ uri: string }>('POST', '/operator/v1/totp/start', body)
  const { uri } = await start({ password: await ask('Password', { secret: true }) })
  printNote('Add this to your authenticator app; it is shown once:')
  printLine(uri)
  const code = await ask('The code that it shows', { secret: true })
  const reply = await client.call<{ recoveryCodes: readonly string[]; token?: string }>(
    'POST',
    '/operator/v1/totp/confirm',
    { code },
  )
  seat.renew(reply)
  printNote('Keep these recovery codes; each opens your account once, and they are shown once:')
  for (const one of reply.recoveryCodes) printLine(bold(one))
}
