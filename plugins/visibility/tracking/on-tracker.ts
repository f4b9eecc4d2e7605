import type { ActAudit } from 'renown'
import { VisibilityTracker } from '../records/VisibilityTracker'

/** What all acts on a tracker declare. Its page has a parameter `tracker`, so forms send the id as `id`. */
export const aboutTracker = {
  on: {
    entity: VisibilityTracker,
    field: 'tracker_id',
    called: 'tracker',
    inForms: 'id',
    hint: '`bun renown visibility tracker list` lists them.',
  },
  only: 'owner',
  refusesDemo: true,
} as const

/** Returns the audit entry of an act on a tracker. */
export const trackerAudit = (
  verb: 'pause' | 'resume' | 'change' | 'prompts',
  what: string,
): ActAudit<typeof VisibilityTracker, Record<never, never>> => ({
  action: `location.visibility_${verb}`,
  what,
  subject: (_, { name }) => name,
})
