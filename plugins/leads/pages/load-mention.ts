import { type Row, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { channelRule, draftChannel } from '../drafts/channel-rules'
import { replyWarnings } from '../drafts/check-reply'
import { disclosures } from '../drafts/reply-texts'
import { lookerOf } from '../finding/looks'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { shownMention } from '../records/shown-mention'
import { basisOf } from '../replies/basis'
import { channelOf } from '../replies/replyWay'
import { replyTerms } from '../sources/mention-policy'
import { bodyMax, cleanText } from '../sources/plain-text'
import { loadReply, type ShownSending } from './load-reply'
import { createMarker, type MatchedMarks } from './matched-marks'
import { type SourceNote, sourceNote } from './policy-words'

type MentionRow = Row<typeof Mention>

/** A mention that repeats another one, or the repeated one. */
export interface ShownCopy {
  readonly id: string
  readonly by: string
  readonly url: string
  readonly source: MentionRow['source']
  readonly at: string | null
}

/** A draft of a reply. */
export interface ShownDraft {
  readonly text: string
  /** Identifies the draft, so that nobody replaces one that they did not see. Empty if there is none. */
  readonly seen: string
  readonly by: string | null
  readonly at: string | null
  /** Whether an earlier draft can be taken back. */
  readonly has_previous: boolean
  readonly warnings: readonly string[]
  /** The rule of the channel on promotion. Null if Renown knows none. */
  readonly rule: string | null
}

/** One mention with the data of its page. */
export interface ShownMention {
  readonly id: string
  readonly status: MentionRow['status']
  readonly is_read: boolean
  readonly title: string
  readonly body: string
  /** Whether the text is longer than the page shows. */
  readonly is_cut: boolean
  readonly marks: MatchedMarks
  readonly language: string
  readonly author: { readonly handle: string; readonly name: string | null; readonly url: string | null }
  readonly url: string
  readonly parent_url: string | null
  readonly note: SourceNote
  readonly posted_at: string | null
  readonly discovered_at: string
  readonly keywords: readonly string[]
  readonly relevance: {
    readonly value: string
    readonly score: number | null
    readonly reason: string
  } | null
  readonly intent: { readonly score: number; readonly reason: string; readonly method: string } | null
  readonly sentiment: string | null
  readonly tracker: { readonly id: string; readonly name: string }
  readonly location: { readonly id: string; readonly name: string }
  readonly lead: { readonly id: string; readonly stage: string; readonly score: number } | null
  /** The mention that it repeats. Null if it repeats none. */
  readonly original: ShownCopy | null
  readonly copies: readonly ShownCopy[]
  /** Posts of others with nearly the same words. Each is a mention of its own. */
  readonly similar: readonly ShownCopy[]
  /** The mention that counts instead, where another tracker of the location found the same post. */
  readonly counted_as: string | null
  readonly edited: { readonly at: string; readonly versions: number } | null
  readonly removed_at: string | null
  readonly removal_rule: NonNullable<MentionRow['removal_rule']> | null
  /** When a look first did not find the post. Null without a doubt. */
  readonly missing_since: string | null
  /** When its author took the name out of it. */
  readonly unmatched_at: string | null
  /** When its text must go because nothing can look at the post again. */
  readonly keep_until: string | null
  /** What was answered. Null if nobody answered. The text is empty if nobody knows it. */
  readonly reply: { readonly text: string; readonly at: string | null; readonly url: string | null } | null
  readonly sending: ShownSending
  /** Identifies the text of the post, so that nobody answers one that they did not see. */
  readonly basis: string
  readonly draft: ShownDraft
}

const copiesMax = 20
const reasonMax = 2_000

/** Loads the mention that the address names. Null if the workspace has no such mention. */
export async function loadMention(ctx: PageContext, id: string): Promise<ShownMention | null> {
  const stored = id === '' ? null : await ctx.rows(Mention).get(id)
  if (!stored) return null
  const row = shownMention(stored)
  const first = row.similar_to ?? id
  const [tracker, location, lead, original, copies, alike, firstAlike] = await Promise.all([
    ctx.rows(BrandTracker).get(row.tracker_id),
    ctx.rows(BusinessLocation).get(row.location_id),
    row.lead_id === undefined ? null : ctx.rows(Lead).get(row.lead_id),
    row.duplicate_of === undefined ? null : ctx.rows(Mention).get(row.duplicate_of),
    ctx.rows(Mention).list({
      where: where.eq('duplicate_of', id),
      sort: [{ field: 'posted_at', direction: 'desc' }],
      limit: copiesMax,
    }),
    ctx.rows(Mention).list({
      where: where.eq('similar_to', first),
      sort: [{ field: 'posted_at', direction: 'desc' }],
      limit: copiesMax,
    }),
    first === id ? null : ctx.rows(Mention).get(first),
  ])
  const [sending, terms] = await Promise.all([loadReply(ctx, row, location), replyTerms(ctx.system, row)])
  return {
    sending,
    basis: basisOf(row),
    id,
    status: row.status,
    is_read: row.is_read,
    ...textOf(row),
    ...judgementOf(row),
    url: row.url,
    parent_url: row.parent_url ?? null,
    note: { ...sourceNote(ctx.system, row), may_reply: terms !== 'never' },
    posted_at: row.posted_at ?? null,
    discovered_at: row.discovered_at,
    keywords: row.matched_keywords,
    tracker: { id: row.tracker_id, name: tracker?.name ?? 'A deleted tracker' },
    location: { id: row.location_id, name: location?.business_name ?? 'A deleted location' },
    lead: lead ? { id: lead.id, stage: lead.stage, score: lead.intent_score } : null,
    original: original ? copyOf(shownMention(original)) : null,
    copies: copies.map(shownMention).map(copyOf),
    similar: [...(firstAlike ? [firstAlike] : []), ...alike]
      .filter((one) => one.id !== id)
      .map(shownMention)
      .map(copyOf),
    counted_as: row.same_post_as ?? null,
    edited:
      row.edited_at === undefined && (row.body_version ?? 1) === 1
        ? null
        : { at: row.edited_at ?? row.updated_date, versions: row.body_version ?? 1 },
    removed_at: row.removed_at_source_at ?? null,
    removal_rule: row.removal_rule ?? null,
    missing_since: row.missing_since ?? null,
    unmatched_at: row.unmatched_at ?? null,
    keep_until: lookerOf(ctx.system, row) === null ? (row.keep_until ?? null) : null,
    reply:
      row.reply_text === undefined && row.replied_at === undefined
        ? null
        : { text: row.reply_text ?? '', at: row.replied_at ?? null, url: row.reply_url ?? null },
    draft: draftOf(ctx, row, location ?? { business_name: '' }),
  }
}

/** Returns the texts as they are shown. An import can contain texts that no source would have let in. */
function textOf(row: MentionRow) {
  const title = cleanText(row.title ?? '', 300).replaceAll('\n', ' ')
  const body = cleanText(row.body)
  const { handle, name, url } = row.author
  return {
    title,
    body,
    is_cut: row.body.length > bodyMax,
    language: row.language,
    marks: createMarker()({ ...row, title, body }, row.matched_keywords),
    author: {
      handle: cleanText(handle, 100),
      name: name === undefined ? null : cleanText(name, 100),
      url: url ?? null,
    },
  }
}

const judgementOf = (row: MentionRow) => ({
  relevance:
    row.relevance === undefined && row.judged_by !== 'none'
      ? null
      : {
          value: row.relevance ?? 'not_judged',
          score: row.relevance_score ?? null,
          reason: cleanText(row.relevance_reason ?? '', reasonMax),
        },
  intent:
    row.intent_score === undefined
      ? null
      : {
          score: row.intent_score,
          reason: cleanText(row.intent_reason ?? '', reasonMax),
          method: row.intent_method ?? '',
        },
  sentiment: row.sentiment ?? null,
})

const copyOf = ({ id, author, url, source, posted_at }: MentionRow): ShownCopy => ({
  id,
  url,
  source,
  at: posted_at ?? null,
  by: cleanText(author.name ?? author.handle, 80),
})

function draftOf(
  ctx: PageContext,
  row: MentionRow,
  business: Parameters<typeof replyWarnings>[2],
): ShownDraft {
  const channel = draftChannel(row.source, disclosures(business.business_name), channelOf(ctx.system, row))
  const text = row.suggested_reply ?? ''
  const by = row.suggested_reply_by ?? null
  return {
    text,
    by,
    at: row.suggested_reply_at ?? null,
    seen: row.suggested_reply_at ?? text,
    has_previous: row.previous_reply !== undefined,
    warnings: text === '' ? [] : replyWarnings(text, row, business, by ?? 'caller', channel),
    rule: channelRule(row.source) ?? null,
  }
}
