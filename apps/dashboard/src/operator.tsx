// The entry of the operator's console, and of a merchant's screens as an operator sees them.
import { VIEWED } from './api/call.ts'
import { start } from './app.tsx'
import { OPERATOR_SCREENS } from './screens-of-operators.ts'

if (VIEWED === null) start(OPERATOR_SCREENS)
else void import('./screens-viewed.ts').then(({ VIEWED_SCREENS }) => start(VIEWED_SCREENS))
