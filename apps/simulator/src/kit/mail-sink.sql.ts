// The rows of the mailbox, one per recipient.
import type pg from 'pg'

type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly sentAt: string
}

type Received = Omit<Mail, 'to' | 'sentAt'> & {
  /** Whose mail it is; '' when it does not say. */
  readonly merchant: string
  readonly sentAt: Date
}

export async function insertMails(pool: pg.Pool, recipients: readonly string[], mail: Received): Promise<void> {
  const { subject, text, html, sentAt, merchant } = mail
  await pool.query(
    `insert into mails (recipient, subject, text, html, sent_at, merchant)
     select recipient, $2, $3, $4, $5, $6 from unnest($1::text[]) as recipient`,
    [recipients, subject, text, html, sentAt, merchant],
  )
}

/** The newest first; null asks for those of every merchant, or to every recipient. */
export async function listMails(pool: pg.Pool, merchant: string | null, to: string | null): Promise<Mail[]> {
  const { rows } = await pool.query<{ recipient: string; subject: string; text: string; html: string; sent_at: Date }>(
    `select recipient, subject, text, html, sent_at from mails
     where ($1::text is null or merchant = $1) and ($2::text is null or lower(recipient) = lower($2))
     order by sent_at desc, id desc limit 200`,
    [merchant, to],
  )
  return rows.map(({ recipient, subject, text, html, sent_at }) => ({
    to: recipient,
    subject,
    text,
    html,
    sentAt: sent_at.toISOString(),
  }))
}
