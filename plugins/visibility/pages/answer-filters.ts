import { type IgnoredValue, isDay, oneLine, shiftDay, todayOf, where } from 'renown'
import type { ListChoice, ListFilters, PageContext } from 'renown/pages'
import { isCountry } from '../records/countries'
import { engines } from '../records/engines'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'

const isId = (text: string) => /^\w{1,100}$/.test(text)

/** A value that the cells of a table lead to. */
const fromCell = (accepts: (text: string) => boolean, accepted: string) =>
  ({ kind: 'link', accepts, accepted: () => accepted }) as const

/** The filters of the list of answers. */
export const answerFilters = {
  named: {
    kind: 'views',
    label: 'Which answers',
    options: [
      ['', 'All'],
      ['yes', 'Naming you'],
      ['no', 'Not naming you'],
    ],
  },
  tracker: fromCell(isId, 'Use the id of a tracker.'),
  prompt: fromCell(isId, 'Use the id of a prompt.'),
  engine: fromCell(isId, 'Use the name of an assistant, such as chatgpt.'),
  country: fromCell(isCountry, 'Use a country code, such as GB.'),
  from: fromCell(isDay, 'Use a day such as 2026-03-14.'),
  to: fromCell(isDay, 'Use a day such as 2026-03-14.'),
} as const satisfies ListFilters

/** The values of the filters. Empty: not set. */
export type AnswerFilters = ListChoice<typeof answerFilters>

/** Days that are shown if the address names none. */
const daysByDefault = 28

/** Returns the first and the last day of the list. */
export function answerDays({ from, to }: Pick<AnswerFilters, 'from' | 'to'>, today: string) {
  const last = to || today
  return { from: from || shiftDay(last, 1 - daysByDefault), to: last }
}

const textMax = 100
/** Parameters of every list. */
const common = new Set(['done', 'after', 'at', 'all'])

/**
 * Returns the values that nothing in this workspace can fit: otherwise a mistyped one would look like a question that nobody answered. A
 * removed tracker or prompt is known by its answers.
 */
export async function checkAnswerFilters(
  ctx: PageContext,
  asked: AnswerFilters,
  query: URLSearchParams,
): Promise<readonly IgnoredValue[]> {
  const runs = ctx.rows(VisibilityRun)
  const hasRuns = async (name: string, value: string) =>
    (await runs.list({ where: where.eq(name, value), limit: 1, fields: ['started_at'] })).length > 0
  const { tracker, prompt, engine, from, to } = asked
  const [isTracker, isPrompt, isEngine] = await Promise.all([
    tracker === '' ||
      (await ctx.rows(VisibilityTracker).get(tracker)) !== null ||
      hasRuns('tracker_id', tracker),
    prompt === '' || (await ctx.rows(VisibilityPrompt).get(prompt)) !== null || hasRuns('prompt_id', prompt),
    engine === '' || engines.some((one) => one === engine) || hasRuns('engine', engine),
  ])
  const today = todayOf(ctx)
  const last = to === '' || to > today ? today : to
  const known = [
    { isKnown: isTracker, name: 'tracker', accepted: 'Use the id of a tracker of this workspace.' },
    { isKnown: isPrompt, name: 'prompt', accepted: 'Use the id of a prompt of this workspace.' },
    { isKnown: isEngine, name: 'engine', accepted: `Use one of ${engines.join(', ')}.` },
    { isKnown: to <= today, name: 'to', accepted: `Use a day until ${today}, written as ${today}.` },
    { isKnown: from <= last, name: 'from', accepted: `Use a day until ${last}, written as ${last}.` },
  ] as const
  const names = Object.keys(answerFilters)
  const others = [...new Set(query.keys())].filter((name) => !names.includes(name) && !common.has(name))
  return [
    ...known
      .filter(({ isKnown }) => !isKnown)
      .map(({ name, accepted }) => ({ name, value: asked[name], accepted })),
    ...others.map((name) => ({
      name: oneLine(name, textMax),
      value: oneLine(query.get(name) ?? '', textMax),
      accepted: `This page has no such filter. Use ${names.join(', ')}.`,
    })),
  ]
}
