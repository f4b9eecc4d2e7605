import * as v from 'valibot'
import { defineOperation, field, ours, recordSchema, visibleRow, where } from '../../kit'
import { findProblems, problemsMax } from './found-problems'
import { SyncStatus } from './SyncStatus'

const syncsMax = 200

const problem = v.object({
  kind: field.code('What does not work'),
  severity: field.oneOf(['critical', 'warning'], 'critical: data is missing, or nothing is sent'),
  location_id: v.optional(field.code('Business location that it concerns')),
  location: v.optional(field.text('Its name')),
  about: v.optional(field.text('What it concerns, such as a platform or a tracker')),
  since: v.optional(field.instant('Since when. Left out if unknown')),
  why: v.optional(field.text('The reason that was recorded')),
  todo: ours(field.text('What to do, and where')),
})

/** Returns what does not work in a workspace, and the syncs that are running now. */
export const getActiveSyncs = defineOperation({
  name: 'getActiveSyncs',
  summary: 'Does everything still work? Problems, worst first. Running syncs',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({
    all_well: field.flag('No problem was found, and everything in checked could be read'),
    problems: v.pipe(
      v.array(problem),
      v.description(`What does not work, worst first, at most ${problemsMax}`),
    ),
    problems_total: field.integer('Number of problems found, including those beyond the list', { min: 0 }),
    checked: v.pipe(
      v.array(field.code('Name of a source')),
      v.description('What was looked at, such as syncs or reports'),
    ),
    not_known: v.pipe(
      v.array(field.code('Name of a source')),
      v.description('What could not be read. Nobody knows whether it works'),
    ),
    syncs: v.pipe(
      v.array(recordSchema(SyncStatus)),
      v.description(`Running syncs, latest first, at most ${syncsMax}`),
    ),
    count: field.integer('Number of running syncs, including those beyond the list', { min: 0 }),
    checked_at: field.instant('When this was answered'),
  }),
  async run(ctx) {
    const rows = ctx.rows(SyncStatus)
    const running = where.eq('status', 'running')
    const [{ problems, checked, not_known }, syncs, count] = await Promise.all([
      findProblems(ctx),
      rows.list({ where: running, limit: syncsMax }),
      rows.count(running),
    ])
    return {
      all_well: problems.length === 0 && not_known.length === 0,
      problems: problems.slice(0, problemsMax),
      problems_total: problems.length,
      checked: [...checked],
      not_known: [...not_known],
      syncs: syncs.map((row) => visibleRow(SyncStatus, row)),
      count,
      checked_at: ctx.now().toISOString(),
    }
  },
})
