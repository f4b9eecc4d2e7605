/**
 * A world of assistants that answer, for judging the statistics of the product. It shares no code with the product: its
 * own random numbers, its own answers, its own truth.
 */

/** Random numbers of the generator sfc32 by Chris Doty-Humphrey. */
export function dice(seed: number) {
  let a = seed | 0
  let b = 0x9e3779b9
  let c = 0x243f6a88
  let count = 1
  const next = () => {
    const sum = (((a + b) | 0) + count) | 0
    count = (count + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }
  for (let turn = 0; turn < 20; turn++) next()
  /** The polar method of Marsaglia. */
  const bell = (): number => {
    for (;;) {
      const x = 2 * next() - 1
      const y = 2 * next() - 1
      const square = x * x + y * y
      if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square)
    }
  }
  return { next, bell, isTrue: (chance: number) => next() < chance }
}
export type Dice = ReturnType<typeof dice>

const chanceOf = (logit: number) => 1 / (1 + Math.exp(-logit))

/** The logits of cells, as baskets have them. */
export const baskets: Readonly<Record<string, (at: Dice) => number>> = {
  'yes or no': (at) => 4 * at.bell() - 0.6,
  'seldom named': (at) => (at.isTrue(0.85) ? -5.3 : -2.2 + 0.8 * at.bell()),
  middling: (at) => -0.4 + 0.5 * at.bell(),
}

/** How much whole days move the logit: of one assistant, and of all of them at once. */
export interface Weather {
  readonly one: number
  readonly all: number
}
export const weathers: Readonly<Record<string, Weather>> = {
  'no shift': { one: 0, all: 0 },
  'an assistant by .5': { one: 0.5, all: 0 },
  'all by .7': { one: 0, all: 0.7 },
  'both shifts': { one: 0.5, all: 0.7 },
}

/** One answer. */
export interface Said {
  readonly cell: number
  readonly assistant: number
  readonly day: number
  readonly isNamed: boolean
  /** Names of competitors in the answer. */
  readonly rivals: number
  readonly isCited: boolean
}

/** The share of answers that do not come: where the brand is named, and where it is not. */
export interface Loss {
  readonly named: number
  readonly unnamed: number
}
const noLoss: Loss = { named: 0, unnamed: 0 }

const assistants = 5
const rivalLogits = [0.3, -0.5, -1.2]
const citedLogit = -1

/** Makes a tracker: cells whose logits are fixed, asked by five assistants. */
export function makeTracker(at: Dice, cells: number, logitOf: (at: Dice) => number, weather: Weather) {
  const logits = Array.from({ length: cells }, () => logitOf(at))
  // A cell in which the brand is named has fewer competitors, or more.
  const slants = logits.map(() => 0.8 * at.bell())
  return {
    logits,
    /** Asks all cells on some days. From the day `from` on, the logits are higher by `by`. */
    ask(days: number, loss: Loss = noLoss, change = { from: Number.POSITIVE_INFINITY, by: 0 }): Said[] {
      const said: Said[] = []
      for (let day = 0; day < days; day++) {
        const shared = weather.all * at.bell()
        const own = Array.from({ length: assistants }, () => shared + weather.one * at.bell())
        for (const [cell, logit] of logits.entries()) {
          const assistant = cell % assistants
          const moved = (own[assistant] as number) + (day >= change.from ? change.by : 0)
          const isNamed = at.isTrue(chanceOf(logit + moved))
          const rivals = rivalLogits.filter((one) =>
            at.isTrue(chanceOf(one + (slants[cell] as number) - 0.5 * (own[assistant] as number))),
          ).length
          const isCited = at.isTrue(chanceOf(citedLogit + 0.3 * logit + moved))
          if (at.isTrue(isNamed ? loss.named : loss.unnamed)) continue
          said.push({ cell, assistant, day, isNamed, rivals, isCited })
        }
      }
      return said
    },
    /** What the figures are in the long run, over all shifts of days. */
    truth(by = 0) {
      const spread = Math.hypot(weather.one, weather.all)
      const named = logits.map((logit) => meanChance(logit + by, 1, spread))
      const namings = sum(named)
      const rivals = sum(
        slants.map((slant) => sum(rivalLogits.map((one) => meanChance(one + slant, 0.5, spread)))),
      )
      return {
        named: namings / cells,
        voice: namings / (namings + rivals),
        cited: sum(logits.map((logit) => meanChance(citedLogit + 0.3 * logit + by, 1, spread))) / cells,
      }
    },
    /** The logit shift that changes the long-run rate by so much. Null where there is no room. */
    shiftFor(difference: number): number | null {
      const wanted = this.truth().named + difference
      if (wanted < 0.02 || wanted > 0.98) return null
      let low = -25
      let high = 25
      for (let turn = 0; turn < 50; turn++) {
        const middle = (low + high) / 2
        if (this.truth(middle).named < wanted) low = middle
        else high = middle
      }
      return low
    },
  }
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)

/** The mean chance over shifts of days, by 61 steps of the bell curve. */
function meanChance(logit: number, factor: number, spread: number): number {
  if (spread === 0) return chanceOf(logit)
  let total = 0
  let all = 0
  for (let step = -30; step <= 30; step++) {
    const x = step / 7
    const weight = Math.exp((-x * x) / 2)
    total += weight * chanceOf(logit + factor * spread * x)
    all += weight
  }
  return total / all
}
