// Faults for the invariant of what pages opened, and an opening for them to be planted in.
import { opened } from '../../../features/collections/in-page.ts'
import type { Harness } from '../../../kit/harness.ts'

export type InPageScene = { openedByPage: bigint }

export async function inPageScene(h: Harness): Promise<InPageScene> {
  const { transactionReference } = await opened(h, h.merchants.main)
  const [row] = await h.sql('01', 'select id from transactions where reference = $1', [transactionReference])
  return { openedByPage: BigInt(row.id) }
}

const opening = (set: string) => (s: InPageScene) =>
  `update page_openings set ${set} where transaction_id = ${s.openedByPage}`

export const IN_PAGE_PLANTS: Readonly<
  Record<string, readonly (readonly [what: string, sql: (scene: InPageScene) => string])[]>
> = {
  'what a page opened is a transaction of its merchant': [
    ['no transaction', opening('transaction_id = transaction_id + 1')],
    [
      'of another merchant',
      opening('merchant_id = (select max(id) from merchants where id <> page_openings.merchant_id)'),
    ],
  ],
}
