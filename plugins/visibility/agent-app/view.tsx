/** @jsxImportSource renown/web */
import {
  type AgentAppProps,
  AppPeriods,
  type Difference,
  differenceWords,
  formatCount,
  formatDay,
  formatNumber,
  Table,
  titleOf,
  useState,
} from 'renown/web'
import { intervalWords, percent } from '../pages/rate-words'
import { Whisker } from '../pages/whisker'
import { type Week, WeekTrend } from './week-trend'

interface Rate {
  readonly k: number
  readonly n: number
  readonly rate: number | null
  readonly ci95: readonly number[] | null
}

interface Measured {
  readonly runs: number
  readonly mention_rate_v2: Rate
  readonly change: Difference
}

interface Answer {
  readonly period: { readonly date_from: string; readonly date_to: string; readonly days: number }
  readonly totals: Measured
  readonly by_engine: readonly (Measured & { readonly engine: string })[]
  readonly by_tracker: readonly (Measured & {
    readonly tracker_id: string
    readonly name: string
    readonly brand_name: string
  })[]
  readonly trend: readonly Week[]
}

const choices = [28, 90]

/** Rates with their intervals: of all answers, by assistant or brand, and by week. */
export default function VisibilityIntervals({ answer, ask, isBusy }: AgentAppProps<Answer>) {
  const { period, totals, trend } = answer
  if (totals.runs === 0)
    return (
      <>
        <AppPeriods period={period} choices={choices} ask={ask} isBusy={isBusy} />
        <p class="app-empty">No assistant answered a question in this period.</p>
      </>
    )
  const { rate, ci95, n } = totals.mention_rate_v2
  return (
    <>
      <AppPeriods period={period} choices={choices} ask={ask} isBusy={isBusy} />
      <p class="headline">
        <b>{rate === null ? 'No rate' : percent(rate)}</b>
        <span>
          {ci95 === null
            ? 'too few answers for an interval'
            : `95 % interval ${intervalWords(ci95)}, n = ${formatNumber(n)}`}
        </span>
      </p>
      <Rates answer={answer} />
      {trend.length > 1 && <Trend weeks={trend} />}
      <p class="app-note">
        The dot is the rate, the line its 95 % interval. A change is named only where the intervals show one.
        Questions that name the brand do not count in the rates.
      </p>
    </>
  )
}

type View = 'engine' | 'brand'

function Rates({ answer: { by_engine, by_tracker } }: { readonly answer: Answer }) {
  const [view, choose] = useState<View>('engine')
  const rows =
    view === 'engine'
      ? by_engine.map((one) => ({ ...one, id: one.engine, name: engineName(one.engine) }))
      : by_tracker.map((one) => ({ ...one, id: one.tracker_id }))
  const measured = rows.filter(({ runs }) => runs > 0)
  return (
    <section aria-label={view === 'engine' ? 'By assistant' : 'By brand'}>
      {by_tracker.length > 1 && (
        <fieldset class="pick">
          <legend class="unseen">Rows</legend>
          <button type="button" aria-pressed={String(view === 'engine')} onClick={() => choose('engine')}>
            By assistant
          </button>
          <button type="button" aria-pressed={String(view === 'brand')} onClick={() => choose('brand')}>
            By brand
          </button>
        </fieldset>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: without list-style, some screen readers no longer call it a list */}
      <ul class="rates" role="list">
        {measured.map(({ id, name, mention_rate_v2, change }) => (
          <li key={id}>
            <bdi class="of">{name}</bdi>
            <span class="drawn">
              <Whisker rate={mention_rate_v2.rate} ci95={mention_rate_v2.ci95} />
            </span>
            <Said {...mention_rate_v2} change={change} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Said({ rate, ci95, k, n, change }: Rate & { readonly change: Difference }) {
  const words = differenceWords(change)
  return (
    <span class="said">
      {rate === null ? 'no answers' : percent(rate)}
      {ci95 && <span class="hint">{` (${intervalWords(ci95)})`}</span>}
      <small>
        {`${formatNumber(k)} of ${formatCount(n, 'answer')} · `}
        <span class={words.tone === 'plain' ? 'change' : `change ${words.word}`}>{words.text}</span>
      </small>
    </span>
  )
}

const Trend = ({ weeks }: { readonly weeks: readonly Week[] }) => (
  <section>
    <h2>By week</h2>
    <WeekTrend weeks={weeks} />
    <details>
      <summary>As a table</summary>
      <Table
        label="Rate by week"
        columns={['Week of', 'Named', '95 % interval', 'Answers']}
        numeric={['Named', '95 % interval', 'Answers']}
        rows={weeks.map(({ week, runs, mentions, mention_rate, mention_rate_ci }) => [
          formatDay(week),
          mention_rate === null ? '–' : percent(mention_rate),
          mention_rate_ci === null ? '–' : intervalWords(mention_rate_ci),
          `${formatNumber(mentions)} of ${formatNumber(runs)}`,
        ])}
      />
      <p class="app-note">All answers of the week, also to questions that name the brand.</p>
    </details>
  </section>
)

const engineNames: Readonly<Record<string, string>> = {
  chatgpt: 'ChatGPT',
  google_ai_overview: 'Google AI Overviews',
  google_ai_mode: 'Google AI Mode',
}

const engineName = (engine: string) => engineNames[engine] ?? titleOf(engine)
