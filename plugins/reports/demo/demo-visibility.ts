import type { DemoBusiness } from 'renown'
import { differenceInterval, differs } from 'renown/statistics'
import { type DemoMonth, daysOf, rateOf, sumOf, type TwoMonths } from './demo-month'

const definition = 'visibility.mention_rate@2'
const rivals = ['Riverside & Co', 'Old Mill'] as const

/** Returns the data of a sample report about AI visibility and competitors. */
export const demoVisibility = (business: DemoBusiness, months: TwoMonths) => ({
  visibility: visibilityOf(business, months),
  competitors: competitorsOf(business, months),
})

const answersOf = ({ named }: DemoMonth) => sumOf(named.map(({ answers }) => answers))
const namedOf = ({ named }: DemoMonth) => sumOf(named.map(({ named: count }) => count))

/** Returns a mention rate and its change. `part` returns a part of a count, such as that of one assistant. */
function measureOf({ now, before }: TwoMonths, part: (count: number) => number = (count) => count) {
  const of = (month: DemoMonth) => ({ k: part(namedOf(month)), n: part(answersOf(month)) })
  const a = of(now)
  const b = of(before)
  const rate = rateOf(definition, a.k, a.n)
  const earlier = rateOf(definition, b.k, b.n)
  return {
    rate,
    effective_n: a.n,
    is_same: true,
    not_comparable_because: null,
    common: { now: rate, before: earlier },
    difference_ci95: differenceInterval(rate, earlier),
    change_significant: differs(rate, earlier),
  }
}

const firstHalf = (count: number) => Math.ceil(count / 2)
const secondHalf = (count: number) => Math.floor(count / 2)

function visibilityOf({ services, name, domain }: DemoBusiness, months: TwoMonths) {
  const { now } = months
  const answers = answersOf(now)
  const prompt = (text: string, rate: number, previous_rate: number) => ({
    text,
    answers: 30,
    rate,
    previous_rate,
    instead: [rivals[0]],
  })
  const lost = prompt(`Where is the best ${services[1] ?? services[0]}?`, 0.1, 0.5)
  const cited = rateOf('visibility.citation_rate@1', Math.round(namedOf(now) / 2), answers)
  const source = (of: string, is_own: boolean, k: number) => ({
    domain: of,
    is_own,
    citations: k,
    cited: rateOf('visibility.cited_share@1', k, answers),
  })
  return {
    answers,
    failed: 2,
    empty_because: null,
    days: daysOf(now),
    compared: 6,
    total: measureOf(months),
    cited,
    by_engine: [
      { engine: 'ChatGPT', answers: firstHalf(answers), ...measureOf(months, firstHalf) },
      { engine: 'Claude', answers: secondHalf(answers), ...measureOf(months, secondHalf) },
    ],
    by_tracker: [{ name, brand: name, answers, ...measureOf(months) }],
    more_trackers: 0,
    trend: now.named.map(({ from, answers: n, named: k }) => ({ from, rate: k / n })),
    won: [prompt(`Who offers ${services[0]} near me?`, 0.6, 0.2)],
    lost: [lost],
    weakest: [lost],
    more_prompts: 0,
    sources: [source(domain ?? 'own.example', true, cited.k), source('guide.example', false, 25)].toSorted(
      (a, b) => b.citations - a.citations,
    ),
    more_sources: 3,
    incidents: [],
    more_incidents: 0,
    model_changes: [],
    more_model_changes: 0,
  }
}

function competitorsOf({ name }: DemoBusiness, months: TwoMonths) {
  const { now, before } = months
  const countsOf = (month: DemoMonth) => [namedOf(month), ...month.competitors]
  const counts = countsOf(now)
  const earlier = countsOf(before)
  const voices = [name, ...rivals].map((of, place) => ({
    name: of,
    is_brand: place === 0,
    avg_position: 1.5 + place / 2,
    positions: counts[place] ?? 0,
    share: rateOf('visibility.share_of_voice@2', counts[place] ?? 0, sumOf(counts)),
    previous_share: rateOf('visibility.share_of_voice@2', earlier[place] ?? 0, sumOf(earlier)),
    presence: rateOf('visibility.presence@2', counts[place] ?? 0, answersOf(now)),
  }))
  return {
    trackers: [
      {
        name,
        brand: name,
        answers: answersOf(now),
        previous_answers: answersOf(before),
        empty_because: null,
        not_comparable_because: null,
        more_voices: 0,
        voices: voices.sort((a, b) => b.share.k - a.share.k),
      },
    ],
    more_trackers: 0,
  }
}
