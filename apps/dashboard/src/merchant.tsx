// The entry of the merchant's dashboard.
import { start } from './app.tsx'
import { MERCHANT_SCREENS } from './screens-of-merchants.ts'

start(MERCHANT_SCREENS)
