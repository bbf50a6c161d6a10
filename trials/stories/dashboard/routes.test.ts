// Connectors and routes in the console, with a second bank beside the first: one person asks for a route of
// cards, a second approves it on the screen, and it is in force; it is withdrawn in the same way. And a
// connector that does not answer is shown beside the routes that name it.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byTwo } from '../../../apps/gateway/test/features/access/merchants.ts'
import { SECOND_KEY, type SecondBank, secondBank } from '../../../apps/gateway/test/features/bank/second-bank.ts'
import { advance } from '../../../apps/gateway/test/kit/harness.ts'
import { button, heading, links, look, useStories } from './story.ts'

let second: SecondBank
const { harness, asOperator, secondApproves, complaints } = useStories({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl, { cards: 2, issues: '101' })
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
  },
})
beforeAll(async () => {
  await Promise.all(harness().gateway.ctx.connectors.all.map((one) => one.learn()))
})
afterAll(() => second.end())

const dialog = (page: Page) => page.getByRole('dialog')
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true })
const row = (page: Page, name: string, says: string) => table(page, name).getByRole('row').filter({ hasText: says })
const choose = (page: Page, label: string, word: string) =>
  dialog(page).getByLabel(label, { exact: true }).selectOption(word)
const ask = async (page: Page, word: string, reason: string): Promise<void> => {
  await dialog(page).getByLabel('Reason').fill(reason)
  await dialog(page)
    .getByRole('button', { name: `Ask for it: ${word}` })
    .click()
  await page.getByText('it waits for a second person').waitFor()
}
const inForce = (capability: string): Promise<{ connectors: string[] }[]> =>
  harness().sql('01', 'select connectors from capability_routes where capability = $1 order by valid_from', [
    capability,
  ])
/** As a field for day and time has it, in West Africa Time. */
const inDays = (days: number): string =>
  new Date(harness().gateway.ctx.clock.now().getTime() + days * 86_400_000 + 3_600_000).toISOString().slice(0, 16)

test('an operator asks for a route of cards, a second one approves it on the screen, and it is in force', async () => {
  const page = await asOperator('operations', '/')
  expect(await links(page)).toContain('Connectors')
  await page.getByRole('link', { name: 'Connectors', exact: true }).click()
  await heading(page, 'Connectors and routes').waitFor()
  await page.getByText('No route is in force or coming.').waitFor()
  await row(page, 'Connectors', 'second').getByText('Answers', { exact: true }).waitFor()
  await row(page, 'Connectors', 'second').getByText('issues account numbers').waitFor()

  await button(page, 'Set a route…').click()
  await dialog(page).getByLabel('Bank that is paid').waitFor()
  await choose(page, 'For', 'New card charges')
  await expect
    .poll(() => dialog(page).getByLabel('Bank that is paid').count(), { message: 'it is of payouts only' })
    .toBe(0)
  await dialog(page).getByLabel('Reason').fill('Lower fees from December')
  await dialog(page).getByRole('button', { name: 'Ask for it' }).click()
  await dialog(page).waitFor() // without a connector nothing is asked for
  await choose(page, 'First choice', 'second')
  await choose(page, 'Second choice', 'bank')
  await look(page, 'operator-route-new')
  await ask(page, 'set a route', 'Lower fees from December')
  expect(await inForce('card')).toEqual([])

  const approver = await asOperator('operations', '/approvals')
  await approver.getByRole('link', { name: 'New card charges' }).click()
  await heading(approver, 'New route').waitFor()
  const facts = await approver.getByRole('main').innerText()
  for (const fact of ['second, then bank', 'As soon as it is approved', 'Lower fees from December'])
    expect(facts).toContain(fact)
  await look(approver, 'operator-route-approval')
  await button(approver, 'Approve the route').click()
  await approver.getByText('Approved and done.').waitFor()

  expect(await inForce('card')).toEqual([{ connectors: ['second', 'bank'] }])
  await page.reload()
  const cards = row(page, 'Routes', 'New card charges')
  await cards.getByText('In force').waitFor()
  await cards.getByText('second, then bank').waitFor()
  expect(complaints()).toEqual([])
})

test('a route of payouts to one bank begins later; a route of cards is changed and withdrawn; who does not answer is shown', async () => {
  const h = harness()
  const page = await asOperator('operations', '/routes')
  await button(page, 'Set a route…').click()
  await choose(page, 'Bank that is paid', 'Access Bank (044)')
  await dialog(page).getByLabel('Above, naira').fill('1000000')
  await choose(page, 'First choice', 'second')
  await dialog(page).getByLabel('From, WAT').fill(inDays(2))
  await ask(page, 'set a route', 'Access is reached directly')
  await secondApproves('operations', 'routes.set')
  await page.reload()
  const payouts = row(page, 'Routes', 'Access Bank (044), above ₦1,000,000.00')
  await payouts.getByText('Coming').waitFor()
  expect(await payouts.getByRole('button').allInnerTexts()).toEqual(['Withdraw…'])

  await byTwo(h, 'routes.set', { cell: '01', input: { capability: 'identity', connectors: ['bank'] } })
  await page.reload()
  await row(page, 'Routes', 'BVN and NIN').getByRole('button', { name: 'Change…' }).click()
  await choose(page, 'First choice', 'second')
  await choose(page, 'Second choice', 'bank')
  await ask(page, 'change', 'The second answers faster')
  await advance(h, 1)
  await secondApproves('operations', 'routes.set')

  await row(page, 'Routes', 'New card charges').getByRole('button', { name: 'Withdraw…' }).click()
  await dialog(page).getByText('in the order of the settings').waitFor()
  await ask(page, 'withdraw', 'The second bank has a fault')
  const approver = await asOperator('operations', '/approvals')
  await approver.getByText('Withdraw a route').waitFor()
  await secondApproves('operations', 'routes.set')
  expect((await inForce('card')).at(-1)).toEqual({ connectors: [] })

  await second.stop()
  await advance(h, 61) // what it said is old by then
  const { all } = h.gateway.ctx.connectors
  await h.until('it is found to be away', async () => all.some((one) => one.name === 'second' && !one.answers()))
  await page.reload()
  await row(page, 'Connectors', 'second').getByText('Does not answer').waitFor()
  await row(page, 'Routes', 'BVN and NIN').getByText('second does not answer now').waitFor()
  expect(await row(page, 'Routes', 'New card charges').count()).toBe(0)
  await page.getByText('3 past routes').click()
  await row(page, 'Past routes', 'New card charges').getByText('Withdrawn', { exact: true }).waitFor()
  await look(page, 'operator-routes')

  // A route that is set is never edited: one that has yet to begin ends as soon as it has begun.
  await row(page, 'Routes', 'Access Bank').getByRole('button', { name: 'Withdraw…' }).click()
  await dialog(page).getByText('one millisecond after it begins').waitFor()
  await ask(page, 'withdraw', 'Access is not ready')
  await secondApproves('operations', 'routes.set')
  const set = await h.sql('01', 'select connectors, valid_from from payout_routes order by valid_from')
  expect(set.map(({ connectors }) => connectors)).toEqual([['second'], []])
  expect(set[1].valid_from - set[0].valid_from).toBe(1)
  await page.reload()
  const end = row(page, 'Routes', 'Access Bank').filter({ hasText: 'None: withdrawn' })
  await end.getByText('Coming').waitFor()
  expect(await end.getByRole('button').count()).toBe(0)
  await row(page, 'Routes', 'Access Bank').getByText('it is withdrawn as soon as it begins').waitFor()

  // One who may only look sees why it cannot be done.
  const clerk = await asOperator('support', '/routes')
  await clerk.getByText('Not possible: your role, support, may not.').first().waitFor()
  expect(await button(clerk, 'Set a route…').isDisabled()).toBe(true)
  // What is in force is of each cell.
  await clerk.getByRole('navigation', { name: 'Cells' }).getByRole('link', { name: 'Cell 02' }).click()
  await clerk.getByText('No route is in force or coming.').waitFor()
  expect(complaints()).toEqual([])
})
