import { type ReadContext, type Where, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import { answered } from './scope'

/** The rules by which the latest answer among these runs was judged. */
export async function definitionOf(ctx: ReadContext, matching: Where): Promise<string | null> {
  const [latest] = await ctx.rows(VisibilityRun).list({
    where: where.and(matching, answered),
    sort: [{ field: 'started_at', direction: 'desc' }],
    limit: 1,
  })
  return latest?.definition_version ?? null
}
