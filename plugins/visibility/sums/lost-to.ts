import { defineRate, type ReadContext, type Where, where } from 'renown'
import * as v from 'valibot'
import { VisibilityRun } from '../records/VisibilityRun'
import { answered } from './scope'

const lostTo = defineRate(
  'visibility.lost_to@1',
  'Share of answers with this competitor, among answers without the brand',
)

/** Most competitors of one prompt. */
const competitorsMax = 10
/** Most answers that are read for one call. */
const answersMax = 20_000

/** The output field of competitors that were named where the brand was not. */
export const lostToField = v.nullable(
  v.pipe(
    v.array(v.object({ name: v.pipe(v.string(), v.description('Competitor')), lost: lostTo.schema })),
    v.description(
      `Competitors that answers name instead of the brand, the most named first, at most ${competitorsMax}. Null if more than ${answersMax.toLocaleString('en')} answers would have to be read: ask for fewer prompts or days`,
    ),
  ),
)

type LostTo = { name: string; lost: ReturnType<typeof lostTo.of> }[]

/** Returns which competitors are named in the answers that do not name the brand, by prompt. Null for too many answers. */
export async function lostByPrompt(
  ctx: ReadContext,
  matching: Where,
  prompts: readonly string[],
): Promise<Map<string, LostTo> | null> {
  if (prompts.length === 0) return new Map()
  const lost = where.and(
    matching,
    answered,
    where.eq('brand_mentioned', false),
    where.in('prompt_id', prompts),
  )
  const rows = ctx.rows(VisibilityRun)
  if ((await rows.count(lost)) > answersMax) return null
  const tallies = new Map(prompts.map((id) => [id, { answers: 0, names: new Map<string, number>() }]))
  for await (const run of rows.each({ where: lost, fields: ['prompt_id', 'competitor_mentions'] })) {
    const tally = tallies.get(run.prompt_id)
    if (!tally) continue
    tally.answers++
    for (const name of new Set(run.competitor_mentions.map((one) => one.name)))
      tally.names.set(name, (tally.names.get(name) ?? 0) + 1)
  }
  return new Map(
    [...tallies].map(([id, { answers, names }]) => [
      id,
      [...names]
        .sort(([a, k], [b, l]) => l - k || (a < b ? -1 : 1))
        .slice(0, competitorsMax)
        .map(([name, k]) => ({ name, lost: lostTo.of(k, answers) })),
    ]),
  )
}
