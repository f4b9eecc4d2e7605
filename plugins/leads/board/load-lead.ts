import { dayIn, type Row, where } from 'renown'
import type { PageContext, RecordChange } from 'renown/pages'
import { mentionOf } from '../dispatch/lead-details'
import { basisOf } from '../dispatch/plan-lead'
import { type SourceNote, sourceNote } from '../pages/policy-words'
import { channelNames } from '../records/channel-names'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { cleanText } from '../sources/plain-text'
import { cardsOf, type ShownCard } from './shown-card'

type LeadRow = Row<typeof Lead>
type MentionRow = Row<typeof Mention>

/** A contact detail, and whether it stands in the text. */
export interface ShownContact {
  readonly label: string
  readonly value: string
  /** The part of the post that contains it. Null if the detail did not come from the text, or if it changed. */
  readonly place: 'title' | 'text' | null
}

/** A mention of the lead's author. */
export interface ShownMention {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly lang: string | null
  /** The contact details in the text, as offsets. */
  readonly marks: readonly (readonly [from: number, to: number])[]
  readonly url: string
  readonly channel: string
  readonly posted_at: string | null
  readonly missing: string | null
  readonly draft: string
}

/** One lead with the data of its page. */
export interface ShownLead extends ShownCard {
  readonly method: string | null
  readonly lost_reason: string | null
  readonly stage_changed_at: string | null
  readonly seen_at: string | null
  readonly archived_at: string | null
  readonly notes: string
  /** The day of the next step in the time zone of the workspace. */
  readonly due_day: string
  /** Identifies what people wrote on the lead, so that nobody replaces what they did not see. */
  readonly basis: string
  readonly contacts: readonly ShownContact[]
  readonly mentions: readonly ShownMention[]
  /** Whether the author has more mentions than the page shows. */
  readonly has_more_mentions: boolean
  readonly source: SourceNote
  readonly history: readonly RecordChange[]
}

const mentionsMax = 20
const historyMax = 50
const textMax = 5_000

/** Loads the lead named in the address. Null if the workspace has no lead with that id. */
export async function loadLead(ctx: PageContext, id: string): Promise<ShownLead | null> {
  const row = await ctx.rows(Lead).get(id)
  if (!row) return null
  const [own, first, history] = await Promise.all([
    ctx.rows(Mention).list({ where: where.eq('lead_id', id), limit: mentionsMax + 1 }),
    ctx.rows(Mention).get(row.mention_id),
    ctx.history(id, historyMax),
  ])
  const [card] = await cardsOf(ctx, [{ row, joined: first }])
  if (!card) return null
  const mentions = [...(first ? [first] : []), ...own.filter((mention) => mention.id !== row.mention_id)]
  return {
    ...card,
    method: row.intent_method ?? null,
    lost_reason: row.lost_reason ?? null,
    stage_changed_at: row.stage_changed_at ?? null,
    seen_at: row.seen_at ?? null,
    archived_at: row.archived_at ?? null,
    notes: row.notes ?? '',
    due_day: row.due_at === undefined ? '' : dayIn(ctx.workspace.timezone, new Date(row.due_at)),
    basis: basisOf(row),
    contacts: contactsOf(row, mentions),
    mentions: mentions.slice(0, mentionsMax).map((mention) => shownMention(row, mention)),
    has_more_mentions: mentions.length > mentionsMax,
    source: sourceNote(ctx.system, {
      found_by: first?.found_by,
      source: first?.source ?? mentions[0]?.source ?? 'web',
    }),
    history,
  }
}

const labels = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Telephone',
  suburb: 'Suburb',
  postcode: 'Postcode',
} as const

function contactsOf(row: LeadRow, mentions: readonly MentionRow[]): ShownContact[] {
  const places = mentions.flatMap((mention) => evidenceOf(row, mention))
  return Object.entries(labels).flatMap(([name, label]) => {
    const value = row[name as keyof typeof labels]
    if (value === undefined || value === '') return []
    const evidence = places.find(({ field }) => field === name)
    return [
      {
        label,
        value: cleanText(value, 200),
        place: evidence ? (evidence.in === 'title' ? 'title' : 'text') : null,
      },
    ]
  })
}

/** Returns the places of contact details in a mention. A text that was edited and not judged again has none. */
function evidenceOf(row: LeadRow, mention: MentionRow) {
  const isEdited = (mention.edited_at ?? '') > row.created_date
  if (isEdited && mention.is_judged !== true) return []
  const lengths = { title: mention.title?.length ?? 0, body: mention.body.length }
  return (row.contacts ?? []).filter(
    (contact) => mentionOf(row, contact) === mention.id && contact.end <= lengths[contact.in],
  )
}

function shownMention(row: LeadRow, mention: MentionRow): ShownMention {
  const isGone = mention.removed_at_source_at !== undefined || mention.removal_rule !== undefined
  const text = isGone ? '' : cleanText(mention.body, textMax)
  // The offsets are those of the stored text.
  const isSame = mention.body.startsWith(text)
  const marks = evidenceOf(row, mention)
    .filter((contact) => isSame && contact.in === 'body' && contact.end <= text.length)
    .map(({ start, end }) => [start, end] as const)
  return {
    id: mention.id,
    title: isGone ? '' : cleanText(mention.title ?? '', 500),
    text,
    lang: mention.language === 'und' ? null : mention.language,
    marks,
    url: mention.url,
    channel: channelNames[mention.source],
    posted_at: mention.posted_at ?? null,
    missing: isGone ? 'The text was deleted, as the terms of the source demand.' : null,
    draft: mention.suggested_reply ?? '',
  }
}
