import { type ReadContext, type Where, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import { answered } from './scope'

/** Returns the version of the rules that judged the latest of these runs. */
export async function definitionOf(ctx: ReadContext, matching: Where): Promise<string | null> {
  const [latest] = await ctx.rows(VisibilityRun).list({
    where: where.and(matching, answered),
    sort: [{ field: 'started_at', direction: 'desc' }],
    limit: 1,
  })
  return latest?.definition_version ?? null
}
