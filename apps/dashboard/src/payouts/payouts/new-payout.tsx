// A new payout: amount, account, both names, and beside them the whole act again before it is sent. What it
// costs and whom it waits for, the gateway says (`wallets.own`); whether it may go, the gateway decides.
import type { initiateTransfer, validateAccount } from '@cowrie/contract/payouts/disbursements'
import { matchNames } from '@cowrie/contract/payouts/name-match'
import type { getDisbursementSettings } from '@cowrie/contract/wallets/disbursement-settings'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOf, koboOfText } from '../../money.ts'
import { Select } from '../../parts/choice.tsx'
import { Field } from '../../parts/field.tsx'
import { Money } from '../../parts/figures.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sending/confirm.tsx'
import { TwoNames } from '../../parts/sending/names.tsx'
import css from '../../parts/sending/sending.module.css'
import { Similar } from '../../parts/sending/similar.tsx'
import { nairaTyped, newReference } from '../../parts/sending/typed.ts'
import { useBanks, useQuote, useWallet } from '../../parts/sending/use-wallet.ts'

export type Draft = {
  readonly amount: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly name: string
  readonly narration: string
  readonly reference: string
}
type Change = (change: Partial<Draft>) => void

const digits = (text: string): string => text.replaceAll(/\D/g, '')

function useNameOf({ bankCode, accountNumber }: Draft) {
  const number = digits(accountNumber)
  return useQuery({
    queryKey: ['name', bankCode, number],
    queryFn: () =>
      call<typeof validateAccount>('transfers.validateAccount', { query: { bankCode, accountNumber: number } }),
    enabled: bankCode !== '' && number.length === 10,
  })
}

const WIDTH = 1_000
/** How much of the day's limit is used, and would be with this. */
function DayLimit({ amount }: { readonly amount: string | null }) {
  const settings = useQuery({
    queryKey: ['disbursement-settings'],
    queryFn: () => call<typeof getDisbursementSettings>('disbursementSettings.get'),
    enabled: may(useMe(), 'settings.read'),
  })
  if (!settings.data) return null
  const { spentToday, perDayLimit, perTransferLimit, approvalAbove } = settings.data
  const share = (naira: number): number => (perDayLimit === 0 ? 0 : Math.min(WIDTH, (naira / perDayLimit) * WIDTH))
  const asked = Number(amount ?? 0)
  return (
    <div className={css['limit']}>
      <svg viewBox={`0 0 ${WIDTH} 6`} preserveAspectRatio="none" aria-hidden="true">
        <rect className={css['this']} width={share(spentToday + asked)} height="6" />
        <rect className={css['sent']} width={share(spentToday)} height="6" />
      </svg>
      <p>
        Today: <Money kobo={koboOf(spentToday)} /> sent, of <Money kobo={koboOf(perDayLimit)} />. One payout:{' '}
        <Money kobo={koboOf(perTransferLimit)} /> at most.{' '}
        {approvalAbove === null ? null : (
          <>
            Above <Money kobo={koboOf(approvalAbove)} /> a second person approves.
          </>
        )}
      </p>
    </div>
  )
}

function Destination({ draft, change }: { readonly draft: Draft; readonly change: Change }) {
  const banks = useBanks()
  const held = useNameOf(draft)
  const options = (banks.data ?? []).map(({ code, name }) => [code, name] as const)
  const score = held.data && draft.name.trim() !== '' ? matchNames(draft.name, held.data.accountName).score : null
  return (
    <>
      <div className={css['pair']}>
        <Select
          label="Bank"
          value={draft.bankCode}
          onChange={({ target }) => change({ bankCode: target.value })}
          options={[['', 'Choose a bank'], ...options.toSorted(([, a], [, b]) => a.localeCompare(b))]}
        />
        <Field
          label="Account number"
          inputMode="numeric"
          autoComplete="off"
          value={draft.accountNumber}
          onChange={({ target }) => change({ accountNumber: target.value })}
          hint="Ten digits."
        />
      </div>
      <Failed error={banks.error} />
      <Field
        label="Name of whoever you pay"
        autoComplete="off"
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
        hint="As you know it, not as the bank says it: the two are compared."
      />
      {held.isLoading ? <Loading lines={2} /> : null}
      <Failed error={held.error} />
      {held.data ? <TwoNames given={draft.name} held={held.data.accountName} score={score} /> : null}
    </>
  )
}

function Fields({ draft, change, amount }: { draft: Draft; change: Change; amount: string | null }) {
  return (
    <div className={css['fields']}>
      <div className={css['big']}>
        <Field
          label="Amount, ₦"
          inputMode="decimal"
          autoComplete="off"
          value={draft.amount}
          onChange={({ target }) => change({ amount: target.value })}
          wrong={draft.amount !== '' && amount === null ? 'Naira, with at most two decimals: 450,000.00' : null}
        />
      </div>
      <DayLimit amount={amount} />
      <Destination draft={draft} change={change} />
      <Field
        label="Narration"
        value={draft.narration}
        maxLength={200}
        onChange={({ target }) => change({ narration: target.value })}
        hint="The receiver sees it."
      />
      <Field
        label="Your reference"
        value={draft.reference}
        maxLength={100}
        onChange={({ target }) => change({ reference: target.value })}
        hint="Good once. A second payout with it is refused."
      />
      {amount !== null && digits(draft.accountNumber).length === 10 ? (
        <Similar amount={amount} bankCode={draft.bankCode} accountNumber={digits(draft.accountNumber)} />
      ) : null}
    </div>
  )
}

/** What is still missing before it can be sent; null: nothing. */
function missingOf(draft: Draft, amount: string | null, heldName: string | undefined): string | null {
  if (amount === null) return 'Give an amount.'
  if (draft.bankCode === '' || digits(draft.accountNumber).length !== 10) return 'Give a bank and an account number.'
  if (heldName === undefined) return 'The bank has not said yet whose account it is.'
  if (draft.name.trim() === '') return 'Give the name of whoever you pay.'
  if (draft.narration.trim() === '') return 'Give a narration.'
  return draft.reference.trim() === '' ? 'Give a reference.' : null
}

export function NewPayout() {
  const navigate = useNavigate()
  const maySend = may(useMe(), 'payouts.send')
  const wallet = useWallet()
  const banks = useBanks()
  const [{ account = '' }] = useFilters()
  const [draft, setDraft] = useState<Draft>(() => ({
    ...{ amount: '', bankCode: '', accountNumber: account, name: '', narration: '' },
    reference: newReference('payout'),
  }))
  const amount = nairaTyped(draft.amount)
  const quote = useQuote(amount, 'PAYOUT')
  const held = useNameOf(draft)
  const send = useDoing(
    (_: null, { key }) =>
      call<typeof initiateTransfer>('transfers.initiate', {
        key,
        body: {
          amount: amount ?? '',
          reference: draft.reference.trim(),
          narration: draft.narration.trim(),
          destinationBankCode: draft.bankCode,
          destinationAccountNumber: digits(draft.accountNumber),
          destinationAccountName: draft.name.trim(),
          sourceAccountNumber: wallet.data?.walletNumber ?? '',
          currency: 'NGN',
        },
      }),
    ({ reference }) => void navigate({ to: '/payouts/$reference', params: { reference } }),
  )
  const change: Change = (one) => {
    send.again() // what was refused was another draft
    setDraft({ ...draft, ...one })
  }
  const available = wallet.data ? koboOfText(wallet.data.availableBalance) : null
  return (
    <Page title="New payout" lead={<Link to="/payouts">All payouts</Link>}>
      {maySend ? null : <Notice title="Your role does not send money.">Owners and finance do.</Notice>}
      <Failed error={wallet.error} />
      <div className={css['sheet']}>
        <Fields draft={draft} change={change} amount={amount} />
        <Confirm
          title="Send"
          amount={amount}
          quote={amount === null ? null : (quote.data?.quote ?? null)}
          available={available}
          lines={[
            {
              name: 'To',
              value: <b>{held.data?.accountName ?? '…'}</b>,
              note: `${banks.data?.find(({ code }) => code === draft.bankCode)?.name ?? '…'}, ${digits(draft.accountNumber)}`,
            },
            { name: 'Reference', value: draft.reference },
          ]}
          missing={maySend ? missingOf(draft, amount, held.data?.accountName) : 'Your role does not send money.'}
          doing={send}
          word="Send it"
        />
      </div>
      <Failed error={quote.error} />
    </Page>
  )
}
