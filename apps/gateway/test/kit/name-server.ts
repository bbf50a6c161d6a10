// A name server for tests, on a real socket: it answers from a zone that the test writes while it runs.
import { createSocket } from 'node:dgram'

type Records = { readonly cname?: string; readonly addresses: readonly string[] }
/** A name without an entry does not exist; one with null is never answered. `before` counts the same
 *  questions so far. */
type Zone = Record<string, null | ((type: 'A' | 'AAAA', before: number) => Records)>

const bytesOf = (address: string): Buffer => {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0')
  const all = [...groups(head), ...zeros, ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])
const record = (type: number, data: Buffer) => {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]) // of the name asked for, to be kept 0 s
  return Buffer.concat([head, data])
}

export async function openNameServer() {
  const zone: Zone = {}
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const labels: string[] = []
    let at = 12
    for (; question[at]; at += 1 + question[at]!)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!))
    const name = labels.join('.').toLowerCase()
    const type = question.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A'
    const before = asked.filter((one) => one === `${type} ${name}`).length
    asked.push(`${type} ${name}`)
    const entry = zone[name]
    if (entry === null) return
    const { cname, addresses = [] } = entry?.(type, before) ?? {}
    const fitting = addresses.filter((address) => address.includes(':') === (type === 'AAAA'))
    const records = [
      ...(cname ? [record(5, nameBytes(cname))] : []),
      ...fitting.map((address) => record(type === 'A' ? 1 : 28, bytesOf(address))),
    ]
    const head = Buffer.from([
      question[0]!,
      question[1]!,
      0x81,
      entry ? 0x80 : 0x83,
      0,
      1,
      0,
      records.length,
      0,
      0,
      0,
      0,
    ])
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return { zone, asked, address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() }
}
