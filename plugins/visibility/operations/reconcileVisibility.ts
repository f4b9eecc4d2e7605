import {
  defineOperation,
  field,
  ours,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  Refusal,
  todayOf,
} from 'renown'
import { intervalBases } from 'renown/statistics'
import * as v from 'valibot'
import { evaluate } from '../rulers/evaluate'
import { publishedRulers } from '../rulers/published'
import { type Rule, ruleSchema } from '../rulers/rule'
import { type VisibilityRuler, visibilityRuler } from '../rulers/ruler'
import { stepKinds } from '../rulers/waterfall'
import { emptiness, emptyFields } from '../sums/emptiness'
import { comparisonOf, exampleSchema, figureOf } from '../sums/explain-difference'
import { choosing, narrowing } from '../sums/scope'
import { readStoredAnswers } from '../sums/stored-answers'
import { trackedBy } from '../sums/tracked'

const rulersMax = 8
const count = (description: string) => field.integer(description, { min: 0 })
const figure = {
  definition: ours(
    field.text('Definition of the value. In a step: the definition that it starts from, with what changed'),
  ),
  k: count('What is counted. For average places: the sum of the places'),
  n: count('What it is a share of'),
  value: v.nullable(
    field.number('A share from 0 to 1, or an average place from 1. Null where nothing is counted', {
      min: 0,
    }),
  ),
  ci95: v.nullable(
    v.pipe(
      v.array(v.number()),
      v.length(2),
      v.description('95 % interval. Null where the definition has none'),
    ),
  ),
  interval_basis: field.oneOf(
    intervalBases,
    'stratified: from the spread inside cells. pooled: all answers count as one sample. none: no interval is valid for this definition',
  ),
}
const difference = v.nullable(
  field.number(
    'Value after less value before. Null if either is null. Differences of all steps add up exactly to that of the comparison',
  ),
)

/** Explains on the same answers why two definitions give different values. */
export const reconcileVisibility = defineOperation({
  name: 'reconcileVisibility',
  summary:
    'Why two tools show different numbers: values of published definitions on the same answers, and their difference step by step',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    ...periodInput,
    ...choosing,
    ...narrowing,
    rulers: v.pipe(
      v.array(
        field.provided(
          visibilityRuler.id,
          publishedRulers.map(({ definition }) => definition),
          'A published definition',
        ),
      ),
      v.minLength(2),
      v.maxLength(rulersMax),
      v.checkItems((one, place, all) => all.indexOf(one) === place, 'each definition once'),
      v.examples([publishedRulers.slice(0, 2).map(({ definition }) => definition)]),
      v.description('Definitions to compare. The first one is compared with each of the others'),
    ),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    ...emptyFields,
    answers: count('Answers of the period, to which every definition is applied'),
    unanswered: count('Runs that failed, were refused or brought no answer'),
    detection: v.pipe(
      v.array(
        v.object({
          version: field.code('Version of the rules that found the names'),
          answers: count('Answers'),
        }),
      ),
      v.description('Versions of the detection that evaluated these answers'),
    ),
    rulers: v.array(
      v.object({
        ...figure,
        label: ours(field.text('Name of the figure, as its publisher writes it')),
        publisher: ours(field.text('Who publishes the definition')),
        says: ours(field.text('What the publisher says, in other words')),
        source: v.nullable(
          v.object({ url: field.text('Page that says it'), read_on: field.day('Day on which it was read') }),
        ),
        assumptions: ours(field.texts('What the publisher leaves open, and how Renown reads it')),
        rule: ruleSchema,
      }),
    ),
    comparisons: v.array(
      v.object({
        from: field.code('The first definition'),
        to: field.code('The definition that it is compared with'),
        difference,
        steps: v.pipe(
          v.array(
            v.object({
              kind: field.oneOf(stepKinds, 'What the step does to the answers'),
              parts: field.codes('Parts of the rule that change'),
              says: ours(field.text('The step in a sentence')),
              answers: count('Answers that it left out, added, counted or weighted otherwise'),
              before: v.object(figure),
              after: v.object(figure),
              difference,
              examples: exampleSchema,
            }),
          ),
          v.description(
            'Steps that touch an answer, in order. Empty if both definitions count these answers alike',
          ),
        ),
        without_effect: field.codes('Parts in which the rules differ and that touch none of these answers'),
      }),
    ),
  }),
  async run(ctx, { tracker_id, location_id, engine, country, rulers: wanted, ...input }) {
    const { period, previous } = periodOf(input, { today: todayOf(ctx), days: 28 })
    const tracked = await trackedBy(ctx, { tracker_id, location_id, engine, country })
    const rulers = rulersOf(ctx, wanted)
    const hasTimes = rulers.some(({ rule }) => rule.repeats === 'each_time')
    const stored = await readStoredAnswers(ctx, tracked, { period, previous }, hasTimes)
    const [first, ...others] = rulers
    const answered = stored.answers.filter(({ is_answered }) => is_answered).length
    return {
      period,
      ...(await emptiness(ctx, tracked, period, answered)),
      answers: answered,
      unanswered: stored.answers.length - answered,
      detection: [...stored.versions].map(([version, answers]) => ({ version, answers })).sort(byVersion),
      rulers: rulers.map(({ rule, definition, label, publisher, says, source, assumptions }) => ({
        ...figureOf(definition, evaluate(rule, stored.answers)),
        label,
        publisher,
        says,
        source: source && { ...source },
        assumptions: [...assumptions],
        rule: { ...rule },
      })),
      comparisons: first
        ? await Promise.all(others.map((other) => comparisonOf(ctx, first, other, stored)))
        : [],
    }
  },
})

const byVersion = (a: { readonly version: string }, b: { readonly version: string }) =>
  a.version < b.version ? -1 : 1

/** Returns the chosen rulers. Throws for a definition that does not exist, and for shares beside average places. */
function rulersOf(ctx: ReadContext, wanted: readonly string[]): VisibilityRuler[] {
  const all = new Map(ctx.extensions(visibilityRuler).map((ruler) => [ruler.definition, ruler]))
  const rulers = wanted.map((definition, place) => {
    const found = all.get(definition)
    if (found) return found
    throw wrong(place, 'is not a definition', [...all.keys()].sort())
  })
  const isPlace = ({ counts }: Rule) => counts === 'places'
  const odd = rulers.findIndex(({ rule }) => isPlace(rule) !== isPlace(rulers[0]?.rule ?? rule))
  if (odd < 0) return rulers
  const alike = [...all.values()].filter(({ rule }) => isPlace(rule) === isPlace(rulers[0]?.rule ?? rule))
  throw wrong(
    odd,
    'is an average place, and shares cannot be compared with it',
    alike.map(({ definition }) => definition),
  )
}

function wrong(place: number, message: string, allowed: readonly string[]): Refusal {
  return new Refusal('invalid_field', `The field rulers ${message}.`, {
    errors: [{ pointer: `/rulers/${place}`, code: 'invalid', message, allowed: [...allowed] }],
  })
}
