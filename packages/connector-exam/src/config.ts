// What a command of a subject finds in its environment, beside what the exam itself was started with.
import type { Setting } from './subject/subject.ts'

export const environmentOf = (
  { gatewayUrl }: Setting,
  keys: readonly string[],
): Readonly<Record<string, string | undefined>> => ({
  ...process.env,
  EXAM_GATEWAY_URL: gatewayUrl,
  EXAM_KEYS: keys.join(','),
})
