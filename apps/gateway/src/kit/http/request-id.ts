// Ids of requests: UUIDs of version 7, which begin with the time. The request log's index grows at its end,
// and two ids tell which came first.
import { randomUUID } from 'node:crypto'
import { wallMs } from '../clock.ts'

export function requestId(): string {
  const ms = wallMs().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomUUID().slice(15)}`
}
