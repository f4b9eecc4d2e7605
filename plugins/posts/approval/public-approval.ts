import { type OwnerContext, Refusal, where } from 'renown'
import type { PublicAddress, PublicPageDeclaration } from 'renown/pages'
import { Workspace } from 'renown/records'
import * as v from 'valibot'
import { Post, type PostRow } from '../records/Post'
import { type ApprovalRow, PostApproval } from '../records/PostApproval'
import { PostedLocation } from '../records/PostedLocation'
import { shownTime } from '../times/shown-time'
import { answerApproval, basisOf, noteMax } from './answer'
import { type PostPreview, previewOf, previewStyle } from './preview'

/** The data of the page on which a client approves or rejects a post. */
export interface ApprovalData {
  /** `changed`: the post changed since the link was made, so the client sees nothing of it. */
  readonly state: 'open' | 'approved' | 'rejected' | 'changed' | 'past'
  readonly business: string
  readonly post: PostPreview | null
  /** When it is due, in words. Null if it is not scheduled. */
  readonly when: string | null
  readonly note: string | null
  readonly answered_at: string | null
  readonly expires_at: string
  /** Identifies what the client sees. */
  readonly basis: string
}

const name = v.pipe(v.optional(v.string(), ''), v.trim(), v.maxLength(100, 'at most 100 characters'))
const note = v.pipe(
  v.optional(v.string(), ''),
  v.trim(),
  v.maxLength(noteMax, `at most ${noteMax} characters`),
)

/** The page on which a client approves or rejects one post, by a link without an account. */
export const publicApproval: PublicPageDeclaration<ApprovalData> = {
  summary: 'Approval of one post by a client',
  async find(ctx, { hash }) {
    const [row] = await ctx.rows(PostApproval).list({ where: where.eq('token_hash', hash), limit: 1 })
    const isOver = !row?.is_current || Date.parse(row.expires_at) <= ctx.now().getTime()
    return isOver ? null : { id: row.id, workspace_id: row.workspace_id }
  },
  page: {
    module: new URL('./ApprovalPage.tsx', import.meta.url),
    title: 'Approve a post',
    load: loadApproval,
    style: previewStyle,
    submit: {
      input: v.strictObject({
        answer: v.picklist(['approved', 'rejected'], 'Choose one of the two buttons.'),
        basis: v.pipe(v.string(), v.maxLength(100)),
        name,
        note,
      }),
      run: (ctx, { id }, given) => answerApproval(ctx, { ...given, approval_id: id }),
    },
  },
}

async function loadApproval(ctx: OwnerContext, { id, workspace_id }: PublicAddress): Promise<ApprovalData> {
  const row = await ctx.rows(PostApproval).get(id)
  const post = row && (await ctx.rows(Post).get(row.post_id))
  const location = post && (await ctx.rows(PostedLocation).get(post.business_location_id))
  const workspace = await ctx.rows(Workspace).get(workspace_id)
  if (!row || !post || !location || !workspace)
    throw new Refusal('not_found', 'There is nothing at this address.')
  const state = stateOf(row, post)
  const isShown = state !== 'changed'
  return {
    state,
    business: location.business_name,
    expires_at: row.expires_at,
    basis: basisOf(post),
    post: isShown ? previewOf(ctx, post) : null,
    when: isShown ? shownTime(post, workspace.timezone) : null,
    note: row.note ?? null,
    answered_at: row.answered_at ?? null,
  }
}

/** The mark of the post decides. A row that was not updated in time says less. */
function stateOf({ state }: ApprovalRow, { status, approval }: PostRow): ApprovalData['state'] {
  if (approval === undefined || (approval === 'in_review' && state !== 'open')) return 'changed'
  if (approval !== 'in_review') return approval
  return status === 'draft' || status === 'scheduled' ? 'open' : 'past'
}
