/** @jsxImportSource renown/web */
import {
  type AgentAppProps,
  AppPeriods,
  formatChange,
  formatNumber,
  formatPeriod,
  LiveBars,
  type Series,
  shiftDay,
  useEffect,
  useState,
} from 'renown/web'

interface Days {
  readonly verified: readonly number[]
  readonly unchecked: readonly number[]
  readonly spoofed: readonly number[]
}

interface Operator {
  readonly operator: string
  readonly crawled: number
  readonly verified: number
  readonly spoofed: number
  readonly by_day?: Days
}

interface Answer {
  readonly period: { readonly date_from: string; readonly date_to: string; readonly days: number }
  readonly complete: boolean
  readonly totals: Totals
  readonly change: { readonly crawler_hits: { readonly relative: number | null } | null }
  readonly by_operator: readonly Operator[]
  /** Lists of a long answer that were cut. */
  readonly truncated?: readonly { readonly field: string }[]
  readonly daily: readonly { readonly date: string; readonly crawler_hits: number }[]
}

interface Totals {
  readonly crawler_hits: number
  readonly verified_hits: number
  readonly spoofed_hits: number
  readonly unchecked_hits: number
}

/** Hits of crawlers: figures, a chart by day, and a table by operator. */
export default function CrawlerChart({ answer, args, ask, isBusy }: AgentAppProps<Answer>) {
  const hasDays = answer.by_operator.some(({ by_day }) => by_day !== undefined)
  // The answer for the model has no figures by day and operator, so the app asks for them once.
  useEffect(() => {
    if (ask && !hasDays && args.daily_by === undefined && answer.by_operator.length > 0)
      ask({ daily_by: 'operator' })
  }, [ask !== null])
  return (
    <>
      <AppPeriods
        period={answer.period}
        choices={[7, 28, 90]}
        args={{ daily_by: 'operator' }}
        ask={ask}
        isBusy={isBusy}
      />
      {answer.by_operator.length === 0 ? (
        <p class="app-empty">No AI crawler was counted in this period.</p>
      ) : (
        <>
          <Figures {...answer} />
          {isWhole(answer) ? (
            <Chart {...answer} hasDays={hasDays} />
          ) : (
            <p class="app-note">The period is too long for a chart by day. Choose a shorter one.</p>
          )}
          <Operators rows={answer.by_operator.filter(({ crawled, spoofed }) => crawled + spoofed > 0)} />
        </>
      )}
    </>
  )
}

/** Whether the figures by day are complete. The answer of a long period is cut to the length that models read. */
const isWhole = ({ truncated = [], by_operator, period }: Answer) =>
  !truncated.some(({ field }) => field === 'daily' || field === 'by_operator') &&
  by_operator.every(({ by_day }) => by_day === undefined || by_day.verified.length === period.days)

const share = (part: number, of: number) => (of === 0 ? '–' : `${Math.round((part / of) * 100)} %`)

/** The change over whole days, in words. */
const changeOf = (relative: number | null) =>
  relative === null ? 'not comparable' : `${formatChange(1 + relative, 1).text} from the previous period`

function Figures({ totals, change }: Answer) {
  const { crawler_hits, verified_hits, spoofed_hits, unchecked_hits } = totals
  const facts = [
    ['Hits', crawler_hits, changeOf(change.crawler_hits?.relative ?? null)],
    ['Verified', verified_hits, share(verified_hits, crawler_hits)],
    ['Not checked', unchecked_hits, share(unchecked_hits, crawler_hits)],
    ['Spoofed', spoofed_hits, `${share(spoofed_hits, crawler_hits)}, only used the name`],
  ] as const
  return (
    <dl class="app-figures">
      {facts.map(([name, figure, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {formatNumber(figure)}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type View = 'operator' | 'proof'
const views = [
  ['operator', 'By operator'],
  ['proof', 'By proof'],
] as const

function Chart({ hasDays, ...answer }: Answer & { readonly hasDays: boolean }) {
  const [view, choose] = useState<View>('operator')
  const days = daysOf(answer.period)
  const series = hasDays ? seriesOf(answer.by_operator, days.length, view) : [hitsOf(answer, days)]
  return (
    <section>
      <div class="app-row">
        <h2>Hits by day</h2>
        {hasDays && (
          <fieldset class="pick">
            <legend class="unseen">Colors</legend>
            {views.map(([name, words]) => (
              <button
                key={name}
                type="button"
                aria-pressed={String(view === name)}
                onClick={() => choose(name)}
              >
                {words}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      <LiveBars
        label={`Hits of AI crawlers by day, ${formatPeriod(answer.period)}.`}
        unit="Hits"
        days={days}
        series={series}
        unfinished={answer.complete ? 0 : 1}
        height={220}
      />
    </section>
  )
}

const daysMax = 400

const daysOf = ({ date_from, days }: Answer['period']): string[] =>
  Array.from({ length: Math.min(days, daysMax) }, (_, day) => shiftDay(date_from, day))

function hitsOf({ daily }: Answer, days: readonly string[]): Series {
  const hits = new Map(daily.map(({ date, crawler_hits }) => [date, crawler_hits]))
  return { name: 'Hits', colour: 'c1', values: days.map((day) => hits.get(day) ?? 0) }
}

const colours = ['c1', 'c2', 'c3', 'c4'] as const
const namedMax = 3

function seriesOf(operators: readonly Operator[], length: number, view: View): Series[] {
  const sums = (rows: readonly Operator[], kinds: readonly (keyof Days)[]) =>
    Array.from({ length }, (_, day) =>
      rows.reduce((sum, { by_day }) => kinds.reduce((all, kind) => all + (by_day?.[kind][day] ?? 0), sum), 0),
    )
  if (view === 'proof')
    return [
      { name: 'Verified', colour: 'c1', values: sums(operators, ['verified']) },
      { name: 'Not checked', colour: 'c4', values: sums(operators, ['unchecked']) },
      { name: 'Spoofed', colour: 'c3', values: sums(operators, ['spoofed']) },
    ]
  const named = operators.length > namedMax + 1 ? operators.slice(0, namedMax) : operators
  const others = operators.slice(named.length)
  const all = ['verified', 'unchecked', 'spoofed'] as const
  return [
    ...named.map((one, place) => ({
      name: one.operator,
      colour: colours[place] ?? 'c4',
      values: sums([one], all),
    })),
    ...(others.length === 0
      ? []
      : [{ name: `${others.length} others`, colour: 'c4' as const, values: sums(others, all) }]),
  ]
}

function Operators({ rows }: { readonly rows: readonly Operator[] }) {
  const most = Math.max(1, ...rows.map(({ crawled, spoofed }) => crawled + spoofed))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" aria-label="Hits by operator" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Operator</th>
            <th scope="col" class="drawn">
              <span class="unseen">Drawn</span>
            </th>
            <th scope="col" class="end">
              <span class="swatch c1" aria-hidden="true" />
              Verified
            </th>
            <th scope="col" class="end">
              <span class="swatch c4" aria-hidden="true" />
              Not checked
            </th>
            <th scope="col" class="end">
              <span class="swatch c3" aria-hidden="true" />
              Spoofed
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ operator, crawled, verified, spoofed }) => (
            <tr key={operator}>
              <th scope="row">
                <bdi>{operator}</bdi>
              </th>
              <td class="drawn">
                <Proofs parts={[verified, crawled - verified, spoofed]} most={most} />
              </td>
              <td class="end">{formatNumber(verified)}</td>
              <td class="end">{formatNumber(crawled - verified)}</td>
              <td class="end">{formatNumber(spoofed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const proofColours = ['c1', 'c4', 'c3'] as const

/** Verified, unchecked and spoofed hits as one bar. The figures stand beside it, so it has no text. */
function Proofs({ parts, most }: { readonly parts: readonly number[]; readonly most: number }) {
  const percent = (hits: number) => `${Math.round((hits / most) * 1000) / 10}%`
  return (
    <svg class="proofs" aria-hidden="true">
      {parts.map((hits, place) => (
        <rect
          key={proofColours[place]}
          class={proofColours[place]}
          x={percent(parts.slice(0, place).reduce((sum, one) => sum + one, 0))}
          width={percent(hits)}
          height="8"
        />
      ))}
    </svg>
  )
}
