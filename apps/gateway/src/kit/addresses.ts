// Addresses: lists of networks, and who is calling. No socket is opened here; node:net only knows how to read an address.
import { BlockList, isIP } from 'node:net'

/** A list of CIDR texts, ready to be asked. */
export function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family)
  }
  return list
}

/** What of a request tells where it came from. */
type Caller = {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The caller's address: the socket's, or, when that is one of our own proxies, what the proxy saw last. */
export function callerAddress(request: Caller, trustedProxies: BlockList): string {
  const socket = plainAddress(request.socket.remoteAddress ?? '')
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined || !lists(trustedProxies, socket)) return socket
  const text = Array.isArray(forwarded) ? (forwarded.at(-1) ?? '') : forwarded
  return plainAddress(text.split(',').at(-1)?.trim() ?? '')
}
const plainAddress = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)
export const lists = (list: BlockList, address: string): boolean => {
  try {
    return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  } catch {
    return false
  }
}
