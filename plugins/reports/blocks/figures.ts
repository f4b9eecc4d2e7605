import type { Rate } from 'renown'
import type { Figure } from './block'

type Given = Pick<Figure, 'id' | 'label' | 'better' | 'evidence'>

/** Makes the figure of a rate, with its interval and its definition. The rate of no trials is unknown. */
export const rateFigure = (given: Given, now: Rate, before?: Rate): Figure => ({
  ...known(given),
  ...{ value: now.rate, unit: 'share', n: now.n, definition: now.definition },
  ...(now.rate === null ? { unknown_because: 'there were none in this period' } : {}),
  ...(now.ci95 ? { interval: { low: now.ci95[0] ?? 0, high: now.ci95[1] ?? 0 } } : {}),
  ...(before === undefined || before.rate === null ? {} : { previous: before.rate }),
})

/** Makes the figure of a count. */
export const countFigure = (
  given: Given & Pick<Figure, 'definition'>,
  now: number,
  before?: number,
): Figure => ({
  ...known(given),
  ...{ value: now, unit: 'count', definition: given.definition },
  ...(before === undefined ? {} : { previous: before }),
})

const known = ({ id, label, better, evidence }: Given) => ({
  ...{ id, label },
  ...(better === undefined ? {} : { better }),
  ...(evidence === undefined ? {} : { evidence }),
})
