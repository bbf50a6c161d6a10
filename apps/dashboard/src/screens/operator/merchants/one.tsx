// One merchant whole: where it is in its life, what it showed, what it may and under which terms, and what
// can be done about it now.
import type { showMerchant } from '@cowrie/contract/access/merchant-acts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFilters, useParam } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { may, useMe } from '../../../api/session.ts'
import { dayAndTime } from '../../../clock.ts'
import { koboOf } from '../../../money.ts'
import { classOfButton } from '../../../parts/button.tsx'
import { Money, State, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Empty, Facts, Loading, Page, Section } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Acting, Acts, useActing } from '../kit/acting.tsx'
import { Beside, Box, Crumb } from '../kit/bits.tsx'
import { heldPlans } from '../settlements/plans.ts'
import { Fees } from '../terms/fees.tsx'
import { Limits } from '../terms/limits.tsx'
import css from './merchants.module.css'
import { documentPlan, featurePlan, lifePlans, onboardingPlans, settingPlans } from './plans.ts'
import { See } from './see.tsx'
import { type DocumentRow, FEATURE_WORDS, type Merchant, PAPER_STATES, PAPERS, STATES } from './words.ts'

const STEPS = ['APPLIED', 'IN_SANDBOX', 'IN_REVIEW', 'LIVE'] as const

/** Where it is on the way to live, and when it got there. */
function Steps({ merchant }: { readonly merchant: Merchant }) {
  const reached = (step: (typeof STEPS)[number]): string | null =>
    step === 'APPLIED' ? merchant.createdAt : (merchant.history.find(({ to }) => to === step)?.at ?? null)
  const isPast = (step: (typeof STEPS)[number]): boolean =>
    STEPS.slice(STEPS.indexOf(step) + 1).some((later) => reached(later) !== null)
  return (
    <ol className={css['steps']} aria-label="On the way to live">
      {STEPS.map((step) => {
        const at = reached(step)
        const here = merchant.state === step
        return (
          <li key={step} data-done={at !== null && !here ? '' : undefined} aria-current={here ? 'step' : undefined}>
            <b>{STATES[step][1]}</b>
            <small>{at === null ? (isPast(step) ? 'left out' : 'not yet') : dayAndTime(at)}</small>
          </li>
        )
      })}
    </ol>
  )
}

const paperColumns = (merchant: Merchant, acting: Acting): Column<DocumentRow>[] => [
  {
    head: 'Paper',
    plain: true,
    cell: ({ kind, required, note }) => (
      <span>
        <b>{PAPERS[kind]}</b>
        <small>{note ?? (required ? 'Needed before it goes live' : 'Not needed')}</small>
      </span>
    ),
  },
  { head: 'State', cell: ({ state }) => <State tone={PAPER_STATES[state][0]}>{PAPER_STATES[state][1]}</State> },
  {
    head: 'Recorded by',
    cell: ({ by, at }) => (
      <span>
        {by ?? 'Nobody'}
        {at ? (
          <small>
            <When at={at} />
          </small>
        ) : null}
      </span>
    ),
  },
  {
    head: 'Do',
    end: true,
    plain: true,
    cell: (row) => <ActButton plan={documentPlan(merchant, row)} acting={acting} />,
  },
]

type FeatureRow = Merchant['features'][number]
const featureColumns = (merchant: Merchant, acting: Acting): Column<FeatureRow>[] => [
  {
    head: 'Feature',
    plain: true,
    cell: ({ feature, why }) => (
      <span>
        <b>{FEATURE_WORDS[feature]}</b>
        {why ? <small>{why}</small> : null}
      </span>
    ),
  },
  { head: 'State', cell: ({ on }) => (on ? <State tone="good">On</State> : <State tone="off">Off</State>) },
  { head: 'Decided by', cell: ({ by }) => by ?? 'Nobody' },
  {
    head: 'Do',
    end: true,
    plain: true,
    cell: (row) => <ActButton plan={featurePlan(merchant, row)} acting={acting} />,
  },
]

const Application = ({ merchant }: { readonly merchant: Merchant }) => (
  <Facts
    facts={[
      ['Application', merchant.application],
      ['API key', merchant.apiKey ?? 'None before it is live'],
      ['E-mail address', merchant.email],
      ['Registration number', merchant.registrationNumber ?? 'Not given'],
      ['Address', merchant.address ?? 'Not given'],
      ['Website', merchant.website ?? 'Not given'],
      ['Contact', merchant.contact ?? 'Not given'],
      [
        'Expected a month',
        merchant.expectedMonthlyNaira === null ? (
          'Not given'
        ) : (
          <Money key="e" kobo={koboOf(merchant.expectedMonthlyNaira)} />
        ),
      ],
      ['Cell', merchant.cell],
    ]}
  />
)

const Settings = ({ merchant }: { readonly merchant: Merchant }) => (
  <Facts
    facts={[
      ['Wallet', merchant.walletNumber ?? 'None'],
      ['Contracts', merchant.contracts.map(({ contractCode, name }) => `${contractCode} ${name}`).join(', ') || 'None'],
      ['Networks', merchant.addresses.join(', ') || 'None: every request is refused'],
      ['Requests a second', String(merchant.requestsPerSecond ?? 'None')],
    ]}
  />
)

const KEY_LINKS = { FIRST_KEY: 'First key', LOST_KEY: 'New key in place of a lost one' } as const
const keyLinkColumns: readonly Column<Merchant['keyLinks'][number]>[] = [
  {
    head: 'Link',
    plain: true,
    cell: ({ purpose, by }) => (
      <span>
        <b>{KEY_LINKS[purpose as keyof typeof KEY_LINKS] ?? purpose}</b>
        <small>by {by}</small>
      </span>
    ),
  },
  {
    head: 'State',
    cell: ({ usedAt, ended, mailedAt }) =>
      usedAt ? (
        <State tone="good">Used</State>
      ) : ended ? (
        <State tone="off">Replaced</State>
      ) : mailedAt ? (
        <State tone="wait">Mailed</State>
      ) : (
        <State tone="wait">Being mailed</State>
      ),
  },
  { head: 'Ends, WAT', end: true, cell: ({ expiresAt }) => <When at={expiresAt} /> },
]

function Terms({ merchant, acting }: { readonly merchant: Merchant; readonly acting: Acting }) {
  const me = useMe()
  const { apiKey } = merchant
  if (apiKey === null)
    return (
      <Section title="Terms">
        <Empty title="It has none yet.">Contracts, networks, features, fees and limits begin when it goes live.</Empty>
      </Section>
    )
  return (
    <>
      <Section title="Settings">
        <Settings merchant={merchant} />
        <Acts plans={settingPlans(merchant)} acting={acting} />
      </Section>
      <Section title="Features" lead="What it may use. In the sandbox all are on.">
        <Table
          name="Features"
          columns={featureColumns(merchant, acting)}
          rows={merchant.features}
          idOf={({ feature }) => feature}
        />
      </Section>
      {may(me, 'operator.fees.read') ? <Fees apiKey={apiKey} acting={acting} /> : null}
      <Limits apiKey={apiKey} acting={acting} />
      {merchant.keyLinks.length > 0 ? (
        <Section title="Links to keys" lead="Each is good once; nobody here sees the key.">
          <Table
            name="Links to keys"
            columns={keyLinkColumns}
            rows={merchant.keyLinks}
            idOf={({ createdAt }) => createdAt}
          />
        </Section>
      ) : null}
    </>
  )
}

function History({ merchant }: { readonly merchant: Merchant }) {
  return (
    <ul className={css['history']}>
      {merchant.history.toReversed().map(({ action, to, at }) => (
        <li key={at + action}>
          <b>{STATES[to][1]}</b> <When at={at} />
        </li>
      ))}
      <li>
        <b>{merchant.history.length === 0 && merchant.state === 'LIVE' ? 'Joined with a key' : 'Applied'}</b>{' '}
        <When at={merchant.createdAt} />
      </li>
    </ul>
  )
}

const Shown = ({ merchant, acting }: { readonly merchant: Merchant; readonly acting: Acting }) => (
  <>
    {merchant.apiKey === null || merchant.history.length > 0 ? <Steps merchant={merchant} /> : null}
    <Beside
      side={
        <>
          <Box title={merchant.apiKey === null ? 'Decide' : 'Its life'}>
            <Acts plans={merchant.apiKey === null ? onboardingPlans(merchant) : lifePlans(merchant)} acting={acting} />
          </Box>
          {merchant.apiKey === null ? null : (
            <Box title="Settlements">
              <Acts plans={heldPlans(merchant.apiKey, merchant.name)} acting={acting} />
            </Box>
          )}
          <Box title="History">
            <History merchant={merchant} />
          </Box>
        </>
      }
    >
      <Section title="Who it is">
        <Application merchant={merchant} />
      </Section>
      <Section title="Papers" lead="Kept elsewhere. Those that are needed must be accepted before it goes live.">
        <Table
          name="Papers"
          columns={paperColumns(merchant, acting)}
          rows={merchant.documents}
          idOf={({ kind }) => kind}
        />
      </Section>
      <Terms merchant={merchant} acting={acting} />
    </Beside>
  </>
)

export function OneMerchant() {
  const which = useParam('which')
  const [{ see = '' }] = useFilters()
  const me = useMe()
  const acting = useActing()
  const one = useQuery({
    queryKey: ['merchant', which],
    queryFn: () => view<typeof showMerchant>('merchants.show', { which }),
  })
  const merchant = one.data
  return (
    <>
      <Crumb to="/merchants" word="Merchants" here={merchant ? STATES[merchant.state][1] : which} />
      <Page
        title={merchant?.name ?? 'Merchant'}
        lead={merchant ? <State tone={STATES[merchant.state][0]}>{STATES[merchant.state][1]}</State> : undefined}
        acts={
          merchant?.apiKey ? (
            <>
              {see === '' ? <See apiKey={merchant.apiKey} name={merchant.name} acting={acting} /> : null}
              {may(me, 'operator.requests.read') ? (
                <Link className={classOfButton()} to="/merchants/$which/requests" params={{ which: merchant.apiKey }}>
                  Its requests
                </Link>
              ) : null}
            </>
          ) : undefined
        }
      >
        {acting.notice}
        {see !== '' && merchant?.apiKey ? <See apiKey={merchant.apiKey} name={merchant.name} acting={acting} /> : null}
        <Failed error={one.error} />
        {one.isPending ? <Loading lines={6} /> : null}
        {merchant ? <Shown merchant={merchant} acting={acting} /> : null}
        {acting.dialog}
      </Page>
    </>
  )
}
