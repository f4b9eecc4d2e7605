import { refuseIgnored } from 'renown'
import { eachPage, type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { readBoardFilters } from './board-filters'
import { listLeads } from './list-leads'
import type { ShownCard } from './shown-card'

/** Rows that are read at once. */
const size = 200

/**
 * Returns all leads that the filters select, newest first, with the words of the list. A lead without a quote says why,
 * such as that the terms of its source removed the text.
 */
export async function downloadLeads(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  const { asked } = refuseIgnored(readBoardFilters(query))
  const missing = new Map<string, number>()
  const pages = eachPage(async (after) => {
    const { lines, next } = await listLeads(ctx, { ...asked, after }, size)
    return { rows: lines, next }
  })
  const lineOf = (card: ShownCard) => {
    if (card.missing !== null) missing.set(card.missing, (missing.get(card.missing) ?? 0) + 1)
    return [
      card.id,
      card.stage,
      card.created_at,
      card.posted_at,
      card.channel,
      card.location,
      card.who,
      card.score,
      card.reason,
      card.next_step,
      card.due_at,
      card.assigned_to,
      card.is_seen,
      card.quote,
      card.attribution,
      card.missing,
    ]
  }
  return {
    columns: fileColumns({
      id: null,
      stage: null,
      created_at: 'instant',
      posted_at: 'instant',
      source: null,
      location: null,
      who: null,
      intent_score: 'number',
      reason: null,
      next_step: null,
      due_at: 'instant',
      assigned_to: null,
      seen: null,
      text: null,
      attribution: null,
      no_text_because: null,
    }),
    rows: (async function* () {
      for await (const { rows } of pages) yield* rows.map(lineOf)
    })(),
    notes: () => [...missing].map(([why, count]) => `${count.toLocaleString('en')} without a text: ${why}`),
  }
}
