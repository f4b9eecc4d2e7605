import type { WorkspaceFigureSource } from 'renown/pages'
import { readBothPeriods } from './both-periods'
import type { cellRateOf } from './mention-rate'
import { trackedBy } from './tracked'

/** How often AI assistants name the businesses of each workspace, counted as in getVisibilitySummary. */
export const visibilityFigures: WorkspaceFigureSource = {
  name: 'visibility',
  order: 30,
  figures: [
    {
      name: 'ai_mention_rate',
      unit: 'share',
      definition:
        'Share of answers of AI assistants that name the business (visibility.mention_rate@2). previous: over the cells that both periods have. n: answers.',
      acrossNote: 'Each workspace asks other questions, so a higher rate can come from easier questions.',
    },
  ],
  async read(ctx, { period, previous }) {
    const tracked = await trackedBy(ctx, {})
    if (tracked.trackers.length === 0) return {}
    const { all } = await readBothPeriods(ctx, tracked, period, previous)
    const { mention_rate_v2: rate, change } = all
    return {
      ai_mention_rate: {
        now: { value: rate.rate, n: rate.n },
        before: { value: change.before.rate, n: change.before.n },
        changeNote: changeNoteOf(change, rate),
      },
    }
  },
}

type Rates = ReturnType<typeof cellRateOf>
type Change = Awaited<ReturnType<typeof readBothPeriods>>['all']['change']

/** The rate of this period counts all cells, and the change only those of both periods. */
function changeNoteOf({ change_significant, now, before }: Change, { rate }: Rates): string | undefined {
  if (change_significant === null)
    return 'The periods have no question, assistant, model and country in common with enough answers.'
  if (now.rate === rate) return undefined
  const percent = (one: number | null) => `${((one ?? 0) * 100).toFixed(1)} %`
  return `Questions, assistants or models changed. Over what both periods have: ${percent(before.rate)} before, ${percent(now.rate)} now.`
}
