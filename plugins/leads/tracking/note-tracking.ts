import type { OwnerContext, Row } from 'renown'
import type { BrandTracker } from '../records/BrandTracker'

const words = {
  begin: 'Tracker of mentions begun',
  change: 'Tracker of mentions changed',
  pause: 'Tracker of mentions paused',
  resume: 'Tracker of mentions resumed',
  archive: 'Tracker of mentions archived',
} as const

/** Records a change of a tracker in the audit log. */
export const noteTracking = (
  ctx: OwnerContext,
  { workspace_id, name }: Pick<Row<typeof BrandTracker>, 'workspace_id' | 'name'>,
  verb: keyof typeof words,
): Promise<void> =>
  ctx.recordAudit({
    workspace_id,
    action: `location.mentions_${verb}`,
    what: words[verb],
    subject: name,
    by: ctx.by,
  })
