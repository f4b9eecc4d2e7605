import { moveState, type OwnerContext, Refusal, refusedField, where } from 'renown'
import { targetOf } from '../publishing/destination'
import { unchanged } from '../publishing/settlePost'
import { Post, type PostRow } from '../records/Post'
import { type ApprovalRow, approvalState, PostApproval } from '../records/PostApproval'
import { PostedLocation } from '../records/PostedLocation'

/** Maximum length of what a client writes. */
export const noteMax = 2_000

/** The answer of a client. */
export interface ApprovalAnswer {
  readonly approval_id: string
  readonly answer: 'approved' | 'rejected'
  /** What the client saw, by `basisOf`. */
  readonly basis: string
  /** The name that the client entered. */
  readonly name: string
  readonly note: string
}

/** Returns a digest of what a client sees of a post. */
export const basisOf = ({ platform, post_type, content, scheduled_at, timezone }: PostRow): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([platform, post_type, content, scheduled_at ?? null, timezone ?? null]))
    .digest('hex')
    .slice(0, 32)

const open: readonly PostRow['status'][] = ['draft', 'scheduled']

/**
 * Records what a client answered. It publishes nothing: a post is published only at a time that a person chose. Throws a
 * `conflict` Refusal if the post is not what the client saw.
 */
export async function answerApproval(ctx: OwnerContext, given: ApprovalAnswer): Promise<void> {
  const { answer, basis, name, note } = given
  if (answer === 'rejected' && note === '') throw noReason()
  const row = await ctx.rows(PostApproval).get(given.approval_id)
  const post = row && (await ctx.rows(Post).get(row.post_id))
  if (!row || !post) throw new Refusal('not_found', 'There is nothing at this address.')
  const isOpen = row.state === 'open' && post.approval === 'in_review' && open.includes(post.status)
  if (!isOpen) throw new Refusal('conflict', 'This post no longer waits for an answer. Reload the page.')
  if (basisOf(post) !== basis) throw changed()
  // The mark belongs to this version: a change of the post in the meantime wins.
  const same = where.and(unchanged(post), where.eq('approval', 'in_review'))
  const mark = { approval: answer, approval_note: note === '' ? undefined : note }
  const marked = await ctx.rows(Post).updateWhere(same, mark)
  if (!marked) throw changed()
  const answered = moveState(approvalState, row.state, answer, {
    now: ctx.now(),
    with: { ...(note === '' ? {} : { note }), ...(name === '' ? {} : { answered_by: name }) },
  })
  const asOpen = where.and(where.eq('id', row.id), where.eq('state', 'open'))
  await ctx.rows(PostApproval).updateWhere(asOpen, answered as Partial<ApprovalRow>)
  await tell(ctx, marked, row, given)
}

const noReason = () => refusedField('note', 'Write what should change.', 'required')

const changed = () =>
  new Refusal('conflict', 'The post changed since you opened this page. Check it again, then answer.')

async function tell(
  ctx: OwnerContext,
  post: PostRow,
  { id }: ApprovalRow,
  { answer, name, note }: ApprovalAnswer,
): Promise<void> {
  const { workspace_id, business_location_id: location_id, platform } = post
  const location = await ctx.rows(PostedLocation).get(location_id)
  const business = location?.business_name ?? location_id
  const label = targetOf(ctx, platform)?.label ?? platform
  const who = name === '' ? 'The client' : name
  const next = post.status === 'draft' ? 'Schedule it.' : 'It is published at its time.'
  await ctx.notify({
    workspace_id,
    location_id,
    entity: 'Post',
    entity_id: post.id,
    once: `post_approval ${id}`,
    type: `post_${answer}`,
    severity: answer === 'approved' ? 'info' : 'warning',
    title: `A post of ${business} for ${label} was ${answer}`,
    body: answer === 'approved' ? `${who} approved it. ${next}` : `${who} rejected it: ${note}`,
  })
  await ctx.recordAudit({
    workspace_id,
    action: `location.post_${answer}`,
    by: undefined,
    what: answer === 'approved' ? 'Post approved by link' : 'Post rejected by link',
    subject: `${business}: post ${post.id}`,
  })
}
