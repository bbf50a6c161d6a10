import { describe, expect, test } from 'vitest'
import { blockList, callerAddress, lists } from './addresses.ts'

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
    '%j is no address and is on no list, not even on one of everybody',
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
