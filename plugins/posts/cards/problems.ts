import { where } from 'renown'
import type { WorkspaceProblemSource } from 'renown/pages'
import { Post } from '../records/Post'
import { PostChannel } from '../records/PostChannel'

const kinds: Readonly<Record<string, string>> = {
  unknown_outcome: 'post_outcome_unknown',
  held_by_platform: 'post_held',
}

/** Posts that failed, or whose outcome nobody can prove, and targets in doubt. */
export const postProblems: WorkspaceProblemSource = {
  name: 'posts',
  order: 30,
  async read(ctx, limit) {
    const failed = await ctx.rows(Post).list({
      where: where.eq('status', 'failed'),
      limit,
      sort: [{ field: 'created_date', direction: 'desc' }],
      fields: ['business_location_id', 'platform', 'failure_kind', 'error_message', 'updated_date'],
    })
    const doubted = await ctx.rows(PostChannel).list({ where: where.ne('doubt_about_id', null), limit })
    const doubts = doubted.flatMap(({ location_id, platform, in_doubt }) =>
      in_doubt === undefined
        ? []
        : [
            {
              kind: 'post_target_in_doubt',
              severity: 'critical' as const,
              location_id,
              about: platform,
              since: in_doubt.since,
              why: in_doubt.why,
              todo: 'A person confirms the target in /app/posts/targets. Until then nothing is published there.',
            },
          ],
    )
    const failures = failed.map(
      ({ id, business_location_id, platform, failure_kind, error_message, updated_date }) => ({
        kind: kinds[failure_kind ?? 'rejected'] ?? 'post_failed',
        severity: 'critical' as const,
        location_id: business_location_id,
        about: `${platform}: ${id}`,
        since: updated_date,
        ...(error_message === undefined ? {} : { why: error_message }),
        todo: 'A person decides in /app/posts. Never assume that it was sent.',
      }),
    )
    return [...doubts, ...failures].slice(0, limit)
  },
}
