import type { JobDeclaration } from '../contracts/plugin'
import { minuteMs } from '../contracts/time'

/** Computes sums by day in the background, after an upgrade, an import or a sync, so that no question waits for them. */
export const sumsSweep: JobDeclaration = {
  summary: 'Compute the sums by day that changed since they were last read',
  everyMs: minuteMs,
  includesInactive: true,
  run: (ctx, signal) => ctx.repairSums(signal),
}
