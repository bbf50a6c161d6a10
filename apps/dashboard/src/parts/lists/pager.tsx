// Pages of a list of the public interface: what of the whole is shown, and the way to older and newer. The
// total is of the filter.
import { Button } from '../button.tsx'
import css from './pager.module.css'

export type Paged = {
  readonly totalElements: number
  readonly numberOfElements: number
  readonly number: number
  readonly size: number
  readonly first: boolean
  readonly last: boolean
}
const count = new Intl.NumberFormat('en-GB')

export function Pager({
  page,
  of,
  inOrder = false,
  onPage,
}: {
  readonly page: Paged
  /** What is counted: `payouts`. */
  readonly of: string
  /** In the order of a file, and not the newest first. */
  readonly inOrder?: boolean
  readonly onPage: (number: number) => void
}) {
  const from = page.number * page.size + 1
  if (page.totalElements === 0) return null
  return (
    <div className={css['pager']}>
      <p>
        {page.numberOfElements === 0
          ? `${count.format(page.totalElements)} ${of}, none on this page`
          : `${count.format(from)} to ${count.format(from + page.numberOfElements - 1)} of ${count.format(page.totalElements)} ${of}, ${inOrder ? 'in the order of the file' : 'newest first'}`}
      </p>
      {page.first && page.last ? null : (
        <span>
          <Button small disabled={page.first} onClick={() => onPage(page.number - 1)}>
            {inOrder ? 'Before' : 'Newer'}
          </Button>
          <Button small disabled={page.last} onClick={() => onPage(page.number + 1)}>
            {inOrder ? 'After' : 'Older'}
          </Button>
        </span>
      )}
    </div>
  )
}
