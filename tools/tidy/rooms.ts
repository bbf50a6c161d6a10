// The eight rooms of the gateway, from the ground up. A feature knows its own room and the rooms below it.
import { at, GATEWAY, isGateway, type Rule } from './files.ts'
import { importsOf } from './scan.ts'

export const ROOMS = {
  events: 'what is told, and to whom: webhooks, mails, the event log',
  access: 'who may do what: merchants, keys, people, approvals, limits',
  bank: 'how a bank is reached and what it leaves open: connectors, account numbers, orders, breaks',
  wallets: 'what a merchant holds and owes, and what must be agreed before money leaves',
  collections: 'money comes in: transfers, cards, reserved accounts, invoices, direct debit',
  payouts: 'money leaves: disbursements, refunds, bills, paycodes',
  settlements: 'what was collected is paid out, and our books are compared with the bank’s',
  screens: 'what people look at, over everything',
} as const
export type Room = keyof typeof ROOMS

const NAMES = Object.keys(ROOMS)
const FEATURES = `${GATEWAY}features/`

/** `payouts/refunds` of a file of that feature; undefined for what is no feature's. */
export const featureOf = (path: string): string | undefined => {
  const [room = '', feature = '', file] = path.startsWith(FEATURES) ? path.slice(FEATURES.length).split('/') : []
  return file === undefined ? undefined : `${room}/${feature}`
}
export const roomOf = (path: string): string | undefined => featureOf(path)?.split('/')[0]
/** How high a room lies; undefined for what is none. */
export const storeyOf = (room: string | undefined): number | undefined => {
  const storey = NAMES.indexOf(room ?? '')
  return storey < 0 ? undefined : storey
}

/** `feature-list.ts` has a list for each room, in this order, and each feature stands in that of its
 *  folder. */
const listed: Rule = (tree) =>
  tree
    .filter(({ path }) => path === `${GATEWAY}feature-list.ts`)
    .flatMap((file) => {
      const lists = [...file.text.matchAll(/^ {2}(\w+): \[([^\]]*)\],$/gm)]
      const names = new Map(lists.map(([, room = '', list = '']) => [room, list.split(/[\s,]+/)]))
      const order = [...names.keys()]
      if (order.join() !== NAMES.join())
        return [at(file, 0, 'rooms', `lists ${order.join(', ')}; the rooms are ${NAMES.join(', ')}`)]
      return importsOf(file).flatMap(({ target, index, names: [name = ''] }) => {
        const room = roomOf(target)
        return room === undefined || names.get(room)?.includes(name)
          ? []
          : [at(file, index, 'rooms', `${name} belongs in the list ${room}`)]
      })
    })

/** A room has features and no files; it is one of the eight; and nobody imports from a room above. */
export const rooms: Rule = (tree) => [...listed(tree), ...placed(tree)]
const placed: Rule = (tree) =>
  tree
    .filter(({ path }) => path.startsWith(FEATURES) && isGateway(path))
    .flatMap((file) => {
      const own = storeyOf(roomOf(file.path))
      if (own === undefined)
        return [at(file, 0, 'rooms', `belongs in a feature of one of the rooms ${NAMES.join(', ')}`)]
      return importsOf(file).flatMap(({ target, from, index }) => {
        const other = storeyOf(roomOf(target))
        if (other === undefined || other <= own) return []
        return [at(file, index, 'rooms', `imports ${from}; ${NAMES[own]} lies below ${NAMES[other]}`)]
      })
    })
