// What billers sell, and for whom: the lists that a merchant chooses from, and the biller's word about a
// customer. The catalogue is the billers' own; it is remembered for some minutes, and longer while they do
// not answer. A price that has changed meanwhile harms nobody: the order names it, and the biller refuses one
// that is out of date.
import type { Catalogue, CatalogueProduct } from '@cowrie/contract/bank/biller-connector'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import {
  billPageAsked,
  type listBillerCategories,
  type listBillerProducts,
  type listBillers,
  toBillPage,
  type validateBillCustomer,
} from '@cowrie/contract/payouts/bills'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

const FRESH_MS = 300_000

const NIGERIAN_PHONE = /^(?:0|\+?234)[789]\d{9}$/

type Named = { readonly code: string; readonly name: string }
const named = (list: readonly Named[], code: string): Named => {
  const found = list.find((one) => one.code === code)
  return { code, name: found?.name ?? code }
}
const nairaOf = (text: string | undefined): number | null => {
  const kobo = text === undefined ? null : parseNaira(text)
  return kobo === null ? null : nairaNumber(kobo)
}

/** `AIRTEL` and `biller-airtel` are one. */
const billerKey = (code: string): string => code.toLowerCase().replace(/^biller-/, '')

/** What the customer of a product must look like before anybody is asked about it. */
export function checkCustomerId({ customerIdType }: CatalogueProduct, customerId: string): void {
  if (customerIdType === 'PHONE' && !NIGERIAN_PHONE.test(customerId))
    fail('BILL_PHONE_INVALID', { field: 'customerId' })
}

/** Asked for when it is needed; those who need it at the same time ask once. */
function remembered(ctx: Ctx): () => Promise<Catalogue> {
  let known: { readonly catalogue: Catalogue; readonly at: number } | null = null
  let asking: Promise<Catalogue> | null = null
  const ask = async (): Promise<Catalogue> => {
    const outcome = await ctx.bank.billCatalogue()
    if (outcome.kind === 'yes') {
      known = { catalogue: outcome.value, at: ctx.clock.now().getTime() }
      return outcome.value
    }
    if (known) return known.catalogue
    return fail('UNAVAILABLE', {}, `catalogue of bills: ${outcome.why}`)
  }
  return () => {
    if (known && ctx.clock.now().getTime() - known.at < FRESH_MS) return Promise.resolve(known.catalogue)
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
}

// ---- what is shown

const shownBiller = ({ categories }: Catalogue, { code, name, categories: own }: Catalogue['billers'][number]) => ({
  code,
  name,
  categories: own.map((one) => named(categories, one)),
})
const shownProduct = ({ billers, categories }: Catalogue, product: CatalogueProduct) => ({
  code: product.code,
  name: product.name,
  category: named(categories, product.categoryCode),
  biller: named(billers, product.billerCode),
  minAmount: nairaOf(product.minAmount),
  maxAmount: nairaOf(product.maxAmount),
  price: nairaOf(product.price),
  priceType: product.priceType,
  metadata: product.metadata ?? null,
})

export function createCatalogue(ctx: Ctx) {
  const catalogue = remembered(ctx)

  const product = async (code: string): Promise<CatalogueProduct & { readonly billerName: string }> => {
    const { products, billers } = await catalogue()
    const found = products.find((one) => one.code === code) ?? fail('BILL_PRODUCT_UNKNOWN', { field: 'productCode' })
    return { ...found, billerName: named(billers, found.billerCode).name }
  }

  return {
    product,

    categories: async (query: QueryOf<typeof listBillerCategories>): Promise<ReplyOf<typeof listBillerCategories>> =>
      toBillPage((await catalogue()).categories, billPageAsked(query)),

    billers: async (query: QueryOf<typeof listBillers>): Promise<ReplyOf<typeof listBillers>> => {
      const all = await catalogue()
      const wanted = query.category_code
      const fitting = wanted ? all.billers.filter(({ categories }) => categories.includes(wanted)) : all.billers
      return toBillPage(
        fitting.map((biller) => shownBiller(all, biller)),
        billPageAsked(query),
      )
    },

    products: async (query: QueryOf<typeof listBillerProducts>): Promise<ReplyOf<typeof listBillerProducts>> => {
      const all = await catalogue()
      const wanted = billerKey(query.biller_code)
      const fitting = all.products.filter(({ billerCode }) => billerKey(billerCode) === wanted)
      return toBillPage(
        fitting.map((one) => shownProduct(all, one)),
        billPageAsked(query),
      )
    },

    validate: async (body: BodyOf<typeof validateBillCustomer>): Promise<ReplyOf<typeof validateBillCustomer>> => {
      const sold = await product(body.productCode)
      checkCustomerId(sold, body.customerId)
      const { productCode, customerId } = body
      const outcome = await ctx.bank.validateBillCustomer({ productCode, customerId })
      if (outcome.kind !== 'yes') return fail('UNAVAILABLE', {}, `validation of a customer: ${outcome.why}`)
      const { known, customerName, validationReference } = outcome.value
      if (!known) fail('BILL_CUSTOMER_UNKNOWN', { field: 'customerId' })
      const [least, most] = [nairaOf(sold.minAmount), nairaOf(sold.maxAmount)]
      return {
        priceType: sold.priceType,
        customerName: customerName ?? null,
        vendInstruction: {
          requireValidationRef: sold.requireValidationRef,
          ...(validationReference === undefined ? {} : { validationReference }),
        },
        ...(least === null ? {} : { minAmount: least }),
        ...(most === null ? {} : { maxAmount: most }),
      }
    },
  }
}

export type BillCatalogue = ReturnType<typeof createCatalogue>
