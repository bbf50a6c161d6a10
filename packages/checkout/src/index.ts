// The npm package @cowrie/checkout. Nothing here touches the page until it is called, so a server may import
// it.

export type { Closed, Completed, End, Options } from '../../../apps/checkout/in-page/options.ts'
export { type Checkout, checkout, type Door, preload } from './load.ts'
