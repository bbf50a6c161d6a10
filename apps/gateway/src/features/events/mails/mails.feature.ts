import type { Feature } from '#core/feature.ts'
import { declared } from './mails.declared.sql.ts'
import { mailsDue } from './mails.due.ts'

export const mails: Feature = { name: 'mails', ...declared, due: ({ merchants }) => mailsDue(merchants) }
