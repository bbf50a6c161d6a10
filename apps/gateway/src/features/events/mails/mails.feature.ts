import type { Feature } from '#core/feature.ts'
import { mailsDue } from './mails.due.ts'

export const mails: Feature = { name: 'mails', due: ({ merchants }) => mailsDue(merchants) }
