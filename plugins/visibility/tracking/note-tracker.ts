import type { OwnerContext, Row } from 'renown'
import type { VisibilityTracker } from '../records/VisibilityTracker'

/** Writes a change of a tracker into the audit log. */
export const noteTracker = (
  ctx: OwnerContext,
  { workspace_id, name }: Pick<Row<typeof VisibilityTracker>, 'workspace_id' | 'name'>,
  verb: 'begin' | 'change' | 'prompts',
): Promise<void> =>
  ctx.recordAudit({
    workspace_id,
    action: `location.visibility_${verb}`,
    what: words[verb],
    subject: name,
    by: ctx.by,
  })

const words = {
  begin: 'AI visibility tracking begun',
  change: 'AI visibility tracker changed',
  prompts: 'Prompts of a tracker changed',
} as const
