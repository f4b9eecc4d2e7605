import { dayMs, moveState, type OwnerContext, Refusal, where } from 'renown'
import { Workspace } from 'renown/records'
import { publicOrigin } from 'renown/sources'
import { changedMeanwhile, ownPost } from '../acts/edit'
import { normalText } from '../content/post-text'
import { unchanged } from '../publishing/settlePost'
import { Post, type PostRow } from '../records/Post'
import { type ApprovalRow, approvalState, PostApproval } from '../records/PostApproval'

/** How long a link works, in days: the choices of a person, and the default. */
export const linkDays = { min: 1, max: 90, default: 14 } as const

/** A new link. Its address is shown once. */
export interface NewLink {
  readonly post: PostRow
  readonly address: string
  readonly expires_at: string
}

const asked: readonly PostRow['status'][] = ['draft', 'scheduled']

/**
 * Makes a link by which a client approves or rejects a post without an account. Earlier links of the post stop working, and
 * its mark goes back to `in_review`.
 */
export async function askApproval(
  ctx: OwnerContext,
  { post_id, days = linkDays.default }: { readonly post_id: string; readonly days?: number | undefined },
): Promise<NewLink> {
  const { post, location } = await ownPost(ctx, post_id)
  if (!asked.includes(post.status)) {
    throw new Refusal(
      'conflict',
      `The post is ${post.status}. Only a draft or a scheduled post can be approved.`,
    )
  }
  if (normalText(post.content.summary) === '') throw new Refusal('conflict', 'The post has no text yet.')
  const { workspace_id } = post
  const { text, hash } = await shortToken(ctx)
  const expires_at = new Date(ctx.now().getTime() + days * dayMs).toISOString()
  return ctx.withLock(`ask-approval ${post_id}`, async () => {
    await endLinks(ctx, post)
    await ctx.rows(PostApproval).insert({
      workspace_id,
      post_id,
      location_id: location.id,
      token_hash: hash,
      expires_at,
      state: 'open',
      is_current: true,
    })
    const mark = { approval: 'in_review', approval_note: undefined } as const
    const marked = await ctx.rows(Post).updateWhere(unchanged(post), mark)
    if (!marked) throw changedMeanwhile()
    const origin = publicOrigin(ctx, await ctx.rows(Workspace).get(workspace_id))
    return { post: marked, address: `${origin}/p/post/${text}`, expires_at }
  })
}

/** Ends a review: the links of the post stop working, and the post has no mark. */
export async function endApproval(ctx: OwnerContext, post_id: string): Promise<PostRow> {
  const { post } = await ownPost(ctx, post_id)
  if (post.approval === undefined) throw new Refusal('conflict', 'Nobody was asked to approve this post.')
  await endLinks(ctx, post)
  const marked = await ctx
    .rows(Post)
    .updateWhere(unchanged(post), { approval: undefined, approval_note: undefined })
  if (!marked) throw changedMeanwhile()
  return marked
}

async function endLinks(ctx: OwnerContext, { id, workspace_id }: PostRow): Promise<void> {
  const links = ctx.rows(PostApproval)
  const current = where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('post_id', id),
    where.eq('is_current', true),
  )
  const ended = moveState(approvalState, 'open', 'ended', { now: ctx.now() })
  await links.updateMany(where.and(current, where.eq('state', 'open')), {
    ...(ended as Partial<ApprovalRow>),
    is_current: false,
  })
  await links.updateMany(current, { is_current: false })
}

/** Returns 9 random bytes as 12 URL-safe characters, with their hash. */
async function shortToken(ctx: OwnerContext): Promise<{ readonly text: string; readonly hash: string }> {
  const { hash: random } = await ctx.newToken('')
  const text = Buffer.from(random.slice(0, 18), 'hex').toString('base64url')
  return { text, hash: new Bun.CryptoHasher('sha256').update(text).digest('hex') }
}
