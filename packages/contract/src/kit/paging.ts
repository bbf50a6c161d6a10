// Pages of listings: what is asked for, and the wrapper that every listing answers with.
import Type, { type TSchema } from 'typebox'
import { Named, schemaName } from './fields.ts'

export const DEFAULT_SIZE = 10
export const SIZE_MAX = 1000

/** Whole numbers of a query: the validator sees their text, the documentation says integer. */
export const PageNumber = Type.Unsafe<string>({
  type: 'string',
  pattern: '^\\d{1,9}$',
  'x-wire': 'integer',
  minimum: 0,
  description: 'Counted from 0',
})
/** More is refused, not cut: a client that walks by its own size would leave out what was cut. */
export const PageSize = Type.Unsafe<string>({
  type: 'string',
  pattern: '^(?:[1-9]\\d{0,2}|1000)$',
  'x-wire': 'integer',
  minimum: 1,
  maximum: SIZE_MAX,
  description: `Items per page; default ${DEFAULT_SIZE}`,
})

/** Narrows a listing to what was created from then on, or until then. */
export const CreationMoment = Type.String({
  maxLength: 100,
  description:
    'Time of creation, inclusive. Milliseconds since 1970, ISO 8601 or the string form of a JavaScript Date; without an offset, West Africa Time',
  examples: ['1777731300000'],
})

const Sort = Named('PageSort', { sorted: Type.Boolean(), unsorted: Type.Boolean(), empty: Type.Boolean() })
const SORTED = { sorted: true, unsorted: false, empty: false }

const Pageable = Named('Pageable', {
  sort: Sort,
  pageSize: Type.Integer(),
  pageNumber: Type.Integer(),
  offset: Type.Integer(),
  paged: Type.Boolean(),
  unpaged: Type.Boolean(),
})

/** The page of an item that has a name is named after it. */
export const pageTitle = (item: TSchema): { title?: string } => {
  const name = schemaName(item)
  return name === undefined ? {} : { title: `${name}Page` }
}

export const Page = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      content: Type.Array(item),
      pageable: Pageable,
      last: Type.Boolean({ description: 'Whether this is the last page' }),
      first: Type.Boolean(),
      totalElements: Type.Integer(),
      totalPages: Type.Integer(),
      sort: Sort,
      numberOfElements: Type.Integer({ description: 'Items on this page' }),
      size: Type.Integer(),
      number: Type.Integer({ description: 'The number of this page, from 0' }),
      empty: Type.Boolean(),
    },
    pageTitle(item),
  )

export type PageAsked = { readonly number: number; readonly size: number; readonly offset: number }

/** The page that a query asks for; the schemas above have held its texts already. */
export const pageAsked = (query: { page?: string; size?: string }): PageAsked => {
  const [number, size] = [Number(query.page ?? 0), Number(query.size ?? DEFAULT_SIZE)]
  return { number, size, offset: number * size }
}

export function toPage<Item>(content: Item[], { number, size, offset }: PageAsked, total: number) {
  const totalPages = Math.ceil(total / size)
  return {
    content,
    pageable: { sort: SORTED, pageSize: size, pageNumber: number, offset, paged: true, unpaged: false },
    last: number >= totalPages - 1,
    first: number === 0,
    totalElements: total,
    totalPages,
    sort: SORTED,
    numberOfElements: content.length,
    size,
    number,
    empty: content.length === 0,
  }
}
