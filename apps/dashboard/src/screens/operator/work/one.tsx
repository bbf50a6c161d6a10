// One thing that waits, with its path so far and the next question.
import type { showWork, WorkKind } from '@cowrie/contract/screens/work'
import { useQuery } from '@tanstack/react-query'
import { useParam } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { State, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Facts, Loading, Page, Section } from '../../../parts/page.tsx'
import { Acts, useActing } from '../kit/acting.tsx'
import { Beside, Box, Crumb, MerchantLink, Naira, some, wordOf } from '../kit/bits.tsx'
import css from './work.module.css'
import { kindWord, workPlans } from './work.tsx'

export function OneWork() {
  const [merchant, kind, reference] = [useParam('merchant'), useParam('kind'), useParam('reference')]
  const acting = useActing()
  const one = useQuery({
    queryKey: ['work', merchant, kind, reference],
    queryFn: () => view<typeof showWork>('work.show', { merchant, kind, reference }),
  })
  const { data } = one
  return (
    <>
      <Crumb to="/work" word="Work under way" here={reference} />
      <Page
        title={`${kindWord(kind as WorkKind)} ${reference}`}
        lead={data ? <State tone="unknown">{wordOf(data.work.state)}</State> : undefined}
      >
        {acting.notice}
        <Failed
          error={one.error}
          sayings={{ WORK_NOT_FOUND: 'It may have ended since: what has an answer is not here.' }}
        />
        {one.isPending ? <Loading lines={6} /> : null}
        {data ? (
          <Beside
            side={
              <Box title="What can be done">
                <Acts plans={workPlans(data.work)} acting={acting} />
              </Box>
            }
          >
            <Facts
              facts={[
                ['Amount', data.work.amount === null ? 'None' : <Naira key="n" amount={data.work.amount} />],
                ['Merchant', <MerchantLink key="m" which={data.work.merchant} />],
                ['Waits since, WAT', <When key="s" at={data.work.since} />],
                [
                  'Next question, WAT',
                  data.work.nextAt === null ? 'Nobody will ask' : <When key="q" at={data.work.nextAt} />,
                ],
                ['Asked', data.work.questions === null ? 'Not counted' : some(data.work.questions, 'time', 'times')],
                ['Session', data.work.sessionId ?? 'None: it was not sent'],
              ]}
            />
            <Section title="Its path so far" lead="Newest on top.">
              <ol className={css['path']}>
                {data.path.toReversed().map(({ action, from, to, at }) => (
                  <li key={at + action}>
                    <b>{wordOf(to)}</b>{' '}
                    <span>
                      from {wordOf(from).toLowerCase()}, by {action}
                    </span>{' '}
                    <When at={at} />
                  </li>
                ))}
                {data.path.length === 0 ? <li>It has not moved since it was made.</li> : null}
              </ol>
            </Section>
          </Beside>
        ) : null}
        {acting.dialog}
      </Page>
    </>
  )
}
