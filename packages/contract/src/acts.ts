// Everything that people do and look at. Adding an act or a view here is what makes it exist.
import Type from 'typebox'
import * as approvals from './access/approvals.ts'
import * as cells from './access/cells.ts'
import * as keys from './access/keys.ts'
import * as limits from './access/limits.ts'
import * as merchants from './access/merchant-acts.ts'
import * as requests from './access/requests.ts'
import * as security from './access/security.ts'
import * as team from './access/team.ts'
import * as trail from './access/trail.ts'
import * as routes from './bank/connector-routes.ts'
import * as eventLog from './events/log.ts'
import { ACT_OUTCOMES, type Act, ActBody, type View } from './kit/act.ts'
import type { Side } from './kit/permissions.ts'
import type { Route } from './kit/spec.ts'
import * as ownWallet from './payouts/own-wallet.ts'
import * as board from './screens/board.ts'
import * as collecting from './screens/collecting.ts'
import * as exported from './screens/exports.ts'
import { findAnything } from './screens/find.ts'
import { findEverywhere } from './screens/find-everywhere.ts'
import { homeFigures } from './screens/home.ts'
import * as payments from './screens/payments.ts'
import * as saved from './screens/saved.ts'
import * as suspenseActs from './screens/suspense.ts'
import * as viewAs from './screens/view-as.ts'
import * as work from './screens/work.ts'
import * as books from './settlements/books.ts'
import * as breaks from './settlements/breaks.ts'
import * as fees from './settlements/fees.ts'
import * as operations from './settlements/operations.ts'
import { setOwnRule } from './settlements/settlements.ts'
import { confirmDestination } from './wallets/destinations.ts'
import * as secondPerson from './wallets/second-person.ts'

export const ACTS: readonly Act[] = [
  keys.keysCreate,
  keys.keysEnd,
  approvals.approveOwn,
  approvals.rejectOwn,
  approvals.approveAny,
  approvals.rejectAny,
  secondPerson.releasePayout,
  secondPerson.releaseRefund,
  secondPerson.setApprovalAbove,
  merchants.applyMerchant,
  merchants.letIntoSandbox,
  merchants.reviewMerchant,
  merchants.recordDocument,
  merchants.rejectMerchant,
  merchants.goLive,
  merchants.suspendMerchant,
  merchants.resumeMerchant,
  merchants.closeMerchant,
  merchants.setAddresses,
  merchants.setPeopleAddresses,
  merchants.setRate,
  merchants.renameMerchant,
  merchants.addContract,
  merchants.grantFeature,
  merchants.withdrawFeature,
  merchants.resetKey,
  cells.openCellToMerchants,
  cells.drainCell,
  cells.closeDrainedCell,
  routes.setRoute,
  fees.setFees,
  limits.setLimits,
  confirmDestination,
  team.inviteMember,
  team.resetMember,
  team.changeMemberRole,
  team.endMember,
  team.inviteOwner,
  team.replaceOwner,
  team.inviteOperator,
  team.resetOperator,
  team.changeOperatorRole,
  team.endOperator,
  setOwnRule,
  operations.holdSettlements,
  operations.releaseSettlements,
  operations.addHoliday,
  breaks.assignBreak,
  breaks.closeBreak,
  breaks.correctBreak,
  breaks.undoCorrection,
  suspenseActs.returnSuspense,
  suspenseActs.reassignSuspense,
  suspenseActs.keepSuspense,
  suspenseActs.acceptHeldMoney,
  suspenseActs.returnHeldMoney,
  work.askAgain,
  work.repairWork,
  work.resendDeliveries,
  exported.requestExport,
  saved.saveView,
  saved.renameView,
  saved.removeView,
  viewAs.beginViewing,
  viewAs.endViewing,
]

export const VIEWS: readonly View[] = [
  keys.keysList,
  approvals.listApprovals,
  approvals.showApproval,
  approvals.listAllApprovals,
  approvals.showAnyApproval,
  trail.listOwnTrail,
  trail.listTrail,
  payments.showPayment,
  merchants.listMerchants,
  merchants.showMerchant,
  merchants.showPeopleAddresses,
  fees.listFees,
  fees.overviewFees,
  fees.myFees,
  limits.listLimits,
  limits.overviewLimits,
  ownWallet.showOwnWallet,
  limits.myLimits,
  requests.requestsOfOurs,
  requests.requestsOfMerchant,
  requests.requestsOfNobody,
  eventLog.eventLog,
  security.listOwnSecurity,
  security.listSecurity,
  team.listTeam,
  team.listOperators,
  operations.previewSettlements,
  operations.listHeldSettlements,
  operations.listSettlementRuns,
  operations.listReceivables,
  breaks.listBreaksView,
  breaks.showBreakView,
  suspenseActs.listSuspense,
  suspenseActs.listHeldMoney,
  collecting.listReservedAccounts,
  collecting.listDebits,
  collecting.listLinkPayments,
  collecting.listOwnContracts,
  work.listWork,
  work.showWork,
  work.listDisputes,
  books.lastBooks,
  books.listAccounts,
  books.showTransfer,
  board.showBoard,
  board.showVersions,
  cells.listCells,
  routes.listRoutes,
  routes.showPayout,
  findAnything,
  findEverywhere,
  viewAs.showViewing,
  homeFigures,
  exported.listExports,
  saved.listViews,
]

/** Where each side's people are served: a merchant's beside the API, the operator's on a listener of its
 *  own. */
export const PREFIX: Readonly<Record<Side, string>> = { merchant: '/dashboard/v1', operator: '/operator/v1' }

const ActAnswer = ({ reply, preview }: Act) =>
  Type.Object({
    outcome: Type.Enum([...ACT_OUTCOMES], { description: 'Done; waiting for a second person; or what it would do' }),
    reply: Type.Union([reply, ...(preview ? [preview] : []), Type.Null()]),
    reference: Type.Union([Type.String(), Type.Null()], { description: 'Of the approval that waits' }),
  })
const common = ({ id, side, summary, errors }: Act | View) =>
  ({ id: `${side}.${id}`, auth: 'none', group: side, summary, errors }) as const

/** Acts and views as routes. They are not of the public interface: ROUTES has none of them. */
export const routesOfActs = (): readonly Route[] => [
  ...ACTS.map((one): Route => {
    const body = Type.Object({ ...ActBody.properties, input: Type.Optional(one.input) })
    return {
      ...common(one),
      method: 'POST',
      path: `${PREFIX[one.side]}/acts/${one.id}`,
      body,
      reply: ActAnswer(one),
    }
  }),
  ...VIEWS.map((one): Route => {
    const { query, reply } = one
    return { ...common(one), method: 'GET', path: `${PREFIX[one.side]}/views/${one.id}`, query, reply }
  }),
]
