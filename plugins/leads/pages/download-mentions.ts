import { refuseIgnored } from 'renown'
import { eachPage, type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { BrandTracker } from '../records/BrandTracker'
import { cleanText } from '../sources/plain-text'
import { countCopies } from './count-copies'
import { type ListedMention, listMentions } from './list-mentions'
import { readFilters } from './mention-filters'
import { sourceNote } from './policy-words'
import { removedBy, removedNotes } from './removed-notes'

/** Rows that are read at once. */
const size = 200
const trackersMax = 500
const textMax = 20_000

/**
 * Returns all mentions that the filters select, in the order of the list. A mention without a text says which rule of
 * its source removed it, and the notes count them.
 */
export async function downloadMentions(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  const { asked } = refuseIgnored(readFilters(query))
  const trackers = await ctx.rows(BrandTracker).list({ limit: trackersMax, fields: ['name'] })
  const names = new Map(trackers.map(({ id, name }) => [id, name]))
  const removed = new Map<string, number>()
  const pages = eachPage((after) => listMentions(ctx, { ...asked, all: '1', after }, size))
  const lineOf = (row: ListedMention, copies: number) => {
    const rule = removedBy(row)
    if (rule !== null) removed.set(rule, (removed.get(rule) ?? 0) + 1)
    const text = cleanText([row.title, row.body || row.excerpt].filter(Boolean).join(' — '), textMax)
    return [
      row.id,
      row.posted_at ?? null,
      row.source,
      names.get(row.tracker_id) ?? '',
      cleanText(row.author.name ?? row.author.handle, 80),
      row.language,
      row.status,
      row.relevance ?? null,
      row.sentiment ?? null,
      copies,
      text,
      row.url,
      sourceNote(ctx.system, row).attribution,
      rule,
    ]
  }
  return {
    columns: fileColumns({
      id: null,
      posted_at: 'instant',
      source: null,
      tracker: null,
      by: null,
      language: null,
      state: null,
      relevance: null,
      sentiment: null,
      copies: 'count',
      text: null,
      url: null,
      attribution: null,
      removed_by_rule: null,
    }),
    rows: (async function* () {
      for await (const { rows } of pages) {
        const copies = await countCopies(
          ctx,
          rows.map(({ id }) => id),
        )
        yield* rows.map((row) => lineOf(row, copies.get(row.id) ?? 0))
      }
    })(),
    notes: () => removedNotes(removed),
  }
}
