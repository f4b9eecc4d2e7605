import { type DemoBusiness, type DemoWorld, daysBetween, shiftDay, wilson } from 'renown'

/** How many answers of AI assistants a month of the demo has. */
export const monthlyAnswers = 240

/** What happened to a business of the demo in one month. Every figure of its reports is calculated from it. */
export type DemoMonth = ReturnType<typeof demoMonth>

/** Returns what happened in a month. The same month is the same in the report about it and in the one after it. */
export function demoMonth(world: DemoWorld, business: DemoBusiness, start: string, end: string) {
  const random = world.random(`report month ${business.key} ${start}`)
  const { quality, reviewsPerMonth } = business
  const length = daysBetween(start, end) + 1
  const days = Array.from({ length }, (_, n) => shiftDay(start, n))
  const best = Math.round(reviewsPerMonth * quality * (0.8 + random.next() * 0.4)) + 2
  /** Reviews with 5, 4, 3, 2 and 1 stars. */
  const stars = [best, random.integer(1, 4), random.integer(0, 2), random.integer(1, 2), random.integer(0, 2)]
  const reviews = sumOf(stars)
  const forum = random.integer(4, 14)
  const reddit = random.integer(2, 8)
  const traffic = days.map((from) => ({
    from,
    crawler_hits: random.integer(20, 80),
    referral_visits: random.integer(0, 6),
  }))
  /** Answers by week, and those that name the business. */
  const named = spread(monthlyAnswers, weeksOf(days)).map(({ from, count: answers }) => ({
    from,
    answers,
    named: Math.round(answers * (0.2 + random.next() * 0.15)),
  }))
  return {
    start,
    end,
    stars,
    reviews,
    replied: Math.round(reviews * (0.5 + random.next() * 0.5)),
    median_hours: random.integer(2, 40),
    forum,
    reddit,
    negative: random.integer(1, 3),
    leads: random.integer(2, 6),
    mention_replies: random.integer(1, 4),
    published: random.integer(3, 6),
    reviewsByWeek: spread(reviews, weeksOf(days)),
    traffic,
    named,
    competitors: [random.integer(40, 80), random.integer(10, 30)] as const,
  }
}

/** Returns the sum of some numbers. */
export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** Returns the first days of the weeks, and the share of the days that each has. The shares add up to 1. */
const weeksOf = (days: readonly string[]) =>
  days.flatMap((from, place) =>
    place % 7 === 0 ? [{ from, share: Math.min(7, days.length - place) / days.length }] : [],
  )

/** Spreads a count over weeks. The parts add up to it. */
function spread(count: number, weeks: readonly { readonly from: string; readonly share: number }[]) {
  let passed = 0
  let given = 0
  return weeks.map(({ from, share }) => {
    passed += share
    const part = Math.round(count * passed) - given
    given += part
    return { from, count: part }
  })
}

/** A month of the demo, and the one before it. */
export interface TwoMonths {
  readonly now: DemoMonth
  readonly before: DemoMonth
}

/** Returns a rate as sections freeze it. */
export const rateOf = (definition: string, k: number, n: number) => ({
  definition,
  k,
  n,
  rate: n === 0 ? null : k / n,
  ci95: wilson(k, n),
})

/** The number of days of a month. */
export const daysOf = ({ start, end }: DemoMonth): number => daysBetween(start, end) + 1
