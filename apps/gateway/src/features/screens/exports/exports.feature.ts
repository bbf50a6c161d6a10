import { type Feature, onePerProcess } from '#core/feature.ts'
import { exportActs, exportViews } from './exports.acts.ts'
import { declared } from './exports.declared.sql.ts'
import { exportsDue } from './exports.due.ts'
import { exportRoutes } from './exports.routes.ts'
import { createExportWriter, forgetExports } from './queue.ts'

const writerOf = onePerProcess(({ ctx }) => createExportWriter(ctx))

export const paymentExports: Feature = {
  name: 'exports',
  ...declared,
  routes: exportRoutes,
  acts: exportActs,
  views: exportViews,
  due: (shared) => exportsDue(writerOf(shared)),
  housekeeping: ({ ctx }) => ({ 'old exports': (cell) => forgetExports(ctx, cell) }),
}
