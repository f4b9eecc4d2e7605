/** @jsxImportSource renown/web */
import { Card, type Children, Facts, formatDay, formatNumber, Moment, Table } from 'renown/web'
import { intervalWords, percent } from './rate-words'
import type { Certainty, VisibilityData } from './visibility-data'
import { searchOf } from './visibility-filters'

type Props = { readonly data: VisibilityData }

const dollars = (usd: number) => `$${usd.toFixed(2)}`
const half = (low: number, high: number) => `± ${Math.max(1, Math.round(((high - low) / 2) * 100))} points`

/** How sure the rate is, what it cost, and when the tracker stops. */
export function CertaintyCard({ data: { named, certainty, is_recorded } }: Props) {
  const { rate } = named
  const { costs } = certainty
  const facts: (readonly [string, Children])[] = [
    ['Certainty', rate.ci95 === null ? 'No answers yet' : `${half(...rate.ci95)}, 95 % interval`],
    ['Answers', `${formatNumber(rate.n)}, as precise as ${formatNumber(rate.effective_n)} independent ones`],
    ['Interval', basisWords[rate.interval_basis]],
    ['Failed questions', `${formatNumber(costs.failed)} of ${formatNumber(costs.runs)}. They do not count.`],
    ['Cost of this period', costWords(certainty, is_recorded)],
    ['Cost of this month', monthWords(certainty)],
    ['Stops', stopWords(certainty)],
    ...(certainty.last_attempt
      ? [['Last round', <LastRound key="last" {...certainty.last_attempt} />] as const]
      : []),
  ]
  return (
    <Card title="How sure, at what cost">
      <Facts of={facts} />
    </Card>
  )
}

const basisWords = {
  stratified: 'From how much answers differ inside cells',
  pooled:
    'Too few questions were repeated, so all answers count as one sample. The interval is usually too wide',
  none: 'None',
} as const

const LastRound = ({ at, text }: NonNullable<Certainty['last_attempt']>) => (
  <>
    <Moment at={at} />
    {`: ${text}`}
  </>
)

function costWords({ costs }: Certainty, isRecorded: boolean): string {
  if (isRecorded && costs.usd === 0) return 'Nothing: the answers are recorded ones'
  const unpriced =
    costs.unpriced === 0
      ? ''
      : `. The exact cost of ${formatNumber(costs.unpriced)} is not known. They count with the most that it can be`
  return `${dollars(costs.usd)} for ${formatNumber(costs.answered)} answers and ${formatNumber(costs.searches)} searches${unpriced}`
}

function monthWords({ usd_this_month, usd_per_month, every_days }: Certainty): string {
  if (usd_per_month !== null) return `${dollars(usd_this_month)} of at most ${dollars(usd_per_month)}`
  return every_days === null ? dollars(usd_this_month) : `${dollars(usd_this_month)}. No limit is set`
}

/** Says when a tracker stops, or that it does not. */
export function stopWords({ stop, every_days }: Certainty): string {
  if (every_days === null) return 'Select one tracker to see its rule'
  const pace = every_days === 1 ? 'every day' : `every ${every_days} days`
  if (!stop) return `Never: it asks ${pace}, within its budget`
  const points = `± ${Math.round(stop.half_width * 100)} points`
  if (stop.sure_until !== null)
    return `It has stopped: this month is known to ${points}. It asks again on ${formatDay(stop.sure_until)}`
  const { sure_after_days: needed } = stop.forecast
  const rule = `When this month is known to ${points}, after at least ${stop.min_rounds} rounds. ${formatNumber(stop.rounds)} rounds are done`
  if (needed === null) return `${rule}. It will not get there in a month`
  return stop.rounds >= needed ? `${rule}. It is nearly there` : `${rule} of about ${formatNumber(needed)}`
}

/** The same answers, counted in several ways: why other tools show other numbers. */
export const Definitions = ({ data: { rulers, filters } }: Props) => (
  <Card
    id="definitions"
    title="Why does another tool show a different number?"
    about="Tools count different things under the same name. These are the same answers, counted in each way."
  >
    <Table
      label="The same answers by several definitions"
      columns={['Definition', 'Result', '95 % interval', 'Counts', 'What it counts']}
      numeric={['Result', '95 % interval', 'Counts']}
      rows={rulers.map(({ name, definition, share, about }) => [
        name,
        share.rate === null ? 'no answers' : percent(share.rate),
        share.ci95 === null ? '–' : intervalWords(share.ci95),
        `${formatNumber(share.k)} of ${formatNumber(share.n)}`,
        <>
          {about} <code>{definition}</code>
        </>,
      ])}
    />
    <p>
      <a href={`/app/visibility/definitions?${searchOf(filters)}`}>
        Compare with the definitions of Profound, Peec, Otterly, Semrush and Ahrefs
      </a>
    </p>
    <p class="hint">
      Another tool also asks other prompts, at other times, of other models. Compare numbers only where these
      are the same.
    </p>
  </Card>
)
