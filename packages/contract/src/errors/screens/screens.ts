// How what only screens use can be refused: exports and saved views.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const SCREEN_ERRORS = {
  EXPORTS_FULL: {
    status: 429,
    message: 'Too many exports at the moment',
    hint: 'Two exports of a merchant are downloaded at a time, and five wait to be written. Try again in a minute, or narrow the filter.',
    retry: 'later',
  },
  EXPORT_TOO_LARGE: {
    status: 422,
    message: 'The export has {rows} rows',
    hint: 'Above 100,000 rows the file is written in the background: ask for it on the list of payments, and find it under Exports.',
    retry: 'never',
  },
  EXPORT_UNKNOWN: {
    status: 404,
    message: 'No such export: {reference}',
    hint: 'Files are deleted seven days after they were asked for. Ask for it again.',
    retry: 'never',
  },
  EXPORT_NOT_READY: {
    status: 409,
    message: 'The export is {state}',
    hint: 'The list of exports says how far it has come. One that failed has to be asked for again.',
    retry: 'later',
  },
  SAVED_VIEW_UNKNOWN: {
    status: 404,
    message: 'No such saved view: {title}',
    hint: 'Somebody may have renamed or removed it. Load the list again.',
    retry: 'never',
  },
  SAVED_VIEW_EXISTS: {
    status: 409,
    message: 'There is a saved view of this name already: {title}',
    hint: 'Choose another name, or remove the other view first.',
    retry: 'never',
  },
  SAVED_VIEWS_TOO_MANY: {
    status: 422,
    message: 'There are {most} saved views already',
    hint: 'Remove one that nobody needs.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
