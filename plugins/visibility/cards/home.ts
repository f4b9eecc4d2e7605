import { periodOf, todayOf, where } from 'renown'
import type { HomeCard, HomeCardContent, HomeChange, HomeNews, PageContext } from 'renown/pages'
import { type Difference, differenceWords, formatCount, formatNumber, formatPeriod } from 'renown/web'
import { visibilityEngine } from '../engines/engine'
import { emptyWords } from '../pages/empty-words'
import { intervalWords, percent } from '../pages/rate-words'
import { VisibilityRun } from '../records/VisibilityRun'
import { readBothPeriods } from '../sums/both-periods'
import { emptiness } from '../sums/emptiness'
import { basketOf } from '../sums/rounds'
import { answered } from '../sums/scope'
import { spanOf, trackedBy } from '../sums/tracked'
import { trendOf } from '../sums/trend'

/** Days of the figure. The page shows the same days. */
const days = 28

/** How often AI assistants name the businesses of a workspace. */
export const visibilityCard: HomeCard = {
  name: 'visibility',
  title: 'Named by AI',
  href: '/app/visibility',
  link: 'AI visibility',
  order: 25,
  async load(ctx) {
    const tracked = await trackedBy(ctx, {})
    if (tracked.trackers.length === 0) return beforeTracking(ctx)
    const { period, previous } = periodOf({}, { today: todayOf(ctx), days })
    const cells = await readBothPeriods(ctx, tracked, period, previous)
    const { rate, ci95, n } = cells.all.mention_rate_v2
    const shownPeriod = formatPeriod(period)
    if (rate === null || ci95 === null) {
      const { empty_because } = await emptiness(ctx, tracked, period, 0)
      const text =
        empty_because === 'not_judged' ? emptyWords.not_judged.why : 'No answers of assistants yet.'
      return { text, state: 'info', figure: '–', period: shownPeriod }
    }
    const { shift } = basketOf(cells.now)
    const span = spanOf(tracked, period, cells.incidents)
    const points = await trendOf(ctx, span, period, { open: cells.open, shift })
    const known = points.flatMap((point) => (point.rate === null ? [] : [point.rate]))
    return {
      figure: percent(rate),
      period: shownPeriod,
      state: 'info',
      text: `${intervalWords(ci95)}, from ${formatCount(n, 'answer')}.`,
      change: homeChange(cells.all.change),
      definition:
        'Answers of AI assistants that name you, with the 95 % interval. Each prompt, assistant and country has the same weight, and prompts that name you are left out. The change compares only what the 28 days before have too.',
      series: {
        values: points.map((point) => point.rate),
        label: `Share of answers that name you, by week: from ${percent(known[0] ?? 0)} to ${percent(known.at(-1) ?? 0)}. Weeks without answers are gaps.`,
      },
    } satisfies HomeCardContent
  },
  news: visibilityNews,
}

/** The change of a rate, as cards show it. */
export function homeChange(change: Difference): HomeChange {
  const { text, tone } = differenceWords(change)
  return { text, tone }
}

/** One step for owners where an assistant is set up and nothing is asked. */
function beforeTracking(ctx: PageContext): HomeCardContent | null {
  const engines = ctx.system.extensions(visibilityEngine).filter(({ provider }) => provider !== 'recorded')
  const isReady = engines.some((engine) => engine.needs(ctx.system).length === 0)
  if (!isReady || ctx.person.role !== 'owner' || ctx.isDemo) return null
  return {
    title: 'Track what AI assistants say',
    text: 'Renown asks them the questions of your customers. You see the cost before it asks.',
    href: '/app/visibility/setup',
    state: 'todo',
  }
}

/** Answers since then, and how many name the business. */
async function visibilityNews(ctx: PageContext, since: string): Promise<readonly HomeNews[]> {
  const groups = await ctx.rows(VisibilityRun).group({
    where: where.and(answered, where.gt('started_at', since)),
    by: ['brand_mentioned'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const sum = (rows: typeof groups) => rows.reduce((total, { n }) => total + Number(n), 0)
  const all = sum(groups)
  if (all === 0) return []
  const naming = sum(groups.filter(({ brand_mentioned }) => brand_mentioned === true))
  const text = `AI assistants named you in ${formatNumber(naming)} of ${formatCount(all, 'new answer')}`
  return [{ text, href: '/app/visibility/answers' }]
}
