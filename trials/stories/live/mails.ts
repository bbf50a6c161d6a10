// A mail server that keeps what it gets: for a live gateway, encrypted from the first byte; for the
// monitoring of a test, plain.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { Certificate } from '../../../apps/gateway/test/kit/certificates.ts'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }
export type Mails = {
  readonly url: string
  /** The mail to somebody with these words in its subject, once it has come. */
  mailTo(email: string, subject: string): Promise<Mail>
  stop(): Promise<void>
}

export async function startMails(certificate: Certificate | null): Promise<Mails> {
  const kept: Mail[] = []
  const keep = async (stream: SMTPServerDataStream, to: readonly string[], taken: () => void): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const { subject = '', text = '', html = '' } = await PostalMime.parse(Buffer.concat(chunks))
    for (const one of to) kept.push({ to: one, subject, text: text || html })
    taken()
  }
  const server = new SMTPServer({
    ...(certificate
      ? { secure: true, cert: certificate.cert, key: certificate.key }
      : { disabledCommands: ['STARTTLS', 'AUTH'] }),
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 300,
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address)
      void keep(stream, recipients, () => done())
    },
  })
  server.on('error', () => undefined) // a client that was killed
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `${certificate ? 'smtps' : 'smtp'}://localhost:${(server.server.address() as AddressInfo).port}`,
    mailTo: (email, subject) =>
      until(`a mail "${subject}" to ${email}`, async () =>
        kept.find((mail) => mail.to === email && mail.subject.includes(subject)),
      ),
    stop: () => new Promise((done) => server.close(() => done())),
  }
}
