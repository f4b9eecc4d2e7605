import { dayMs, type Row, where } from 'renown'
import type { PageContext, PageRecord } from 'renown/pages'
import { duplicateOf } from '../acts/duplicates'
import { versionOf } from '../acts/edit'
import { type PostPreview, previewOf } from '../approval/preview'
import { contentFaults } from '../content/checkContent'
import { postTarget } from '../contract'
import { targetOf } from '../publishing/destination'
import { doubtOf } from '../publishing/doubt'
import { isUndecided } from '../publishing/settlePost'
import type { Post, PostRow } from '../records/Post'
import { type ApprovalRow, PostApproval } from '../records/PostApproval'
import { type AttemptRow, PostAttempt } from '../records/PostAttempt'
import { PostedLocation } from '../records/PostedLocation'
import { needsApproval } from '../records/PostRules'
import { shownTime, zoneOf } from '../times/shown-time'
import { instantOf } from '../times/wall-time'
import { type ContentValues, valuesOf } from './content-form'
import { approvalOf, type ShownState, stateOf } from './post-states'

/** One attempt to publish a post, as people read it. */
export interface ShownAttempt {
  readonly started_at: string
  readonly outcome: AttemptRow['outcome']
  readonly calls: number
  readonly looks: number
  readonly evidence: string | null
  readonly external_id: string | null
  readonly url: string | null
}

/** One link for a client, and its answer. */
export interface ShownLink {
  readonly made_at: string
  readonly expires_at: string
  readonly state: ApprovalRow['state'] | 'expired'
  readonly by: string | null
  readonly note: string | null
  readonly answered_at: string | null
}

export interface PostData {
  readonly id: string
  readonly business: string
  readonly status: PostRow['status']
  readonly state: ShownState
  readonly mark: ShownState | null
  /** Identifies the version of the post that the page shows. */
  readonly basis: string
  readonly preview: PostPreview
  readonly values: ContentValues
  readonly when: string | null
  /** How late it is, or that its local time is special. */
  readonly notices: readonly string[]
  readonly published_at: string | null
  readonly external_url: string | null
  readonly why: string | null
  readonly is_undecided: boolean
  /** State of the post in the words of its platform. */
  readonly platform_state: string | null
  /** When the platform was first seen to hold the post back. Null if it does not. */
  readonly held_since: string | null
  /** Where the platform shows the same post again. */
  readonly duplicate_urls: readonly string[]
  /** Why nothing is published to the target now. */
  readonly doubt: { readonly since: string; readonly why: string } | null
  /** What keeps it from being scheduled. */
  readonly faults: readonly string[]
  /** Another post with the same text on the same platform. */
  readonly duplicate_id: string | null
  readonly needs_approval: boolean
  readonly zone: string
  readonly at: string
  readonly attempts: readonly ShownAttempt[]
  readonly links: readonly ShownLink[]
  readonly platforms: readonly (readonly [name: string, label: string])[]
  readonly platform: string
  readonly written_by: string | null
  readonly is_demo: boolean
}

/** Loads one post with everything that a person needs for deciding about it. */
export async function loadPost(
  ctx: PageContext,
  _: URLSearchParams,
  { row: post }: PageRecord<typeof Post>,
): Promise<PostData> {
  const own = { where: where.eq('post_id', post.id), limit: 50 }
  const [location, attempts, links, duplicate, needed, doubt] = await Promise.all([
    ctx.rows(PostedLocation).get(post.business_location_id),
    ctx.rows(PostAttempt).list(own),
    ctx.rows(PostApproval).list(own),
    duplicateOf(ctx, post, ctx.now()),
    needsApproval(ctx.system, post.workspace_id),
    doubtOf(ctx.system, post),
  ])
  const now = ctx.now()
  const target = targetOf(ctx, post.platform)
  const isOpen = post.status === 'draft' || post.status === 'scheduled' || post.status === 'failed'
  const zone = zoneOf(post, post.timezone ?? ctx.workspace.timezone)
  return {
    id: post.id,
    business: location?.business_name ?? post.business_location_id,
    status: post.status,
    state: stateOf(post, now),
    mark: approvalOf(post),
    basis: versionOf(post),
    preview: previewOf(ctx, post),
    values: valuesOf(post.post_type, post.content),
    when: shownTime(post, ctx.workspace.timezone),
    notices: noticesOf(post, now),
    published_at: post.published_at ?? null,
    external_url: post.external_url ?? null,
    why: post.error_message ?? null,
    is_undecided: isUndecided(post),
    platform_state: post.platform_state ?? null,
    held_since: post.status === 'publishing' ? (post.held_since ?? null) : null,
    duplicate_urls: post.duplicate_urls ?? [],
    doubt,
    faults: isOpen ? faultsOf(post, target, location) : [],
    duplicate_id: isOpen ? (duplicate?.id ?? null) : null,
    needs_approval: needed,
    zone,
    at: post.wall_time ?? '',
    attempts: attempts.map(shownAttempt),
    links: links.map((link) => shownLink(link, now)),
    platforms: ctx.extensions(postTarget).map(({ platform, label }) => [platform, label] as const),
    platform: post.platform,
    written_by: post.written_by ?? null,
    is_demo: location?.is_demo === true,
  }
}

function faultsOf(
  post: PostRow,
  target: ReturnType<typeof targetOf>,
  location: Row<typeof PostedLocation> | null,
): readonly string[] {
  if (!target) return [`No loaded plugin publishes to ${post.platform}.`]
  const why = location ? (target.refusal?.(location) ?? null) : 'The location no longer exists.'
  return [
    ...contentFaults(post, target).map(({ message }) => message),
    ...(why === null ? [] : [why]),
    ...(location?.is_active === false ? ['This location is paused. Its posts cannot be scheduled.'] : []),
  ]
}

const lateMs = 5 * 60_000

function noticesOf(post: PostRow, now: Date): readonly string[] {
  const { status, wall_time, timezone, occurrence, scheduled_at } = post
  if (status !== 'scheduled') return []
  const lateBy = now.getTime() - Date.parse(scheduled_at ?? '')
  const late = lateBy > lateMs && lateBy < 30 * dayMs
  const special =
    wall_time === undefined || timezone === undefined
      ? undefined
      : instantOf({ wall_time, timezone, occurrence }).notice
  return [
    ...(late
      ? [
          `This post is ${Math.round(lateBy / 60_000)} minutes late. Renown publishes it as soon as it can, but not more than an hour late.`,
        ]
      : []),
    ...(special === undefined ? [] : [special]),
  ]
}

const shownAttempt = ({
  started_at,
  outcome,
  calls,
  looks,
  evidence,
  external_id,
  external_url,
}: AttemptRow) => ({
  started_at,
  outcome,
  calls,
  looks,
  evidence: evidence ?? null,
  external_id: external_id ?? null,
  url: external_url ?? null,
})

const shownLink = (
  { created_date, expires_at, state, answered_by, note, answered_at }: ApprovalRow,
  now: Date,
): ShownLink => ({
  made_at: created_date,
  expires_at,
  by: answered_by ?? null,
  note: note ?? null,
  state: state === 'open' && Date.parse(expires_at) <= now.getTime() ? 'expired' : state,
  answered_at: answered_at ?? null,
})
