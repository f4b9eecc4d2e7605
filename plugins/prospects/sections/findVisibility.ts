import { dayMs, type OwnerContext, where } from 'renown'
import { type Prospect, VisibilityRun } from '../records/foreign'
import { citedShare, namedShare } from '../records/rates'
import { type Section, section } from '../records/section'

const method = 'Stored answers of AI assistants about this business, of the last 90 days'
const spanMs = 90 * dayMs
/** Minimum answers for a score. */
const scoredFrom = 5

/** Counts the AI answers that name or cite the business, if there are any. */
export async function findVisibility(ctx: OwnerContext, { id }: Prospect): Promise<Section> {
  const at = ctx.now()
  const since = new Date(at.getTime() - spanMs).toISOString()
  const inside = where.and(
    where.eq('location_id', id),
    where.eq('status', 'ok'),
    where.gte('started_at', since),
  )
  const rows = ctx.rows(VisibilityRun)
  const groups = await rows.group({
    where: inside,
    by: ['engine', 'brand_mentioned', 'brand_cited'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const count = (matching: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(matching).reduce((total, { n }) => total + Number(n), 0)
  const answers = count(() => true)
  if (answers === 0) {
    const reason =
      'No AI assistant has been asked about it in 90 days. Create a visibility tracker for this location to find out.'
    return section({ method, at, facts: null, unknown: [{ what: 'answers', reason }] })
  }
  const [latest] = await rows.list({
    where: inside,
    sort: [{ field: 'started_at', direction: 'desc' }],
    limit: 1,
  })
  const named = namedShare.of(
    count(({ brand_mentioned }) => brand_mentioned === true),
    answers,
  )
  const engines = [...new Set(groups.map(({ engine }) => String(engine)))].sort()
  return section({
    method,
    at,
    facts: {
      since,
      answers,
      named,
      cited: citedShare.of(
        count(({ brand_cited }) => brand_cited === true),
        answers,
      ),
      by_engine: engines.map((engine) => ({
        engine,
        answers: count((group) => group.engine === engine),
        named: count((group) => group.engine === engine && group.brand_mentioned === true),
      })),
      last_answer_at: latest?.started_at,
      definition_version: latest?.definition_version,
    },
    score: answers >= scoredFrom ? 100 * (named.rate ?? 0) : null,
  })
}
