// The sandbox's mailbox: a real SMTP server that keeps what it gets, so tests read mails that were really
// sent.
import { once } from 'node:events'
import type pg from 'pg'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { Clock } from './clock.ts'
import { insertMails } from './mail-sink.sql.ts'

export type MailSink = {
  readonly port: number
  /** From now on mail is refused with 451, as a server in trouble does, or taken again. */
  refuse(refused: boolean): void
  stop(): Promise<void>
}

/** Says whose mail it is. */
const MERCHANT_HEADER = 'x-cowrie-merchant'
const MAIL_BYTES_MAX = 2 * 1024 * 1024

const refusal = (responseCode: 451 | 552): Error =>
  Object.assign(new Error(responseCode === 451 ? 'Try again later' : 'The mail is too large'), { responseCode })

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function keep(pool: pg.Pool, clock: Clock, raw: Buffer, recipients: readonly string[]): Promise<void> {
  const mail = await PostalMime.parse(raw)
  const merchant = mail.headers.find(({ key }) => key === MERCHANT_HEADER)?.value
  // PostgreSQL's text holds every character but NUL.
  const clean = (text: string | undefined): string => (text ?? '').replaceAll('\0', '')
  await insertMails(pool, recipients, {
    subject: clean(mail.subject),
    text: clean(mail.text),
    html: clean(mail.html),
    merchant: clean(merchant),
    sentAt: clock.now(),
  })
}

/** A fault of our own is a temporary refusal too: the sender tries again and nothing is lost. */
async function answer(
  take: () => Promise<Error | null>,
  reply: (refused: Error | null) => void,
  onError: (error: unknown) => void,
): Promise<void> {
  let refused: Error | null
  try {
    refused = await take()
  } catch (error) {
    onError(error)
    refused = refusal(451)
  }
  reply(refused)
}

export async function startMailSink(
  pool: pg.Pool,
  clock: Clock,
  address: { readonly host: string; readonly port: number },
  onError: (error: unknown) => void,
): Promise<MailSink> {
  let refused = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAIL_BYTES_MAX,
    closeTimeout: 300,
    onMailFrom: (_address, _session, callback) => callback(refused ? refusal(451) : null),
    onData: (stream, session, callback) => {
      const recipients = session.envelope.rcptTo.map((recipient) => recipient.address)
      const take = async (): Promise<Error | null> => {
        const raw = await readAll(stream)
        if (stream.sizeExceeded) return refusal(552)
        if (refused) return refusal(451)
        await keep(pool, clock, raw, recipients)
        return null
      }
      void answer(take, callback, onError)
    },
  })
  server.on('error', onError)
  server.listen(address.port, address.host)
  await once(server.server, 'listening')
  const bound = server.server.address()
  return {
    port: bound !== null && typeof bound === 'object' ? bound.port : address.port,
    refuse: (value) => {
      refused = value
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
