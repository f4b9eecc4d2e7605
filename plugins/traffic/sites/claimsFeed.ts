import { dayMs, type FeedDeclaration, nullIfConflict, type OwnerContext, where } from 'renown'
import { type ClaimsFeed, claimsMax } from 'renown/traffic'
import * as v from 'valibot'
import { BatchClaim } from '../records/BatchClaim'

const word = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/))
const query = v.strictObject({ segment: word, ids: v.pipe(v.array(word), v.maxLength(claimsMax)) })

/** Longer than the seven days within which a sender may repeat hits. */
const keptMs = 8 * dayMs
/** Rows that are looked up and written at once. */
const chunk = 200
/** A placeholder, because claims belong to no workspace. */
const nobody = 'ingest'

/** Returns which batches of a segment are counted by other segments. All others belong to this segment. */
export const claimsFeed: FeedDeclaration<typeof query> = {
  summary: "Which of a segment's batches another ingest process counts",
  takes: query,
  async run(ctx, { segment, ids }): Promise<ClaimsFeed> {
    const taken: string[] = []
    for (let from = 0; from < ids.length; from += chunk) {
      taken.push(...(await claim(ctx, segment, [...new Set(ids.slice(from, from + chunk))])))
    }
    return { taken }
  },
}

/** The process that inserts the row first gets the batch. The store accepts only one. */
async function claim(ctx: OwnerContext, segment: string, ids: readonly string[]): Promise<string[]> {
  const rows = ctx.rows(BatchClaim)
  const expires_at = new Date(ctx.now().getTime() + keptMs).toISOString()
  for (;;) {
    const known = await rows.list({
      where: where.in('id', ids.map(idOf)),
      sort: [{ field: 'id', direction: 'asc' }],
      limit: ids.length,
    })
    const holders = new Map(known.map((row) => [row.id, row.segment]))
    const free = ids.filter((id) => !holders.has(idOf(id)))
    const inserted = await rows
      .insertMany(free.map((id) => ({ id: idOf(id), workspace_id: nobody, segment, expires_at })))
      .catch(nullIfConflict)
    // Null if somebody was quicker with one of them. The next round shows with which.
    if (inserted !== null) return ids.filter((id) => (holders.get(idOf(id)) ?? segment) !== segment)
  }
}

const idOf = (batch: string) => `clm_${batch}`
