// The rules of the tree that no compiler holds. Each rule is a pure function over the files, so that a test
// can plant a fault and see it found.
import type { Rule } from './files.ts'
import { direction, folderCircle, noCircle, subpath } from './imports.ts'
import { clock, env, merchant, network, sleep, sqlPlace, timers } from './places.ts'
import { commands, decisions, links, mentions, paths, pictures, styles, words } from './prose.ts'
import { rooms } from './rooms.ts'
import { comments, functions, length } from './size.ts'
import { tables } from './tables.ts'
import { asUnknown, cast, kobo, never } from './types.ts'
import { nameless, names, retyped } from './values.ts'

export const RULES = {
  direction,
  'no-circle': noCircle,
  'folder-circle': folderCircle,
  subpath,
  rooms,
  env,
  clock,
  sleep,
  network,
  length,
  comments,
  function: functions,
  merchant,
  'sql-place': sqlPlace,
  tables,
  timers,
  kobo,
  cast,
  never,
  'as-unknown': asUnknown,
  retyped,
  nameless,
  names,
  words,
  links,
  mentions,
  commands,
  decisions,
  pictures,
  paths,
  styles,
} as const satisfies Record<string, Rule>
