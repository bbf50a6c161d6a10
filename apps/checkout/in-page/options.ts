// What a shop's page gives to the script, and what it gets back. Two names for one thing are those that
// published wrappers send.

/** Told at the end of a payment. A hint, never proof: the shop's server asks the gateway, or waits for the
 *  notification. */
export type Completed = {
  readonly amount: number
  readonly amountPaid: number
  readonly completed: boolean
  readonly completedOn: string | null
  readonly createdOn: string
  readonly currencyCode: string
  readonly customerEmail: string
  readonly customerName: string
  readonly fee: number
  readonly metaData: Readonly<Record<string, unknown>>
  readonly payableAmount: number
  readonly paymentMethod: string | null
  readonly paymentReference: string
  readonly paymentStatus: string
  readonly transactionReference: string
  readonly status: 'SUCCESS' | 'FAILED' | 'PENDING'
  readonly redirectUrl: string | null
}

/** Told when the checkout is gone from the page, or never came. */
export type Closed = {
  readonly authorizedAmount: number
  readonly paymentStatus: string
  readonly redirectUrl: string | null
  readonly responseCode: string
  readonly responseMessage: string
}

export type Options = {
  readonly amount?: number | string
  readonly currency?: string
  readonly currencyCode?: string
  readonly reference?: string
  readonly paymentReference?: string
  readonly customerFullName?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerMobileNumber?: string
  readonly apiKey?: string
  readonly contractCode?: string
  readonly paymentDescription?: string
  readonly redirectUrl?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly metaData?: Readonly<Record<string, unknown>>
  readonly paymentMethods?: readonly string[]
  readonly incomeSplitConfig?: readonly unknown[]
  /** Of a transaction that the shop's server has initialised: the way that the guide recommends. */
  readonly checkoutUrl?: string
  readonly onLoadStart?: () => void
  readonly onLoadComplete?: () => void
  readonly onComplete?: (response: Completed) => void
  /** What older pages call `onComplete`. */
  readonly callback?: (response: Completed) => void
  readonly onClose?: (data: Closed) => void
}

export type End = { readonly completed: Completed | null; readonly closed: Closed }
