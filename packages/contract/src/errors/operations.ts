// How acts on settlements, breaks, suspense and stuck work can be refused.
import type { ErrorSpec } from './kit/error-spec.ts'

export const OPERATION_ERRORS = {
  BREAK_NOT_FOUND: {
    status: 404,
    message: 'Could not find the break in this cell',
    hint: 'The number of a break is in breaks.list of its cell.',
    retry: 'never',
  },
  CORRECTION_NOT_ALLOWED: {
    status: 409,
    message: 'This correction does not fit the break: {why}',
    hint: 'breaks.show lists the corrections that the break allows.',
    retry: 'never',
  },
  CORRECTION_AMOUNT: {
    status: 409,
    message: 'The difference is {difference}',
    hint: 'A correction moves exactly the difference of its break. Give that amount.',
    retry: 'never',
  },
  SUSPENSE_NOT_FOUND: {
    status: 404,
    message: 'Could not find the held money',
    hint: 'The id is in suspense.list; an operator also names the cell it is in.',
    retry: 'never',
  },
  HELD_AMOUNT_DIFFERS: {
    status: 409,
    message: 'The amount that is held is {held}',
    hint: 'Whoever decides names the amount, so that it is part of what is approved. It is in suspense.list.',
    retry: 'never',
  },
  SUSPENSE_OF_ANOTHER: {
    status: 409,
    message: 'The money was received for another merchant',
    hint: 'Money that was received for a merchant is given to a wallet of that merchant only, or returned.',
    retry: 'never',
  },
  WORK_NOT_FOUND: {
    status: 404,
    message: 'Nothing of this merchant waits under this reference',
    hint: 'It may have ended meanwhile. work.list shows what waits.',
    retry: 'never',
  },
  REPAIR_NOT_ALLOWED: {
    status: 409,
    message: 'Not repaired: {why}',
    hint: 'Repair is for an instruction about which the bank has been silent for a day. Silence never releases money.',
    retry: 'later',
  },
  CELL_NOT_OPEN: {
    status: 409,
    message: 'No new merchant is taken: {why}',
    hint: 'cells.list shows which cells take new merchants, and where the next one goes. cells.open lets one take them.',
    retry: 'never',
  },
  CELL_STATE: {
    status: 409,
    message: 'The cell is {state}',
    hint: 'Only a cell that is open, or new, can be drained, and only one that was drained can be closed.',
    retry: 'never',
  },
  CELL_HAS_MERCHANTS: {
    status: 409,
    message: 'The cell still has {merchants} merchants and {applicants} applicants',
    hint: 'A merchant cannot be moved to another cell. A cell is closed when all of its merchants are.',
    retry: 'later',
  },
  ROUTE_DATE: {
    status: 422,
    message: 'Field validFrom must be a day or an instant that is not in the past',
    hint: 'Give a day (2026-11-23), an instant with its offset, or nothing for at once. What was sent already stays where it is.',
    retry: 'never',
  },
  ROUTE_DATE_TAKEN: {
    status: 409,
    message: 'A route for the same begins at that instant already',
    hint: 'Routes are never edited. Give another instant.',
    retry: 'never',
  },
  ROUTE_CONNECTOR: {
    status: 422,
    message: '{connector} is not a connector that does this',
    hint: 'routes.list shows the connectors and what each says that it can do. Their names and addresses are in the setting CONNECTORS; `bank` is the one at BANK_URL.',
    retry: 'never',
  },
  POSTING_NOT_FOUND: {
    status: 404,
    message: 'Could not find the posting in this cell',
    hint: 'The posting may have left with its month.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
