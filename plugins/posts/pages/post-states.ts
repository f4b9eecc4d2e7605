import type { Row } from 'renown'
import type { IconName } from 'renown/pages'
import type { Post } from '../records/Post'

type Stated = Pick<
  Row<typeof Post>,
  'status' | 'failure_kind' | 'scheduled_at' | 'approval' | 'held_since' | 'duplicate_urls'
>

/** A state as people read it. */
export interface ShownState {
  readonly word: string
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  readonly icon: IconName
}

const failures: Readonly<Record<NonNullable<Stated['failure_kind']>, ShownState>> = {
  held_by_platform: { word: 'Held back', tone: 'bad', icon: 'clock' },
  unknown_outcome: { word: 'Unknown', tone: 'bad', icon: 'circle-question-mark' },
  missed: { word: 'Missed', tone: 'bad', icon: 'clock' },
  not_allowed: { word: 'Not published', tone: 'bad', icon: 'circle-x' },
  rejected: { word: 'Failed', tone: 'bad', icon: 'circle-x' },
}

const states = {
  draft: { word: 'Draft', tone: 'plain', icon: 'pencil' },
  scheduled: { word: 'Scheduled', tone: 'warn', icon: 'clock' },
  publishing: { word: 'Publishing', tone: 'warn', icon: 'refresh-cw' },
  published: { word: 'Published', tone: 'good', icon: 'circle-check' },
  cancelled: { word: 'Cancelled', tone: 'plain', icon: 'circle-minus' },
  failed: failures.rejected,
} as const satisfies Readonly<Record<Stated['status'], ShownState>>

/** A scheduled post that waits longer than this is late. */
const lateMs = 5 * 60_000

/** Returns the state of a post in words. */
export function stateOf(post: Stated, now: Date): ShownState {
  const { status, failure_kind, scheduled_at, held_since, duplicate_urls = [] } = post
  if (status === 'failed' && failure_kind !== undefined) return failures[failure_kind]
  if (status === 'publishing' && held_since !== undefined) {
    return { word: 'Held back', tone: 'warn', icon: 'clock' }
  }
  if (status === 'published' && duplicate_urls.length > 0) {
    return { word: 'Published twice', tone: 'bad', icon: 'circle-check' }
  }
  const isLate = status === 'scheduled' && now.getTime() - Date.parse(scheduled_at ?? '') > lateMs
  return isLate ? { word: 'Late', tone: 'bad', icon: 'clock' } : states[status]
}

const approvals = {
  in_review: { word: 'In review', tone: 'warn', icon: 'eye' },
  approved: { word: 'Approved', tone: 'good', icon: 'check' },
  rejected: { word: 'Rejected', tone: 'bad', icon: 'x' },
} as const satisfies Readonly<Record<NonNullable<Stated['approval']>, ShownState>>

/** Returns the mark of a client in words. Null without one. */
export const approvalOf = ({ approval }: Stated): ShownState | null =>
  approval === undefined ? null : approvals[approval]
