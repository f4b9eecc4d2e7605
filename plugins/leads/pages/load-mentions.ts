import { type IgnoredValue, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import { Mention } from '../records/Mention'
import { cleanText } from '../sources/plain-text'
import { type CopyCount, countCopies } from './count-copies'
import { type ListedMention, listMentions } from './list-mentions'
import { loadMention, type ShownMention } from './load-mention'
import { looksOf, type SourceLook } from './look-state'
import { createMarker, type Marks } from './matched-marks'
import { type MentionFilters, readFilters } from './mention-filters'

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

/** A tracker without a mention, and how its sources are read. */
export interface TrackerLook {
  readonly id: string
  readonly name: string
  readonly looks: readonly SourceLook[]
}

type Choices = readonly (readonly [id: string, name: string])[]

/** The data of the page of mentions. */
export interface MentionsData {
  readonly asked: MentionFilters
  readonly ignored: readonly IgnoredValue[]
  readonly lines: readonly MentionLine[]
  /** The cursor of the next page. Null on the last one. */
  readonly next: string | null
  /** Mentions found before this were not searched. Null if all were. */
  readonly searched_since: string | null
  /** Whether the workspace has any mention at all. */
  readonly has_any: boolean
  readonly has_trackers: boolean
  readonly may_change: boolean
  readonly locations: Choices
  readonly trackers: Choices
  readonly mention: ShownMention | null
  /** How the first trackers are doing, while there is no mention. */
  readonly looking: readonly TrackerLook[]
  /** The mention that an action can be undone for. Null if the last action was none. */
  readonly undo: string | null
}

const lineMax = 240
const choicesMax = 500
const lookingMax = 3

/** Loads the data of the page of mentions. */
export async function loadMentions(ctx: PageContext, query: URLSearchParams): Promise<MentionsData> {
  const { asked, ignored } = readFilters(query)
  const [list, mention, trackers, locations] = await Promise.all([
    listMentions(ctx, asked),
    loadMention(ctx, asked.mention),
    ctx.rows(BrandTracker).list({ limit: choicesMax, fields: ['name'] }),
    ctx.rows(BusinessLocation).list({
      where: where.eq('is_prospect', false),
      sort: [{ field: 'id', direction: 'asc' }],
      limit: choicesMax,
      fields: ['business_name'],
    }),
  ])
  const copies = await countCopies(
    ctx,
    list.rows.map(({ id }) => id),
  )
  const names = new Map(trackers.map(({ id, name }) => [id, name]))
  const has_any =
    list.rows.length > 0 || (await ctx.rows(Mention).list({ limit: 1, fields: ['status'] })).length > 0
  return {
    asked,
    ignored,
    next: list.next,
    searched_since: list.searchedSince,
    has_any,
    mention,
    has_trackers: trackers.length > 0,
    may_change: ctx.person.role === 'owner' && !ctx.isDemo,
    lines: linesOf(list.rows, names, copies),
    locations: byName(locations.map(({ id, business_name }) => [id, business_name] as const)),
    trackers: byName(trackers.map(({ id, name }) => [id, name] as const)),
    looking: has_any ? [] : await lookingNow(ctx),
    undo: query.get('undo')?.slice(0, 100) ?? null,
  }
}

async function lookingNow(ctx: PageContext): Promise<TrackerLook[]> {
  const newest = await ctx.rows(BrandTracker).list({
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: choicesMax,
  })
  const trackers = newest.filter(({ is_active }) => is_active).slice(0, lookingMax)
  return Promise.all(
    trackers.map(async (tracker) => ({
      id: tracker.id,
      name: tracker.name,
      looks: await looksOf(ctx, tracker),
    })),
  )
}

const byName = (pairs: Choices): Choices => pairs.toSorted(([, a], [, b]) => a.localeCompare(b))

function linesOf(
  rows: readonly ListedMention[],
  trackers: ReadonlyMap<string, string>,
  copies: CopyCount,
): MentionLine[] {
  const marksOf = createMarker()
  return rows.map((row) => {
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
      tracker: trackers.get(row.tracker_id) ?? '',
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
  })
}
