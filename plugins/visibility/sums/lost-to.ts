import { defineRate, type ReadContext } from 'renown'
import * as v from 'valibot'
import { lostNames } from './named-sums'
import type { RunSpan } from './run-span'

const lostTo = defineRate(
  'visibility.lost_to@1',
  'Share of answers with this competitor, among answers without the brand',
)

/** Most competitors of one prompt. */
const competitorsMax = 10
/** Most answers that are read from documents for one call. */
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

/**
 * Returns which competitors are named in the answers that do not name the brand, by prompt. `unnamed` has the number of
 * these answers by prompt. Null for too many answers.
 */
export async function lostByPrompt(
  ctx: ReadContext,
  span: RunSpan,
  unnamed: ReadonlyMap<string, number>,
): Promise<Map<string, LostTo> | null> {
  if (unnamed.size === 0) return new Map()
  const answers = [...unnamed.values()].reduce((sum, one) => sum + one, 0)
  if (!span.sealed && answers > answersMax) return null
  const found = await lostNames(ctx, span, [...unnamed.keys()])
  return new Map(
    [...found].map(([id, names]) => [
      id,
      [...names]
        .sort(([a, k], [b, l]) => l - k || (a < b ? -1 : 1))
        .slice(0, competitorsMax)
        .map(([name, k]) => ({ name, lost: lostTo.of(k, unnamed.get(id) ?? 0) })),
    ]),
  )
}
