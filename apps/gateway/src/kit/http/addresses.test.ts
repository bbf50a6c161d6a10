import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  blockList,
  callerAddress,
  insideNetworks,
  isLoopback,
  isPublic,
  LOOPBACK,
  lists,
  looksPublic,
} from './addresses.ts'

const from = (remoteAddress: string | undefined, forwarded?: string | string[]) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})
const proxies = blockList(['10.0.0.0/8', 'fd00::/8'])
const nobody = blockList([])

describe('callerAddress', () => {
  test("without the header it is the socket's, also when that is a proxy", () => {
    expect(callerAddress(from('197.210.1.1'), proxies)).toBe('197.210.1.1')
    expect(callerAddress(from('10.0.0.1'), proxies)).toBe('10.0.0.1')
  })

  test('X-Forwarded-For is not believed from anybody else', () => {
    expect(callerAddress(from('197.210.1.1', '127.0.0.1'), proxies)).toBe('197.210.1.1')
    expect(callerAddress(from('11.0.0.1', '127.0.0.1'), proxies)).toBe('11.0.0.1')
    expect(callerAddress(from('127.0.0.1', '8.8.8.8'), nobody)).toBe('127.0.0.1')
  })

  test('from a trusted proxy the last entry counts: the earlier ones are what the caller claims', () => {
    expect(callerAddress(from('10.0.0.1', '197.210.1.1'), proxies)).toBe('197.210.1.1')
    expect(callerAddress(from('10.0.0.1', '127.0.0.1, 197.210.1.1'), proxies)).toBe('197.210.1.1')
    expect(callerAddress(from('10.0.0.1', '127.0.0.1,10.0.0.9 ,  197.210.1.1 '), proxies)).toBe('197.210.1.1')
    expect(callerAddress(from('10.0.0.1', ['127.0.0.1', '1.1.1.1, 197.210.1.1']), proxies)).toBe('197.210.1.1')
  })

  test('past further proxies of ours: what the outermost of them saw, whatever a caller wrote before', () => {
    const chain = blockList(['10.0.0.0/8', '203.0.113.9', 'fd00::/8'])
    expect(callerAddress(from('10.0.0.1', '197.210.1.1, 203.0.113.9'), chain)).toBe('197.210.1.1')
    expect(callerAddress(from('10.0.0.1', '8.8.8.8, 197.210.1.1, 203.0.113.9, fd00::5'), chain)).toBe('197.210.1.1')
    expect(callerAddress(from('10.0.0.1', ['203.0.113.9, 197.210.1.1', '203.0.113.9']), chain)).toBe('197.210.1.1')
    // One of ours that forwards nothing is itself the caller.
    expect(callerAddress(from('10.0.0.1', '203.0.113.9'), chain)).toBe('203.0.113.9')
    // A caller cannot become another by writing the addresses of our proxies.
    expect(callerAddress(from('10.0.0.1', '8.8.8.8, 203.0.113.9, 197.210.1.1'), chain)).toBe('197.210.1.1')
    expect(callerAddress(from('197.210.1.1', '8.8.8.8, 203.0.113.9'), chain)).toBe('197.210.1.1')
  })
  test('whatever a caller writes, behind any chain of ours it is the address that the outermost saw', () => {
    const ours = ['10.0.0.1', '203.0.113.9', 'fd00::7']
    const chain = blockList(ours)
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.ipV4(), fc.constantFrom(...ours), fc.string())),
        fc.ipV4().filter((address) => !ours.includes(address)),
        fc.array(fc.constantFrom(...ours)),
        (written, caller, proxies) => {
          const claimed = written.map((one) => one.replaceAll(',', ''))
          const header = [...claimed, caller, ...proxies].join(', ')
          expect(callerAddress(from('10.0.0.1', header), chain)).toBe(caller)
        },
      ),
    )
  })

  test('a trusted proxy may be an IPv6 address', () => {
    expect(callerAddress(from('fd00::1', '2c0f:f248::7'), proxies)).toBe('2c0f:f248::7')
    expect(callerAddress(from('fe80::1', '2c0f:f248::7'), proxies)).toBe('fe80::1')
  })

  test('an IPv4 address within IPv6 is the IPv4 address: of the socket, of the proxy and in the header', () => {
    expect(callerAddress(from('::ffff:197.210.1.1'), proxies)).toBe('197.210.1.1')
    expect(callerAddress(from('::ffff:10.0.0.1', '197.210.1.1'), proxies)).toBe('197.210.1.1')
    expect(callerAddress(from('10.0.0.1', '::ffff:197.210.1.1'), proxies)).toBe('197.210.1.1')
  })

  test('a header that names nobody, or a socket that is gone, gives an address no list holds', () => {
    const everybody = blockList(['0.0.0.0/0', '::/0'])
    for (const caller of [
      from('10.0.0.1', ''),
      from('10.0.0.1', '197.210.1.1,'),
      from('10.0.0.1', 'unknown'),
      from('10.0.0.1', '197.210.1.1:4711'),
      from('10.0.0.1', []),
      from(undefined),
    ])
      expect(lists(everybody, callerAddress(caller, proxies))).toBe(false)
  })
})

describe('blockList', () => {
  const list = blockList(['197.210.0.0/16', '41.58.7.9', '2c0f:f248::/32', '2001:db8::5', '10.1.2.3/32'])

  test.each([
    ['197.210.0.0', true],
    ['197.210.255.255', true],
    ['197.211.0.0', false],
    ['197.209.255.255', false],
    ['41.58.7.9', true],
    ['41.58.7.8', false],
    ['10.1.2.3', true],
    ['10.1.2.4', false],
    ['2c0f:f248::1', true],
    ['2c0f:f248:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['2C0F:F248::ABCD', true],
    ['2c0f:f249::', false],
    ['2001:db8::5', true],
    ['2001:db8:0:0:0:0:0:5', true],
    ['2001:db8::6', false],
  ])('%s: %s', (address, expected) => {
    expect(lists(list, address)).toBe(expected)
  })

  test.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '256.1.1.1', '::g', '1.2.3.4/8', '٤١.58.7.9'])(
    '%j is not an address and is on no list, not even on one of everybody',
    (text) => {
      expect(lists(blockList(['0.0.0.0/0', '::/0']), text)).toBe(false)
    },
  )

  test('an empty list holds nobody', () => {
    expect(lists(nobody, '127.0.0.1')).toBe(false)
  })

  test.each(['300.0.0.0/8', '10.0.0.0/33', '::/129', 'everybody'])('%j is refused as an entry', (cidr) => {
    expect(() => blockList([cidr])).toThrow(Error)
  })
})

// First and last address of every block that is set apart; what lies just outside of it is public unless a
// neighbour says no.
const BLOCKS: [first: string, last: string, before: string | null, after: string | null][] = [
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['161.26.0.0', '161.26.255.255', '161.25.255.255', '161.27.0.0'],
  ['166.8.0.0', '166.11.255.255', '166.7.255.255', '166.12.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe::', '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
]
/** An address as one number, and back: by hand, so that the table is not checked by what it checks. */
const numberOf = (address: string): bigint => {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0')
  const all = address.includes('::') ? [...groups(head), ...zeros, ...groups(tail)] : groups(address)
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}
const addressOf = (number: bigint, six: boolean): string =>
  six
    ? Array.from({ length: 8 }, (_, i) => ((number >> BigInt(16 * (7 - i))) & 0xffffn).toString(16)).join(':')
    : Array.from({ length: 4 }, (_, i) => ((number >> BigInt(8 * (3 - i))) & 0xffn).toString()).join('.')

describe('isPublic', () => {
  test.each(BLOCKS)('%s to %s is not, and its neighbours are', (first, last, before, after) => {
    const six = first.includes(':')
    fc.assert(
      fc.property(
        fc.bigInt(numberOf(first), numberOf(last)),
        (number) =>
          isPublic(addressOf(number, six)) === false && isPublic(`::ffff:${addressOf(number, six)}`) === false,
      ),
    )
    expect([isPublic(first), isPublic(last)]).toEqual([false, false])
    expect([before, after].filter((neighbour) => neighbour && !isPublic(neighbour))).toEqual([])
  })

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '41.58.7.9',
    '197.210.1.1',
    '2606:4700::1111',
    '2C0F:F248::1',
    '2a00:1450:4001::2e',
  ])('%s is', (address) => expect(isPublic(address)).toBe(true))

  test('every IPv4 address is exactly what the table says', () => {
    const apart = [...BLOCKS.filter(([first]) => !first.includes(':')).map(([first, last]) => [first, last] as const)]
    // Small blocks for services of the network itself, which no receiver lives in.
    for (const block of ['192.31.196', '192.52.193', '192.175.48']) apart.push([`${block}.0`, `${block}.255`])
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 32n - 1n), (number) => {
        const expected = !apart.some(([first, last]) => number >= numberOf(first) && number <= numberOf(last))
        expect([number, isPublic(addressOf(number, false))]).toEqual([number, expected])
      }),
      { numRuns: 2_000 },
    )
  })

  test('no IPv4 address is public inside of an IPv6 one, however it is wrapped', () => {
    const wraps = ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'].map(
      (wrap) => (four: string) => wrap + four,
    )
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...wraps), (four, wrap) => {
        expect(isPublic(wrap(four))).toBe(false)
      }),
    )
  })

  test('text that is not an address is not, whatever it is; nor is an address with a scope', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublic(text)))
    for (const text of [
      '',
      '1.1.1',
      '1.1.1.1 ',
      '[2606:4700::1]',
      '2606:4700::1%eth0',
      '01.1.1.1',
      '0x8.8.8.8',
      '134744072',
    ])
      expect([text, isPublic(text)]).toEqual([text, false])
  })
})

describe('inside', () => {
  const METADATA = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192']
  const METADATA_SIX = [
    'fe80::a9fe:a9fe',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
  ]

  test('only the networks that are named, and never where a cloud keeps its keys', () => {
    const lan = insideNetworks(['10.0.0.0/8', '192.168.7.9', 'fd12::/16'])
    for (const address of ['10.1.2.3', '192.168.7.9', 'fd12::5'])
      expect([address, lan(address)]).toEqual([address, true])
    for (const address of ['127.0.0.1', '192.168.7.8', '::1', 'fd13::5', 'x'])
      expect([address, lan(address)]).toEqual([address, false])
    const everything = insideNetworks(['0.0.0.0/0', '::/0'])
    expect(everything('10.1.2.3')).toBe(true)
    for (const address of [...METADATA, ...METADATA_SIX])
      expect([address, everything(address), isPublic(address)]).toEqual([address, false, false])
  })

  test('loopback, by its letters', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost'])
      expect([host, isLoopback(host)]).toEqual([host, true])
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'sandbox.example', 'localhost.example', ''])
      expect([host, isLoopback(host)]).toEqual([host, false])
    expect(insideNetworks(LOOPBACK)('127.0.0.1')).toBe(true)
  })
})

describe('looksPublic', () => {
  test.each([
    'https://example.com',
    'https://shop.example.com:8443/hook?a=b#c',
    'https://EXAMPLE.com./',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]/',
    'https://localhost.example.com/',
    'https://bücher.example/',
    'https://internal.shop.example.com/',
    'https://example.com\\@127.0.0.1/',
  ])('%s', (url) => expect(looksPublic(url)).toBe(true))

  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'example.com',
    '',
    'https://',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://localhost.localdomain/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://nas.lan/',
    'https://box.home.arpa/',
    'https://intranet/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://127.0.0.1../',
    'https://①②⑦.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[fd00::1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example..com/',
  ])('not %s', (url) => expect(looksPublic(url)).toBe(false))

  test('of an address that is written out it says what isPublic says', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(looksPublic(`https://${address}/`)).toBe(isPublic(address))
      }),
    )
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (number) => {
        const address = addressOf(number, true)
        expect(looksPublic(`https://[${address}]:8443/x`)).toBe(isPublic(address))
      }),
    )
  })
})
