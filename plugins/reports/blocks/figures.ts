import type { Rate } from 'renown'
import { countsDiffer, differs, meanOf, meansDiffer, type StarCounts } from 'renown/statistics'
import type { Figure } from './block'

type Given = Pick<Figure, 'id' | 'label' | 'better' | 'evidence'>

/** Makes the figure of a rate, with its interval and its definition. The rate of no trials is unknown. */
export const rateFigure = (given: Given, now: Rate, before?: Rate): Figure => ({
  ...known(given),
  value: now.rate,
  unit: 'share',
  n: now.n,
  definition: now.definition,
  ...(now.rate === null ? { unknown_because: 'there were none in this period' } : {}),
  ...(now.ci95 ? { interval: { low: now.ci95[0] ?? 0, high: now.ci95[1] ?? 0 } } : {}),
  ...(before === undefined || before.rate === null ? {} : { previous: before.rate }),
  ...judged(before === undefined ? null : differs(now, before)),
})

/** Makes the figure of a count of independent events, such as reviews. */
export const countFigure = (
  given: Given & Pick<Figure, 'definition'>,
  now: number,
  before?: number,
): Figure => ({
  ...plainCountFigure(given, now, before),
  ...judged(before === undefined ? null : countsDiffer(now, before)),
})

/** Makes the figure of a count whose change is not judged: own acts, or events that come in groups, such as hits. */
export const plainCountFigure = (
  given: Given & Pick<Figure, 'definition'>,
  now: number,
  before?: number,
): Figure => ({
  ...known(given),
  value: now,
  unit: 'count',
  definition: given.definition,
  ...(before === undefined ? {} : { previous: before }),
})

/** Makes the figure of the mean of stars, with its interval. */
export function ratingFigure(
  given: Given & Pick<Figure, 'definition'>,
  stars: StarCounts,
  before?: StarCounts,
): Figure {
  const now = meanOf(stars)
  const earlier = before && meanOf(before)
  return {
    ...known(given),
    value: now.mean,
    unit: 'rating',
    n: now.n,
    definition: given.definition,
    ...(now.mean === null ? { unknown_because: 'nobody gave stars in this period' } : {}),
    ...(now.interval === null ? {} : { interval: now.interval }),
    ...(earlier === undefined || earlier.mean === null ? {} : { previous: earlier.mean }),
    ...judged(earlier === undefined ? null : meansDiffer(now, earlier)),
  }
}

const judged = (is_significant: boolean | null) => (is_significant === null ? {} : { is_significant })

const known = ({ id, label, better, evidence }: Given) => ({
  id,
  label,
  ...(better === undefined ? {} : { better }),
  ...(evidence === undefined ? {} : { evidence }),
})
