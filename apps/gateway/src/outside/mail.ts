// Mail goes out by SMTP, over connections that stay open for a while: many servers let a new one wait before they greet it, and with
// TLS it costs a handshake. A mail whose connection was closed meanwhile is tried once more over a new one; it may arrive twice.
import { createTransport } from 'nodemailer'
import type { MailPort } from '../kit/ctx.ts'

const LIMIT_MS = 10_000
/** How many mails are on their way at once. */
export const CONNECTIONS_MAX = 8

/** Whose mail it is, for the sandbox's mailbox, which shows a merchant its own only. In live nobody needs it. */
const MERCHANT_HEADER = 'x-cowrie-merchant'

export function createMail(smtpUrl: string, from: string, { limitMs = LIMIT_MS, tagged = false } = {}): MailPort {
  const limits = { connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs }
  const kept = { pool: true as const, maxConnections: CONNECTIONS_MAX, maxRequeues: 1 }
  const transport = createTransport({ url: smtpUrl, ...limits, ...kept }, { from })
  return {
    send: async ({ to, subject, text, merchant }) => {
      const headers = tagged ? { headers: { [MERCHANT_HEADER]: `${merchant.cell}-${merchant.id}` } } : {}
      try {
        // As an object, or a comma in an address would make it two.
        await transport.sendMail({ subject, text, to: { name: '', address: to }, ...headers })
        return { kind: 'yes', value: null }
      } catch (error) {
        const { responseCode, message } = error as Error & { responseCode?: number }
        return responseCode === undefined
          ? { kind: 'unknown', why: message }
          : { kind: 'no', status: responseCode, why: 'refused' }
      }
    },
    close: () => transport.close(),
  }
}
