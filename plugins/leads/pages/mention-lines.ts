import type { PageContext } from 'renown/pages'
import { BrandTracker } from '../records/BrandTracker'
import { cleanText } from '../sources/plain-text'
import { type CopyCount, countCopies } from './count-copies'
import type { ListedMention } from './list-mentions'
import { createMarker, type Marks } from './matched-marks'
import { type SourceNote, sourceNote } from './policy-words'

/** A mention in the list. */
export interface MentionLine {
  readonly id: string
  readonly by: string
  readonly text: string
  readonly marks: Marks
  readonly language: string
  readonly source: ListedMention['source']
  readonly tracker: string
  /** When the post was written. Null if it is not known. */
  readonly at: string | null
  readonly found_at: string
  readonly is_read: boolean
  readonly is_lead: boolean
  readonly has_draft: boolean
  readonly is_removed: boolean
  readonly status: ListedMention['status']
  readonly relevance: NonNullable<ListedMention['relevance']> | null
  readonly sentiment: NonNullable<ListedMention['sentiment']> | null
  readonly copies: number
}

/** What the list says about mentions besides their rows. */
export interface AroundMentions {
  /** The names of trackers by id. */
  readonly names: ReadonlyMap<string, string>
  readonly copies: CopyCount
  noteOf(row: ListedMention): SourceNote
  marksOf: ReturnType<typeof createMarker>
}

const trackersMax = 500
const lineMax = 240

/** Reads what the list says about these mentions. */
export async function aroundMentions(
  ctx: PageContext,
  _: unknown,
  rows: readonly ListedMention[],
): Promise<AroundMentions> {
  const [trackers, copies] = await Promise.all([
    ctx.rows(BrandTracker).list({ limit: trackersMax, fields: ['name'] }),
    countCopies(
      ctx,
      rows.map(({ id }) => id),
    ),
  ])
  return {
    copies,
    names: new Map(trackers.map(({ id, name }) => [id, name])),
    noteOf: (row) => sourceNote(ctx.system, row),
    marksOf: createMarker(),
  }
}

/** Returns what the list shows of a mention. */
export function lineOf(row: ListedMention, { names, copies, marksOf }: AroundMentions): MentionLine {
  const text = cleanText([row.title, row.excerpt || row.body].filter(Boolean).join(' — '), lineMax)
  const line = text.replaceAll('\n', ' ')
  const { body } = marksOf({ ...row, title: undefined, body: line }, row.matched_keywords)
  return {
    id: row.id,
    text: line,
    marks: body,
    language: row.language,
    source: row.source,
    by: cleanText(row.author.name ?? row.author.handle, 80),
    tracker: names.get(row.tracker_id) ?? '',
    at: row.posted_at ?? null,
    found_at: row.created_date,
    status: row.status,
    is_read: row.is_read,
    is_lead: row.is_lead,
    has_draft: row.suggested_reply !== undefined,
    is_removed: row.removal_rule !== undefined || row.removed_at_source_at !== undefined,
    relevance: row.relevance ?? null,
    sentiment: row.sentiment ?? null,
    copies: copies.get(row.id) ?? 0,
  }
}
