// The tiny adapter as the subject of the exam's command, with a PostgreSQL of its own.
//   npm run exam:connector -- --subject packages/connector-exam/test/tiny-subject.ts
import { withPostgres } from '../../../tools/exam/postgres.ts'
import { openTiny } from './tiny.ts'

export const open = withPostgres('tiny', (databaseUrl, setting) => openTiny(databaseUrl)(setting))
