// Scenarios: the ways in which a bank goes wrong, each played on a payment that is made for it, or chosen by
// an account, a card or an amount. The checkout's own test tools play them, so this screen can do nothing
// that the yellow bar of a checkout cannot.
import type { initTransaction } from '@cowrie/contract/collections/transactions'
import type { listOwnContracts } from '@cowrie/contract/screens/collecting'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, playBank, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Money, State } from '../../parts/figures.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import css from './sandbox.module.css'
import {
  accountWith,
  CARD_AMOUNTS,
  CARDS,
  type Line,
  PAYMENTS,
  PAYOUTS,
  type Played,
  REFUND_AMOUNTS,
} from './scenario-list.ts'

const NAIRA = '5000.00'
const KOBO = 500_000n

/** Makes a payment and plays the bank on it. */
function usePlay(contractCode: string | undefined) {
  return useDoing(async ({ action, word }: Played, { key }) => {
    const { transactionReference, checkoutUrl } = await call<typeof initTransaction>('transactions.init', {
      key,
      body: {
        amount: NAIRA,
        currencyCode: 'NGN',
        contractCode: contractCode ?? '',
        customerName: 'Scenario Payer',
        customerEmail: 'payer@example.com',
        paymentDescription: `Scenario: ${word.toLowerCase()}`,
        paymentReference: `scenario-${key}`,
      },
    })
    return { action, transactionReference, taken: await playBank(checkoutUrl, action) }
  })
}

type Play = ReturnType<typeof usePlay>
const Outcome = ({ play: { result, error } }: { readonly play: Play }) => (
  <>
    <Failed error={error} />
    {result === undefined ? null : (
      <Notice tone={result.taken ? 'good' : 'care'} title={result.taken ? 'Played.' : 'The bank refused the transfer.'}>
        <Link to="/payments/$reference" params={{ reference: result.transactionReference }}>
          See what became of it
        </Link>
      </Notice>
    )}
  </>
)

function Payments() {
  const me = useMe()
  const makes = may(me, 'collections.write')
  const contracts = useQuery({
    queryKey: ['contracts'],
    queryFn: () => view<typeof listOwnContracts>('contracts.list'),
    enabled: makes,
  })
  const contract = contracts.data?.[0]?.contractCode
  const play = usePlay(contract)
  return (
    <Section
      title="A payment"
      lead={
        <>
          Each makes a payment of <Money kobo={KOBO} /> by transfer, and plays the payer’s bank on it.
          {makes ? null : ` Not possible: your role, ${me.role}, makes no payments.`}
        </>
      }
    >
      <Failed error={contracts.error} />
      <ul className={css['plays']}>
        {PAYMENTS.map((one) => (
          <li key={one.action}>
            <div>
              <b>{one.word}</b>
              <p>{one.says}</p>
              {play.input?.action === one.action ? <Outcome play={play} /> : null}
            </div>
            <Button
              small
              disabled={!makes || contract === undefined}
              busy={play.busy}
              aria-label={`Play it: ${one.word.toLowerCase()}`}
              onClick={() => play.go(one)}
            >
              Play it
            </Button>
          </li>
        ))}
      </ul>
      {play.dialog}
    </Section>
  )
}

const Payouts = () => (
  <Section title="A payout" lead="The last digits of the account decide. All other accounts are paid at once.">
    <Table
      name="Payouts by account"
      rows={PAYOUTS}
      idOf={({ ending }) => ending}
      columns={[
        {
          head: 'Account ends in, and what the bank does',
          plain: true,
          cell: ({ ending, says }) => (
            <div>
              <Link to="/payouts/new" search={{ account: accountWith(ending) }}>
                …{ending}, new payout
              </Link>
              <small>{says}</small>
            </div>
          ),
        },
        { head: 'Outcome', cell: ({ tone, outcome }) => <State tone={tone}>{outcome}</State> },
      ]}
    />
  </Section>
)

const spaced = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')
const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <Facts facts={lines.map(([what, says]) => [/^\d{16}$/.test(what) ? spaced(what) : what, says])} />
)

export const Scenarios = () => (
  <Page title="Scenarios" lead="What the bank of this sandbox can be made to do wrong. In live it needs no asking.">
    <Payments />
    <Payouts />
    <Section title="A card" lead="On the checkout: any expiry date to come, CVV 123, PIN 1234.">
      <Lines lines={CARDS} />
    </Section>
    <Section title="A card, by amount" lead="The amount of the payment, in naira; with any card that may pay.">
      <Lines lines={CARD_AMOUNTS} />
    </Section>
    <Section title="A refund to a card, by amount" lead="The amount of the refund, in naira.">
      <Lines lines={REFUND_AMOUNTS} />
    </Section>
    <Section
      title="A direct debit"
      lead="By the customer’s account number, with the endings of the payouts above. Statements, bills, registers of people and agents: the bank lists them at its own address, /api/scenarios."
    />
  </Page>
)
