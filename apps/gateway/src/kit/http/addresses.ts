// Addresses: lists of networks, and who is calling. No socket is opened here; node:net only knows how to read
// an address.
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

type Network = { readonly address: string; readonly bits: number; readonly family: number }
/** Null for what is not a network. */
function networkIn(cidr: string): Network | null {
  const [address = '', prefix, ...more] = cidr.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  const most = family === 6 ? 128 : 32
  if (family === 0 || more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null
  const bits = prefix === undefined ? most : Number(prefix)
  return bits <= most ? { address, bits, family } : null
}
export const isNetwork = (cidr: string): boolean => networkIn(cidr) !== null

/** Whether all addresses of one network are of the other. */
export function liesWithin(inner: string, outer: string): boolean {
  const [a, b] = [networkIn(inner), networkIn(outer)]
  return a !== null && b !== null && a.family === b.family && a.bits >= b.bits && lists(blockList([outer]), a.address)
}

/** What of a request tells where it came from. */
type Caller = {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The caller's address: the socket's, or, when that is one of our own proxies, what that proxy saw; and so
 *  on past each further one of ours, a balancer behind a CDN. What stands left of the first address that is
 *  not ours anybody can write. */
export function callerAddress(request: Caller, trustedProxies: BlockList): string {
  let address = plainAddress(request.socket.remoteAddress ?? '')
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined || !lists(trustedProxies, address)) return address
  const seen = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).slice(-FORWARDED_MAX).split(',')
  for (let at = seen.length - 1; at >= 0 && lists(trustedProxies, address); at -= 1)
    address = plainAddress(seen[at]?.trim() ?? '')
  return address
}
/** Far more than proxies of ours write. */
const FORWARDED_MAX = 2_000
/** The network that stands for one caller: whoever has an IPv6 address has the 2^64 beside it too. */
export function toNetwork(address: string): string {
  if (isIP(address) !== 6) return address.slice(0, 45)
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The wider network of a caller, for what takes few callers from many addresses: a /24, of IPv6 the /56 that
 *  providers give one customer. */
export function toWideNetwork(address: string): string {
  const network = toNetwork(address)
  if (isIP(address) !== 6) return isIP(address) === 4 ? network.split('.').slice(0, 3).join('.') : network
  const groups = network.split(':')
  return [...groups.slice(0, 3), (Number.parseInt(groups[3] ?? '0', 16) >> 8).toString(16)].join(':')
}

const plainAddress = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address)
export const lists = (list: BlockList, address: string): boolean => {
  try {
    return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  } catch {
    return false
  }
}

/** Of IPv6 only what is given out as global unicast can be public: so none that wraps an IPv4 address, and no
 *  scope. */
const GLOBAL_UNICAST = blockList(['2000::/3'])
/** What is set apart for other uses: private, loopback, link-local, shared, tunnels, examples, groups; and
 *  what clouds use inside though it looks public: Azure's host (168.63.129.16), IBM's services
 *  (161.26.0.0/16, 166.8.0.0/14). */
const SET_APART = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '161.26.0.0/16',
  '166.8.0.0/14',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])
/** Whether an address lies on the public internet; text that is not an address does not. */
export const isPublic = (address: string): boolean =>
  (isIP(address) === 4 || (isIP(address) === 6 && !address.includes('%') && lists(GLOBAL_UNICAST, address))) &&
  !lists(SET_APART, address)

export const LOOPBACK = ['127.0.0.0/8', '::1/128']
/** Whether a host is this machine by its letters. */
export const isLoopback = (host: string): boolean => {
  const plain = host.replace(/^\[|\]$/g, '')
  return plain === 'localhost' || lists(blockList(LOOPBACK), plain)
}

/** Where machines in a cloud find their own keys: link-local, and what clouds put elsewhere. No setting opens
 *  these. */
const NEVER = blockList([
  '169.254.0.0/16',
  'fe80::/10',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
])
/** Which addresses inside may be reached: those of the networks, but for the ones that no setting opens. */
export function insideNetworks(networks: readonly string[]): (address: string) => boolean {
  const allowed = blockList(networks)
  return (address) => lists(allowed, address) && !lists(NEVER, address)
}

/** Whether the text of a web address could lead to a public place: encrypted, and no address inside by its
 *  letters. */
export function looksPublic(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password) return false
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublic(host)
  const labels = host.split('.')
  return (
    labels.length > 1 && !labels.includes('') && !/\.(localhost|localdomain|local|internal|lan|home\.arpa)$/.test(host)
  )
}
