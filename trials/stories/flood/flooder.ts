// Whoever floods: a process of its own that sends log-ins as fast as they are answered, three of four against
// one account and the others each against one of its own, every one from another address. It writes and reads
// bytes itself: a client that does more would use the processor that the gateway needs, and be what is
// measured.
import { connect } from 'node:net'
import type { Order, Progress } from './figures.ts'

const HEADER_END = '\r\n\r\n'
const LENGTH = /content-length: (\d+)/i

function flood({ url, email, tries, atOnce, parts }: Order, tell: (progress: Progress) => void): void {
  const { hostname, port, host } = new URL(url)
  const counts: Record<string, number> = {}
  let sent = 0
  let answered = 0
  const next = (): { readonly to: string; readonly text: string } => {
    const index = sent++
    const one = index % 4 !== 3
    const to = one ? email : `nobody-${index}@adire.example`
    const body = JSON.stringify({ email: to, password: `wrong password ${index}` })
    const text = [
      'POST /dashboard/v1/log-in HTTP/1.1',
      `host: ${host}`,
      'content-type: application/json',
      'sec-fetch-site: same-origin',
      `x-forwarded-for: 10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      `content-length: ${body.length}${HEADER_END}${body}`,
    ].join('\r\n')
    return { to: one ? 'one' : 'many', text }
  }
  const count = (to: string, head: string): void => {
    const key = `${to} ${head.slice(9, 12)}${head.includes('\r\nretry-after: ') ? ' with Retry-After' : ''}`
    counts[key] = (counts[key] ?? 0) + 1
    answered += 1
    if (answered % Math.ceil(tries / parts) === 0 || answered === tries) tell({ counts, over: answered === tries })
  }
  const strike = (): void => {
    const socket = connect(Number(port), hostname)
    let text = ''
    let to = ''
    const send = (): void => {
      if (sent >= tries) return void socket.end()
      const one = next()
      to = one.to
      socket.write(one.text)
    }
    socket.setNoDelay(true).setEncoding('latin1')
    socket.once('connect', send)
    socket.on('data', (part: string) => {
      text += part
      const end = text.indexOf(HEADER_END)
      if (end < 0) return
      const head = text.slice(0, end)
      if (text.length < end + HEADER_END.length + Number(LENGTH.exec(head)?.[1])) return
      text = ''
      count(to, head)
      send()
    })
    socket.once('error', (error) => {
      throw error
    })
  }
  for (let index = 0; index < atOnce; index += 1) strike()
}

process.once('message', (order: Order) => flood(order, (progress) => process.send?.(progress)))
process.once('disconnect', () => process.exit())
