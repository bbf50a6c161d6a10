import { initUssd } from '@cowrie/contract/collections/ussd'
import { bind, type RouteDeps } from '#core/bind.ts'
import { createUssd } from './ussd.ts'

export const ussdRoutes = (deps: RouteDeps): void => bind(deps, initUssd, createUssd(deps.ctx))
