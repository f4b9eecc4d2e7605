import { refuseIgnored } from 'renown'
import { eachPage, type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { originalOf } from '../analysis/translation'
import { platformOf } from '../reply/whyNoReply'
import { type ListedReview, listReviews } from './listReviews'
import { locationNames, stateOf } from './loadReviews'
import { readFilters } from './review-filters'

/** Rows that are read at once. */
const size = 500

/** Returns all reviews that the filters select, in the order of the list, with their whole text. */
export async function downloadReviews(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  const { asked } = refuseIgnored(readFilters(query))
  const names = new Map(await locationNames(ctx))
  const pages = eachPage((after) => listReviews(ctx, { ...asked, all: true, after }, size))
  const lineOf = (row: ListedReview) => [
    row.id,
    row.review_created_at ?? null,
    platformOf(ctx.system, row.source).label,
    names.get(row.location_id) ?? row.location_id,
    row.star_rating ?? null,
    row.reviewer_name ?? null,
    row.review_language ?? null,
    stateOf(row),
    originalOf(row.review_text),
  ]
  return {
    columns: fileColumns({
      id: null,
      written_at: 'instant',
      platform: null,
      location: null,
      stars: 'number',
      by: null,
      language: null,
      state: null,
      text: null,
    }),
    rows: (async function* () {
      for await (const { rows } of pages) yield* rows.map(lineOf)
    })(),
  }
}
