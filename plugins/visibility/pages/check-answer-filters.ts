import { type IgnoredValue, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { engines } from '../records/engines'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import type { AnswerFilters } from './answer-filters'

type Read = { readonly filters: AnswerFilters; readonly ignored: readonly IgnoredValue[] }

/**
 * Leaves out trackers, prompts and engines that this workspace does not have, and names them. Otherwise a mistyped
 * value would look like a question that nobody answered. A removed tracker or prompt is known by its answers.
 */
export async function withoutUnknown(ctx: PageContext, { filters, ignored }: Read): Promise<Read> {
  const runs = ctx.rows(VisibilityRun)
  const hasRuns = async (name: string, value: string) =>
    (await runs.list({ where: where.eq(name, value), limit: 1, fields: ['started_at'] })).length > 0
  const { tracker, prompt, engine } = filters
  const [isTracker, isPrompt, isEngine] = await Promise.all([
    tracker === '' ||
      (await ctx.rows(VisibilityTracker).get(tracker)) !== null ||
      hasRuns('tracker_id', tracker),
    prompt === '' || (await ctx.rows(VisibilityPrompt).get(prompt)) !== null || hasRuns('prompt_id', prompt),
    engine === '' || engines.some((one) => one === engine) || hasRuns('engine', engine),
  ])
  const unknown = [
    { isKnown: isTracker, name: 'tracker', accepted: 'Use the id of a tracker of this workspace.' },
    { isKnown: isPrompt, name: 'prompt', accepted: 'Use the id of a prompt of this workspace.' },
    { isKnown: isEngine, name: 'engine', accepted: `Use one of ${engines.join(', ')}.` },
  ] as const
  const wrong = unknown.filter(({ isKnown }) => !isKnown)
  return {
    filters: { ...filters, ...Object.fromEntries(wrong.map(({ name }) => [name, ''])) },
    ignored: [...ignored, ...wrong.map(({ name, accepted }) => ({ name, value: filters[name], accepted }))],
  }
}
