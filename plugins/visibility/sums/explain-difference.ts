import { field, type ReadContext, where } from 'renown'
import * as v from 'valibot'
import { VisibilityRun } from '../records/VisibilityRun'
import type { RuledValue } from '../rulers/evaluate'
import { isCounted, type Rule, type RulePart, type StoredAnswer, scoreOf } from '../rulers/rule'
import type { VisibilityRuler } from '../rulers/ruler'
import { differenceOf, type Step, waterfall } from '../rulers/waterfall'
import type { StoredAnswers } from './stored-answers'

const score = (description: string) =>
  v.pipe(
    v.nullable(
      v.object({
        k: field.integer('What it adds to k', { min: 0 }),
        n: field.integer('What it adds to n', { min: 0 }),
      }),
    ),
    v.description(description),
  )

/** The output field of answers that show what a step does. */
export const exampleSchema = v.pipe(
  v.array(
    v.object({
      run_id: field.code('Run with the answer. getAnswer returns it in full'),
      question: v.nullable(field.text('Text of the prompt. Null if the prompt was removed')),
      engine: field.code('Answer engine'),
      country: field.code('Country it was asked from'),
      at: field.instant('When it was asked'),
      stance: v.nullable(
        field.code('How the answer speaks of the brand. Null where it does not have the name'),
      ),
      evidence: v.nullable(field.text('The clause of the answer that shows it')),
      before: score('How it counts before the step. Null: left out'),
      after: score('How it counts after the step. Null: left out'),
    }),
  ),
  v.description('At most five answers that the step counts otherwise'),
)

/** Returns the difference of two rulers on the same answers, step by step. */
export async function comparisonOf(
  ctx: ReadContext,
  from: VisibilityRuler,
  to: VisibilityRuler,
  stored: StoredAnswers,
) {
  const steps = waterfall(from.rule, to.rule, stored.answers)
  const first = steps[0]?.before ?? null
  const last = steps.at(-1)?.after ?? null
  const evidence = await evidenceOf(ctx, steps)
  const shown = steps.map((step, place) => ({
    kind: step.kind,
    parts: [...step.parts],
    says: says(step),
    answers: step.answers,
    before: figureOf(definitionOf(from, to, steps.slice(0, place)), step.before),
    after: figureOf(definitionOf(from, to, steps.slice(0, place + 1), steps.length), step.after),
    difference: step.difference,
    examples: step.examples.map((answer) => ({
      ...exampleOf(answer, stored, evidence),
      before: scored(step.rules[0], answer),
      after: scored(step.rules[1], answer),
    })),
  }))
  return {
    from: from.definition,
    to: to.definition,
    difference: steps.length === 0 ? 0 : differenceOf(last?.value ?? null, first?.value ?? null),
    steps: shown.filter(({ answers }) => answers > 0),
    without_effect: shown.filter(({ answers }) => answers === 0).flatMap(({ parts }) => parts),
  }
}

/** Returns a value with its definition, as an answer has it. */
export const figureOf = (definition: string, { ci95, ...value }: RuledValue) => ({
  definition,
  ...value,
  ci95: ci95 && [...ci95],
})

/** A value between two definitions is the first one, with some parts as in the second. */
function definitionOf(
  from: VisibilityRuler,
  to: VisibilityRuler,
  done: readonly Step[],
  all?: number,
): string {
  const parts = done.flatMap((step) => step.parts)
  if (done.length === all) return to.definition
  return parts.length === 0
    ? from.definition
    : `${from.definition} with ${parts.join(', ')} as in ${to.definition}`
}

const scored = (rule: Rule, answer: StoredAnswer) => (isCounted(rule, answer) ? scoreOf(rule, answer) : null)

type Evidence = ReadonlyMap<string, { readonly stance: string | null; readonly evidence: string | null }>

async function evidenceOf(ctx: ReadContext, steps: readonly Step[]): Promise<Evidence> {
  const ids = [...new Set(steps.flatMap(({ examples }) => examples.map(({ id }) => id)))]
  if (ids.length === 0) return new Map()
  const fields = ['stance', 'stance_evidence'] as const
  const runs = await ctx.rows(VisibilityRun).list({ where: where.in('id', ids), fields, limit: ids.length })
  return new Map(
    runs.map((run) => [run.id, { stance: run.stance ?? null, evidence: run.stance_evidence ?? null }]),
  )
}

function exampleOf({ id, at }: StoredAnswer, { runs, questions }: StoredAnswers, evidence: Evidence) {
  const run = runs.get(id)
  return {
    run_id: id,
    question: questions.get(run?.prompt_id ?? '') ?? null,
    engine: run?.engine ?? '',
    country: run?.country ?? '',
    at,
    ...(evidence.get(id) ?? { stance: null, evidence: null }),
  }
}

/** The step in a sentence. */
function says({ parts, rules: [, after] }: Step): string {
  return parts.map((part) => sentences[part][after[part] as never]).join(' ')
}

const sentences: { readonly [P in RulePart]: Readonly<Record<Rule[P], string>> } = {
  unanswered: {
    left_out: 'Runs without an answer are left out.',
    counted_as_no: 'Runs without an answer count as answers that do not name the brand.',
  },
  removed_prompts: {
    counted: 'Answers to prompts that were removed since are counted.',
    left_out: 'Answers to prompts that were removed since are left out.',
  },
  branded_prompts: {
    counted: 'Answers to prompts that name the brand are counted. Most of them name it too.',
    left_out: 'Answers to prompts that name the brand are left out, because most of them name it too.',
  },
  incidents: {
    counted: 'Days on which an engine answered much less often than usual are counted.',
    left_out: 'Days on which an engine answered much less often than usual are left out.',
  },
  mention: {
    meant:
      'The name counts only where the answer means the brand: not where the engine says that it does not know it, or means another business.',
    named:
      'Every occurrence of the name counts, also where the engine says that it does not know the brand, or means another business.',
  },
  counts: {
    mentions: 'Mentions of the brand are counted.',
    citations: "Citations of the brand's own site are counted, not mentions.",
    places: 'The place among the names is counted.',
  },
  repeats: {
    once_per_answer: 'Several mentions in one answer count once.',
    each_time: 'Several mentions in one answer count each time.',
  },
  share_of: {
    answers: 'The share is of all answers.',
    namings: 'The share is of all mentions of the brand and of tracked competitors, not of all answers.',
  },
  weight: {
    answer: 'Each answer has the same weight, so a prompt that was asked more often counts more.',
    cell: 'Each prompt, engine and country has the same weight, however often it was asked.',
    prompt: 'A prompt counts as soon as any of its answers does. More answers can only raise the value.',
  },
}
