import { type WorkspaceProblemSource, where } from 'renown'
import { Post } from '../records/Post'

/** Posts that failed, or whose outcome nobody can prove. */
export const postProblems: WorkspaceProblemSource = {
  ...{ name: 'posts', order: 30 },
  async read(ctx, limit) {
    const failed = await ctx.rows(Post).list({
      ...{ where: where.eq('status', 'failed'), limit },
      sort: [{ field: 'created_date', direction: 'desc' }],
      fields: ['business_location_id', 'platform', 'failure_kind', 'error_message', 'updated_date'],
    })
    return failed.map(
      ({ id, business_location_id, platform, failure_kind, error_message, updated_date }) => ({
        ...{ kind: failure_kind === 'unknown_outcome' ? 'post_outcome_unknown' : 'post_failed' },
        ...{ severity: 'critical' as const, location_id: business_location_id, about: `${platform}: ${id}` },
        since: updated_date,
        ...(error_message === undefined ? {} : { why: error_message }),
        todo: 'A person decides in /app/posts. Never assume that it was sent.',
      }),
    )
  },
}
