// What the billers of the sandbox sell.
import type { Catalogue, CatalogueProduct } from '@cowrie/contract/bank/biller-connector'

const CATEGORIES = [
  { code: 'AIRTIME', name: 'Airtime' },
  { code: 'DATA_BUNDLE', name: 'Data Bundle' },
  { code: 'DATA', name: 'Data' },
  { code: 'ELECTRICITY', name: 'Electricity' },
  { code: 'CABLE_TV', name: 'Cable TV' },
  { code: 'BETTING', name: 'Betting' },
  { code: 'EDUCATION', name: 'Education' },
  { code: 'TRANSPORTATION', name: 'Transportation' },
]

/** Networks, whose customers are phone numbers. */
const NETWORKS = [
  { key: 'mtn', name: 'MTN', basisPoints: 300 },
  { key: 'airtel', name: 'Airtel', basisPoints: 350 },
  { key: 'glo', name: 'Glo', basisPoints: 400 },
  { key: '9mobile', name: '9mobile', basisPoints: 400 },
]
const DISCOS = [
  { key: 'ikedc', name: 'Ikeja Electric' },
  { key: 'ekedc', name: 'Eko Electricity' },
  { key: 'aedc', name: 'Abuja Electricity' },
]
const CABLES = [
  {
    key: 'dstv',
    name: 'DStv',
    packages: [
      { key: 'padi', name: 'DStv Padi', price: '4400.00' },
      { key: 'compact', name: 'DStv Compact', price: '19000.00' },
    ],
  },
  { key: 'gotv', name: 'GOtv', packages: [{ key: 'jinja', name: 'GOtv Jinja', price: '3900.00' }] },
]

const airtime = ({ key, name, basisPoints }: (typeof NETWORKS)[number]): CatalogueProduct => ({
  code: `${key}-airtime`,
  name: `${name} Airtime`,
  categoryCode: 'AIRTIME',
  billerCode: `biller-${key}`,
  priceType: 'OPEN',
  minAmount: '50.00',
  maxAmount: '50000.00',
  commissionBasisPoints: basisPoints,
  customerIdType: 'PHONE',
  requireValidationRef: false,
})
const data = (
  { key, name, basisPoints }: (typeof NETWORKS)[number],
  volume: number,
  price: string,
): CatalogueProduct => ({
  code: `${key}-data-${volume}gb`,
  name: `${name} ${volume} GB, 30 days`,
  categoryCode: 'DATA_BUNDLE',
  billerCode: `biller-${key}`,
  priceType: 'FIXED',
  price,
  commissionBasisPoints: basisPoints,
  customerIdType: 'PHONE',
  requireValidationRef: false,
  metadata: {
    volume,
    duration: 1,
    durationUnit: 'MONTHLY',
    productType: { code: 'DATA', name: 'Data' },
    productCategory: 'MONTHLY',
  },
})
const power = ({ key, name }: (typeof DISCOS)[number], kind: 'PREPAID' | 'POSTPAID'): CatalogueProduct => ({
  code: `${key}-${kind.toLowerCase()}`,
  name: `${name} ${kind === 'PREPAID' ? 'Prepaid' : 'Postpaid'}`,
  categoryCode: 'ELECTRICITY',
  billerCode: `biller-${key}`,
  priceType: 'OPEN',
  minAmount: '500.00',
  maxAmount: '500000.00',
  commissionBasisPoints: 150,
  customerIdType: 'METER',
  requireValidationRef: true,
  metadata: { productType: { code: kind, name: kind === 'PREPAID' ? 'Prepaid' : 'Postpaid' } },
})

export const CATALOGUE: Catalogue = {
  categories: CATEGORIES,
  billers: [
    ...NETWORKS.map(({ key, name }) => ({ code: `biller-${key}`, name, categories: ['AIRTIME', 'DATA_BUNDLE'] })),
    ...DISCOS.map(({ key, name }) => ({ code: `biller-${key}`, name, categories: ['ELECTRICITY'] })),
    ...CABLES.map(({ key, name }) => ({ code: `biller-${key}`, name, categories: ['CABLE_TV'] })),
  ],
  products: [
    ...NETWORKS.flatMap((network) => [airtime(network), data(network, 1, '500.00'), data(network, 10, '4500.00')]),
    ...DISCOS.flatMap((disco) => [power(disco, 'PREPAID'), power(disco, 'POSTPAID')]),
    ...CABLES.flatMap(({ key, packages }) =>
      packages.map(
        (sold): CatalogueProduct => ({
          code: `${key}-${sold.key}`,
          name: sold.name,
          categoryCode: 'CABLE_TV',
          billerCode: `biller-${key}`,
          priceType: 'FIXED',
          price: sold.price,
          commissionBasisPoints: 100,
          customerIdType: 'SMARTCARD',
          requireValidationRef: true,
          metadata: { duration: 1, durationUnit: 'MONTHLY', productType: { code: 'BOUQUET', name: 'Bouquet' } },
        }),
      ),
    ),
  ],
}

export const productOf = (code: string): CatalogueProduct | undefined =>
  CATALOGUE.products.find((product) => product.code === code)

/** Prepaid meters are loaded by a token. */
export const givesToken = (product: CatalogueProduct): boolean => product.metadata?.productType?.code === 'PREPAID'
