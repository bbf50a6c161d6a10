// What a person types, read: a port or an address, a number, a range of numbers, a list of kinds of event.
import { EVENTS } from '@cowrie/contract/events/endpoints'
import { RESEND_MAX } from '@cowrie/contract/events/feed'
import { InvalidArgumentError } from 'commander'

export type Target = {
  readonly url: URL
  /** A bare port: whichever of 127.0.0.1 and ::1 holds it. */
  readonly loopback: boolean
  /** `shop.test:80` */
  readonly words: string
}

const PORT_MAX = 65_535

export function readTarget(text: string, path?: string): Target {
  const isPort = /^\d+$/.test(text)
  if (isPort && (Number(text) < 1 || Number(text) > PORT_MAX))
    throw new InvalidArgumentError(`A port is a number from 1 to ${PORT_MAX}.`)
  const address = isPort ? `http://localhost:${text}` : /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(address))
    throw new InvalidArgumentError('Give a port, such as 3000, or an address, such as http://127.0.0.1:3000/hook.')
  const url = new URL(address)
  if (path !== undefined) {
    const [, pathname = '', search = ''] = /^\/?([^?]*)(\?.*)?$/.exec(path) ?? []
    url.pathname = `/${pathname}`
    url.search = search
  }
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return { url, loopback: isPort, words: isPort ? `127.0.0.1:${port} or [::1]:${port}` : `${url.hostname}:${port}` }
}

export function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('An event number is 1 or more.')
  return Number(text)
}

export function readStatus(text: string): string {
  const status = text.toLowerCase()
  if (!/^[1-5](?:xx|\d\d)$/.test(status))
    throw new InvalidArgumentError('Give a status, such as 404, or a class of them, such as 4xx.')
  return status
}

export type Range = { readonly from: number; readonly to: number }

/** `7` or `7..12`, both ends meant. */
export function readRange(text: string): Range {
  const found = /^(\d{1,15})(?:\.\.(\d{1,15}))?$/.exec(text)
  if (!found) throw new InvalidArgumentError('Give a number, such as 7, or a range, such as 7..12.')
  const from = readNumber(found[1] ?? '')
  const to = found[2] === undefined ? from : readNumber(found[2])
  if (to < from) throw new InvalidArgumentError(`The range ends before it starts; write ${to}..${from}.`)
  if (to - from + 1 > RESEND_MAX)
    throw new InvalidArgumentError(`At most ${RESEND_MAX.toLocaleString('en')} events at once.`)
  return { from, to }
}

export function readKinds(text: string): ReadonlySet<string> {
  const known = EVENTS.map(({ type }) => type)
  const kinds = text
    .split(',')
    .map((kind) => kind.trim().toUpperCase())
    .filter((kind) => kind !== '')
  const unknown = kinds.find((kind) => !known.includes(kind))
  if (unknown !== undefined || kinds.length === 0)
    throw new InvalidArgumentError(`${unknown ?? 'Nothing'} is not an event type. The types are: ${known.join(', ')}.`)
  return new Set(kinds)
}
