/** @jsxImportSource renown/web */
import { Card, formatDay, formatNumber, Table } from 'renown/web'
import { intervalWords, percent } from './rate-words'
import type { VisibilityData } from './visibility-data'

type Trend = Pick<VisibilityData, 'trend' | 'model_changes' | 'incidents' | 'period'>

const height = 200
const left = 32
const bottom = 22
const top = 16
/** The first and the last point, in percent of the width. */
const first = 12
const last = 97
const y = (share: number) => Math.round((top + (1 - share) * (height - top - bottom)) * 10) / 10

/** The rate over time with its intervals, and what happened on the way. The table has the same figures. */
export function TrendCard(props: Trend) {
  const { trend, model_changes, incidents } = props
  const known = trend.points.filter(({ rate }) => rate !== null)
  if (known.length === 0) return null
  return (
    <Card title="Over time" about={`Each dot is one ${trend.unit} with its 95 % interval.`}>
      <figure class="figure">
        <TrendPicture {...props} />
        <details>
          <summary>As a table</summary>
          <Table
            label="Rate over time"
            columns={[stretch(trend.unit), 'Named', '95 % interval', 'Answers']}
            numeric={['Named', '95 % interval', 'Answers']}
            rows={trend.points.map(({ from, rate, ci95, k, n }) => [
              formatDay(from),
              rate === null ? 'no answers' : percent(rate),
              ci95 === null ? '–' : intervalWords(ci95),
              `${formatNumber(k)} of ${formatNumber(n)}`,
            ])}
          />
        </details>
      </figure>
      {model_changes.length + incidents.length > 0 && (
        <ul class="marks">
          {model_changes.map(({ label, from, to, day }) => (
            <li key={`${label} ${day}`}>
              <strong>M</strong>{' '}
              {`${formatDay(day)}: ${label} changed its model from ${from} to ${to}. A new series begins, which is not compared with the old one.`}
            </li>
          ))}
          {incidents.map(({ label, day, answered, unanswered }) => (
            <li key={`${label} ${day}`}>
              <strong>!</strong>{' '}
              {`${formatDay(day)}: ${label} answered only ${formatNumber(answered)} of ${formatNumber(answered + unanswered)} questions. The day is left out.`}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const stretch = (unit: string) => ({ day: 'Day', week: 'Week from' })[unit] ?? 'Month from'

/** Places along the axis are shares of the width, so that letters keep their size on every screen. */
function TrendPicture({ trend: { points, unit }, model_changes, incidents }: Trend) {
  const x = (place: number) => {
    const share = points.length < 2 ? 0.5 : place / (points.length - 1)
    return `${Math.round((first + share * (last - first)) * 10) / 10}%`
  }
  const placeOf = (day: string) => points.findLastIndex(({ from }) => from <= day)
  const isShown = ({ day }: { readonly day: string }) => placeOf(day) >= 0
  return (
    <svg class="chart trend" role="img" aria-label={labelOf(points, unit)} width="100%" height={height}>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line class="grid" x1={left} x2="100%" y1={y(share)} y2={y(share)} />
          <text class="tick" x={left - 6} y={y(share) + 4} text-anchor="end">
            {`${share * 100}`}
          </text>
        </g>
      ))}
      {incidents.filter(isShown).map(({ label, day }) => (
        <text key={`${label} ${day}`} class="mark" x={x(placeOf(day))} y={top - 4} text-anchor="middle">
          !
        </text>
      ))}
      {model_changes.filter(isShown).map(({ label, day }) => (
        <g key={`${label} ${day}`}>
          <line class="cut" x1={x(placeOf(day))} x2={x(placeOf(day))} y1={top} y2={height - bottom} />
          <text class="mark" x={x(placeOf(day))} y={top - 4} text-anchor="middle">
            M
          </text>
        </g>
      ))}
      {points.map(({ from, rate }, place) => {
        const before = points[place - 1]?.rate ?? null
        return rate === null || before === null ? null : (
          <line key={from} class="course" x1={x(place - 1)} x2={x(place)} y1={y(before)} y2={y(rate)} />
        )
      })}
      {points.map(({ from, rate, ci95 }, place) =>
        rate === null || ci95 === null ? null : (
          <g key={from}>
            <line class="reach" x1={x(place)} x2={x(place)} y1={y(ci95[0])} y2={y(ci95[1])} />
            <circle class="dot" cx={x(place)} cy={y(rate)} r="4" />
          </g>
        ),
      )}
      <text class="tick" x={left} y={height - 4}>
        {formatDay(points[0]?.from ?? '')}
      </text>
      <text class="tick" x="100%" y={height - 4} text-anchor="end">
        {formatDay(points.at(-1)?.from ?? '')}
      </text>
    </svg>
  )
}

function labelOf(points: Trend['trend']['points'], unit: string): string {
  const known = points.flatMap(({ rate, from }) => (rate === null ? [] : [{ rate, from }]))
  const earliest = known[0]
  const latest = known.at(-1)
  if (!earliest || !latest) return 'No answers.'
  const rates = known.map(({ rate }) => rate)
  return `Share of answers that name you, by ${unit}: ${percent(earliest.rate)} from ${formatDay(earliest.from)}, ${percent(latest.rate)} from ${formatDay(latest.from)}, between ${percent(Math.min(...rates))} and ${percent(Math.max(...rates))}. The table below has all figures.`
}
