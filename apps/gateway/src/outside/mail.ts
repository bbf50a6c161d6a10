// Mail goes out by SMTP, over connections that stay open for a while: many servers let a new one wait before
// they greet it, and with TLS it costs a handshake. A mail whose connection was closed meanwhile is tried
// once more over a new one; it may arrive twice.
import { createTransport } from 'nodemailer'
import type { Mail, MailPort, Outcome } from '#kit/ctx.ts'
import { createPermits, MAILS_AT_ONCE } from '#kit/permits.ts'

/** How long the mail server may say nothing. */
const LIMIT_MS = 10_000
/** A mail waits at most as long again for a connection: behind a server that says nothing, twenty mails are
 *  given up together. */
const WAITING_LIMITS = 2

const SILENT: Outcome<null> = { kind: 'unknown', why: 'the mail server did not answer in time' }

/** Whose mail it is, for the sandbox's mailbox, which shows a merchant its own only. In live nobody needs
 *  it. */
const MERCHANT_HEADER = 'x-cowrie-merchant'

export function createMail(smtpUrl: string, from: string, { limitMs = LIMIT_MS, tagged = false } = {}): MailPort {
  const limits = { connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs }
  const kept = { pool: true as const, maxConnections: MAILS_AT_ONCE, maxRequeues: 1 }
  const transport = createTransport({ url: smtpUrl, ...limits, ...kept }, { from })
  const permits = createPermits(MAILS_AT_ONCE)

  const deliver = async ({ to, subject, text, html, replyTo, merchant }: Mail): Promise<Outcome<null>> => {
    const headers = tagged ? { headers: { [MERCHANT_HEADER]: `${merchant.cell}-${merchant.id}` } } : {}
    try {
      // As an object, or a comma in an address would make it two.
      const answers = replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }
      await transport.sendMail({ subject, text, html, to: { name: '', address: to }, ...answers, ...headers })
      return { kind: 'yes', value: null }
    } catch (error) {
      const { responseCode, message } = error as Error & { responseCode?: number }
      return responseCode === undefined
        ? { kind: 'unknown', why: message }
        : { kind: 'no', status: responseCode, why: 'refused' }
    }
  }

  return {
    send: async (mail) => {
      const { promise: limit, resolve } = Promise.withResolvers<Outcome<null>>()
      let givenUp = false
      const timer = setTimeout(() => {
        givenUp = true
        resolve(SILENT)
      }, limitMs * WAITING_LIMITS)
      // One that was given up while it waited for a connection is not sent behind its caller's back.
      const sent = permits(async () => (givenUp ? SILENT : deliver(mail)))
      return Promise.race([sent, limit]).finally(() => clearTimeout(timer))
    },
    close: () => transport.close(),
  }
}
