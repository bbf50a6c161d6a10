// Mail goes out by SMTP.
import { createTransport } from 'nodemailer'
import type { MailPort } from '../kit/ctx.ts'

const LIMIT_MS = 10_000

export function createMail(smtpUrl: string, from: string, limitMs = LIMIT_MS): MailPort {
  const limits = { connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs }
  const transport = createTransport({ url: smtpUrl, ...limits }, { from })
  return {
    send: async (mail) => {
      try {
        // As an object, or a comma in an address would make it two.
        await transport.sendMail({ ...mail, to: { name: '', address: mail.to } })
        return { kind: 'yes', value: null }
      } catch (error) {
        const { responseCode, message } = error as Error & { responseCode?: number }
        return responseCode === undefined
          ? { kind: 'unknown', why: message }
          : { kind: 'no', status: responseCode, why: 'refused' }
      }
    },
  }
}
