/** The answers to one prompt by one assistant for one country, in a period. */
export interface Cell {
  /** Identifies the cell in both periods of a comparison. */
  readonly key: string
  /** The assistant that answers, with its country and its tracker. The answers of one day by one assistant move together. */
  readonly series: string
  /** Answers that match, such as those that name the brand. */
  readonly k: number
  /** All answers. */
  readonly n: number
}

/** The mean rate of a set of cells, and its variance if all answers were independent. */
export interface Moments {
  /** Mean of the rates of the cells. All cells have the same weight. */
  readonly mean: number
  /** Variance of that mean, from how much answers differ inside cells. */
  readonly variance: number
  /** Cells with an answer. */
  readonly cells: number
  /** Answers. */
  readonly n: number
  /** Number of answers that count. */
  readonly k: number
  /** The most answers of any cell. With one round a day, this is a number of days. */
  readonly rounds: number
  /** Share of the cells with two or more answers. */
  readonly repeated: number
  /** Sum of the variances of one answer, over the cells with two or more answers. */
  readonly spread: number
  /** Sum of their squares. */
  readonly spreadSquares: number
}

/** Largest variance of one answer. Used for a cell with a single answer. */
const variancePerAnswerMax = 0.25

/** Returns the mean over cells and its variance. Null if no cell has an answer. */
export function momentsOf(cells: Iterable<Cell>): Moments | null {
  const sum = { rates: 0, variances: 0, cells: 0, n: 0, k: 0, rounds: 0, repeated: 0 }
  let spread = 0
  let spreadSquares = 0
  for (const { k, n } of cells) {
    if (n <= 0) continue
    const rate = k / n
    sum.rates += rate
    sum.variances += n > 1 ? (rate * (1 - rate)) / (n - 1) : variancePerAnswerMax
    sum.cells++
    sum.n += n
    sum.k += k
    sum.rounds = Math.max(sum.rounds, n)
    if (n <= 1) continue
    const perAnswer = (rate * (1 - rate) * n) / (n - 1)
    sum.repeated++
    spread += perAnswer
    spreadSquares += perAnswer ** 2
  }
  if (sum.cells === 0) return null
  return {
    mean: sum.rates / sum.cells,
    variance: sum.variances / sum.cells ** 2,
    cells: sum.cells,
    n: sum.n,
    k: sum.k,
    rounds: sum.rounds,
    repeated: sum.repeated / sum.cells,
    spread,
    spreadSquares,
  }
}

/** Returns the cells that both sets have, and the number of cells that only one of them has. */
export function commonBasket<C extends Cell>(now: readonly C[], before: readonly C[]) {
  const answered = (cells: readonly C[]) =>
    new Map(cells.filter(({ n }) => n > 0).map((cell) => [cell.key, cell]))
  const here = answered(now)
  const earlier = answered(before)
  return {
    now: [...here.values()].filter(({ key }) => earlier.has(key)),
    before: [...earlier.values()].filter(({ key }) => here.has(key)),
    came: [...here.keys()].filter((key) => !earlier.has(key)).length,
    left: [...earlier.keys()].filter((key) => !here.has(key)).length,
  }
}
