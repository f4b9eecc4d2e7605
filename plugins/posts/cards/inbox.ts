import { type Row, type Where, where } from 'renown'
import type { InboxEntry, InboxSource, PageContext, Wording } from 'renown/pages'
import { targetOf } from '../publishing/destination'
import { Post, undecidedKinds } from '../records/Post'
import { PostChannel } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { postWords } from '../words'

const fields = [
  'business_location_id',
  'platform',
  'status',
  'content',
  'failure_kind',
  'error_message',
  'approval',
  'approval_note',
  'ai_generated',
  'created_date',
  'updated_date',
  'revision',
  'platform_state',
] as const
type Listed = Pick<Row<typeof Post>, (typeof fields)[number] | 'id'>

interface Words {
  readonly word: Wording
  readonly tone: InboxEntry['tone']
  readonly title: Wording
  readonly label: Wording
  readonly text?: Wording | readonly Wording[]
}

/** Returns matching posts as entries, newest first. Posts of the demo are samples, and nobody can act on them. */
async function entries(
  ctx: PageContext,
  limit: number,
  wanted: readonly Where[],
  wordsOf: (post: Listed, place: string) => Words,
): Promise<InboxEntry[]> {
  const sort = [{ field: 'created_date', direction: 'desc' }] as const
  const posts = await ctx.rows(Post).list({ where: where.and(...wanted), sort, limit, fields })
  const ids = [...new Set(posts.map(({ business_location_id: id }) => id))]
  if (ids.length === 0) return []
  const known = await ctx.rows(PostedLocation).list({
    where: where.in('id', ids),
    limit: ids.length,
    fields: ['business_name'],
  })
  const names = new Map(known.map(({ id, business_name }) => [id, business_name]))
  return posts.map((post) => {
    const { id, content, platform, approval, revision = 1, status, created_date } = post
    const label = targetOf(ctx.system, platform)?.label ?? platform
    const business = names.get(post.business_location_id) ?? ''
    const { word, tone, title, text, label: button } = wordsOf(post, label)
    return {
      id,
      word,
      tone,
      title,
      at: created_date,
      state: [status, post.failure_kind ?? '', approval ?? '', revision].join(' '),
      about: [label, business].filter(Boolean).join(' · '),
      quote: { text: content.summary, lang: content.language },
      ...(text === undefined ? {} : { text }),
      link: { href: `/app/posts/post?post=${id}`, label: button },
    }
  })
}

const failed = where.eq('status', 'failed')
const needsDecision = where.in('failure_kind', undecidedKinds)

/** Posts that failed, or whose outcome nobody can prove. */
const troubles: InboxSource = {
  name: 'posts',
  title: postWords('kindPosts'),
  order: 45,
  icon: 'calendar',
  list: (ctx, limit) =>
    entries(ctx, limit, [failed], ({ failure_kind, error_message }, label) => {
      const isHeld = failure_kind === 'held_by_platform'
      const isOpen = isHeld || failure_kind === 'unknown_outcome'
      const other = failure_kind === 'missed' ? 'missed' : 'failed'
      const asked = isHeld ? 'stillHolds' : 'isPostThere'
      return {
        word: postWords(isHeld ? 'heldBack' : isOpen ? 'unknown' : other),
        tone: 'bad',
        title: postWords(isOpen ? asked : 'notPublished', { target: label }),
        ...(error_message === undefined ? {} : { text: { text: error_message, lang: 'en' } }),
        label: postWords(isOpen ? 'decide' : 'openPost'),
      }
    }),
}

/** Posts that their platform holds back, and targets that showed something that Renown cannot explain. */
const holds: InboxSource = {
  name: 'post-holds',
  title: postWords('kindHeld'),
  order: 45,
  icon: 'clock',
  async list(ctx, limit) {
    const isHeld = [where.eq('status', 'publishing'), where.ne('held_since', null)]
    const [doubts, held] = await Promise.all([
      doubtEntries(ctx, limit),
      entries(ctx, limit, isHeld, ({ platform_state }, label) => ({
        word: postWords('heldBack'),
        tone: 'warn',
        title: postWords('holdsBack', { target: label }),
        text: postWords('stateThere', { state: platform_state ?? postWords('stateUnknown') }),
        label: postWords('openPost'),
      })),
    ])
    return [...doubts, ...held].slice(0, limit)
  },
}

async function doubtEntries(ctx: PageContext, limit: number): Promise<InboxEntry[]> {
  const rows = await ctx.rows(PostChannel).list({ where: where.ne('doubt_about_id', null), limit })
  return rows.flatMap(({ id, location_id, platform, in_doubt }) => {
    if (in_doubt === undefined) return []
    const label = targetOf(ctx.system, platform)?.label ?? platform
    const entry: InboxEntry = {
      id,
      state: in_doubt.since,
      word: postWords('inDoubt'),
      tone: 'bad',
      title: postWords('targetInDoubt', { target: label }),
      at: in_doubt.since,
      about: label,
      text: { text: in_doubt.why, lang: 'en' },
      link: { href: `/app/posts/targets?location=${location_id}`, label: postWords('openTarget') },
    }
    return [entry]
  })
}

/** Drafts that an assistant wrote, and answers of clients to drafts. */
const drafts: InboxSource = {
  name: 'post-drafts',
  title: postWords('kindDrafts'),
  order: 46,
  icon: 'calendar',
  async list(ctx, limit) {
    const draft = where.eq('status', 'draft')
    const [answered, written] = await Promise.all([
      entries(ctx, limit, [draft, where.in('approval', ['approved', 'rejected'])], answerOf),
      entries(
        ctx,
        limit,
        [draft, where.eq('ai_generated', true), where.eq('approval', null)],
        (_, label) => ({
          word: postWords('draft'),
          tone: 'warn',
          title: postWords('draftWaits', { target: label }),
          label: postWords('openDraft'),
        }),
      ),
    ])
    return [...answered, ...written].toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit)
  },
}

function answerOf({ approval, approval_note: note }: Listed, label: string): Words {
  const isApproved = approval === 'approved'
  return {
    word: postWords(isApproved ? 'approved' : 'rejected'),
    tone: isApproved ? 'good' : 'warn',
    title: postWords(isApproved ? 'clientApproved' : 'clientRejected', { target: label }),
    ...(note === undefined ? {} : { text: [postWords('clientWrote'), note] }),
    label: postWords(isApproved ? 'schedule' : 'edit'),
  }
}

/** Counts what waits for a decision of a person. */
export const countUndecided = (ctx: PageContext): Promise<number> =>
  ctx.rows(Post).count(where.and(failed, needsDecision))

/** The inbox sources of posts. */
export const inboxSources = [troubles, holds, drafts]
