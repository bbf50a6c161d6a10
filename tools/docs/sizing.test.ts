// docs/sizing.md: what it calls arithmetic follows from what docs/operate/growth.md calls measured, and its
// sums add up; README shows the same.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
type Page = { readonly sizing: string; readonly growth: string; readonly readme: string }
const PAGES: Page = {
  sizing: read('docs/sizing.md'),
  growth: read('docs/operate/growth.md'),
  readme: read('README.md'),
}

const number = (text: string): number => Number(/[\d,.]+/.exec(text)?.[0].replaceAll(',', '') ?? Number.NaN)
/** The cells of the row that begins so, without its head. */
function row(page: string, begins: string): string[] {
  const line = page.split('\n').find((one) => one.startsWith(`| ${begins}`))
  if (line === undefined) throw new Error(`there is no row ${begins}`)
  return line
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim())
}
const DAY = 86_400
const BUSY = 4
const BAD_HOUR = 2
/** As the page writes it, with two digits. */
const near = (written: number, reckoned: number): boolean =>
  Math.abs(written - reckoned) <= Math.max(reckoned * 0.04, reckoned < 0.01 ? 0.001 : 0.005)

function faults({ sizing, growth, readme }: Page): string[] {
  const cells = /(\d+) µs in the api, (\d+) µs in PostgreSQL/.exec(growth) ?? []
  const [api, database] = [Number(cells[1]), Number(cells[2])]
  const kept = number(row(growth, 'What a payment leaves behind')[0] ?? '')
  const wal = number(row(growth, 'Written to the WAL')[0] ?? '')
  const given: [string, number][] = [
    ['Processor of the api', api],
    ['Processor of PostgreSQL', database],
    ['Processor of the worker', (api + database) / 5],
    ['Disk that stays', kept],
    ['Write-ahead log', wal],
  ]
  const payments = row(sizing, 'Payments a day').slice(0, 3).map(number)
  const of = (name: string, reckon: (a: number) => number, unit: (a: string) => number = () => 1) =>
    row(sizing, name)
      .slice(0, 3)
      .flatMap((cell, i) =>
        near(number(cell) * unit(cell), reckon(payments[i] ?? 0))
          ? []
          : [`${name}: ${cell}, not ${reckon(payments[i] ?? 0)}`],
      )
  const megabytes = (cell: string): number => (cell.endsWith('GB') ? 1_000 : 1)
  const busy = (a: number): number => (a / DAY) * BUSY
  const bill = ['A core', 'A further GB', 'A GB of SSD', 'A GB of backup', 'Balancer'].map((name) => {
    const [price = '', ...sizes] = row(sizing, name)
    return sizes.map((cell) => {
      const [amount = '', cost = ''] = cell.split(': ')
      return { name, isRight: Math.abs(number(amount) * number(price) - number(cost)) < 0.5, cost: number(cost) }
    })
  })
  const together = row(sizing, '**Together**').slice(1).map(number)
  return [
    ...given.flatMap(([name, is]) => (number(row(sizing, name)[0] ?? '') === is ? [] : [`${name} is ${is}`])),
    ...of('Payments a second, average', (a) => a / DAY),
    ...of('Payments a second, busiest hour', busy),
    ...of('Cores that all', (a) => busy(a) * (api + database) * 1.2e-6 * BAD_HOUR),
    ...of('Disk a day', (a) => (a * kept) / 1_000, megabytes),
    ...of('Disk a year', (a) => (a * kept * 365) / 1_000, megabytes),
    ...of('WAL a day', (a) => (a * wal) / 1_000, megabytes),
    ...bill.flat().flatMap(({ name, isRight, cost }) => (isRight ? [] : [`${name}: ${cost} is another product`])),
    ...together.flatMap((sum, i) =>
      bill.reduce((all, sizes) => all + (sizes[i]?.cost ?? 0), 0) === sum ? [] : [`together ${sum} is another sum`],
    ),
    ...(row(readme, 'A month').map(number).join() === together.join() ? [] : ['README has other costs']),
  ]
}

test('what sizing.md reckons follows from what growth.md measured; README says the same', () => {
  expect(faults(PAGES)).toEqual([])
})

test.each<[keyof Page, string, string, RegExp]>([
  ['growth', 'leaves behind, with its indexes | 2.4 kB', 'leaves behind, with its indexes | 3.4 kB', /Disk that stays/],
  ['sizing', '| 24 MB | 2.4 GB | 24 GB |', '| 24 MB | 2.4 GB | 42 GB |', /^Disk a day: 42 GB/],
  ['sizing', '**726**', '**762**', /together 762/],
  ['readme', '$726', '$762', /README/],
])('planted in %s: %s', (page, from, to, says) => {
  const planted = PAGES[page].replace(from, to)
  expect(planted).not.toBe(PAGES[page])
  expect(faults({ ...PAGES, [page]: planted }).join('\n')).toMatch(says)
})
