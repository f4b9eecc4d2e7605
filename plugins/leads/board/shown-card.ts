import { type Row, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { sourceNote } from '../pages/policy-words'
import { channelNames } from '../records/channel-names'
import type { Channel } from '../records/channels'
import { BusinessLocation } from '../records/foreign'
import type { Lead } from '../records/Lead'
import type { Mention } from '../records/Mention'
import { isRemoved } from '../records/shown-mention'
import type { Stage } from '../records/stage-names'
import { cleanText } from '../sources/plain-text'

/** A lead as the board and the list show it. */
export interface ShownCard {
  readonly id: string
  readonly stage: Stage
  /** Name of the person, or of the account. Null if nobody stored one. */
  readonly who: string | null
  readonly quote: string
  readonly lang: string | null
  /** Why there is no quote. Null if there is one. */
  readonly missing: string | null
  readonly reason: string | null
  readonly score: number
  readonly channel: string
  /** Whether people may reply. */
  readonly may_reply: boolean
  /** What must stand beside the post. */
  readonly attribution: string | null
  readonly location: string
  readonly posted_at: string | null
  readonly created_at: string
  /** Age of the post in days when it was found, if it was old then. */
  readonly stale_days: number | null
  readonly next_step: string | null
  readonly due_at: string | null
  readonly is_due: boolean
  readonly assigned_to: string | null
  readonly is_seen: boolean
  readonly is_archived: boolean
}

const quoteMax = 220

type LeadRow = Row<typeof Lead>
type MentionRow = Row<typeof Mention>

/** Returns the cards of leads with their mentions. */
export async function cardsOf(
  ctx: PageContext,
  found: readonly { readonly row: LeadRow; readonly joined: MentionRow | null }[],
): Promise<ShownCard[]> {
  const ids = [...new Set(found.map(({ row }) => row.location_id))]
  const known = { where: where.in('id', ids), limit: ids.length, fields: ['business_name'] } as const
  const locations = ids.length === 0 ? [] : await ctx.rows(BusinessLocation).list(known)
  const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
  const now = ctx.now()
  return found.map(({ row, joined }) => ({
    ...cardOf(row, now),
    ...postOf(ctx, row, joined),
    location: names.get(row.location_id) ?? row.location_id,
  }))
}

function cardOf(row: LeadRow, now: Date) {
  return {
    id: row.id,
    stage: row.stage,
    score: row.intent_score,
    created_at: row.created_date,
    reason: row.intent_reason === undefined ? null : cleanText(row.intent_reason, 500),
    stale_days: row.stale_post === true ? (row.stale_post_age_days ?? null) : null,
    next_step: row.next_step ?? null,
    due_at: row.due_at ?? null,
    is_due: isDue(row, now),
    assigned_to: row.assigned_to ?? null,
    is_archived: row.is_archived,
    is_seen: typeof row.seen_at === 'string',
  }
}

/** Whether the next step of an open lead is due. */
export const isDue = ({ due_at, stage, is_archived }: LeadRow, now: Date): boolean =>
  due_at !== undefined && due_at <= now.toISOString() && !is_archived && stage !== 'won' && stage !== 'lost'

function postOf(ctx: PageContext, row: LeadRow, mention: MentionRow | null) {
  const { channel, may_reply, attribution } = sourceNote(ctx.system, {
    found_by: mention?.found_by,
    source: mention?.source ?? channelOf(row.source),
  })
  const name = [row.first_name, row.last_name].filter(Boolean).join(' ')
  const author = mention?.author.name || mention?.author.handle
  const text = mention === null || isRemoved(mention) ? '' : mention.excerpt || mention.title || ''
  return {
    who: cleanText(name || author || '', 200) || null,
    quote: cleanText(text, quoteMax),
    lang: mention && mention.language !== 'und' ? mention.language : null,
    missing: missingOf(mention, text),
    channel,
    may_reply,
    attribution,
    posted_at: mention?.posted_at ?? null,
  }
}

function missingOf(mention: MentionRow | null, text: string): string | null {
  if (mention === null) return 'The mention of this lead was deleted.'
  if (mention.removed_at_source_at !== undefined) return 'Its author deleted the post.'
  if (text !== '') return null
  return mention.removal_rule === undefined ? 'The post has no text.' : 'The terms removed the text.'
}

const channelOf = (source: string | undefined): Channel =>
  source !== undefined && Object.hasOwn(channelNames, source) ? (source as Channel) : 'web'
