/** @jsxImportSource renown/web */
import { formatDay } from 'renown/web'

export interface RatingPoint {
  readonly date_from: string
  readonly date_to: string
  readonly average_rating: number | null
  readonly rated: number
}

const width = 720
const height = 180
const left = 24
const bottom = 22
const top = 8
const yAt = (rating: number) => top + ((5 - rating) / 4) * (height - top - bottom)

/** A line of the average rating per interval, from 1 to 5. Intervals without ratings are gaps. */
export function RatingLine({ points }: { readonly points: readonly RatingPoint[] }) {
  const rated = points.filter(({ average_rating }) => average_rating !== null)
  if (rated.length === 0) return <p class="hint">No ratings in these days.</p>
  const step = points.length < 2 ? 0 : (width - left - 8) / (points.length - 1)
  const xAt = (place: number) => left + place * step
  const averages = rated.map(({ average_rating }) => average_rating ?? 0)
  const label = `Average rating: ${averages[0]?.toFixed(1)} at first, ${averages.at(-1)?.toFixed(1)} at last.`
  return (
    <svg class="chart" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} width="100%">
      {[1, 2, 3, 4, 5].map((stars) => (
        <g key={stars}>
          <line x1={left} x2={width} y1={yAt(stars)} y2={yAt(stars)} stroke="var(--line)" />
          <text x={4} y={yAt(stars) + 4} font-size="11" fill="var(--dim)">
            {stars}
          </text>
        </g>
      ))}
      {linesOf(points).map((line) => (
        <path
          key={line[0]?.place}
          fill="none"
          stroke="var(--accent)"
          stroke-width="2"
          d={line
            .map(({ place, rating }, n) => `${n === 0 ? 'M' : 'L'}${xAt(place)} ${yAt(rating)}`)
            .join('')}
        />
      ))}
      {points.map(({ date_from, date_to, average_rating, rated: n }, place) =>
        average_rating === null ? null : (
          <rect
            key={date_from}
            x={xAt(place) - 3}
            y={yAt(average_rating) - 3}
            width="6"
            height="6"
            rx="3"
            fill="var(--accent)"
          >
            <title>{`${formatDay(date_from)} to ${formatDay(date_to)}: ${average_rating.toFixed(2)} over ${n}`}</title>
          </rect>
        ),
      )}
      <text x={left} y={height - 4} font-size="11" fill="var(--dim)">
        {formatDay(points[0]?.date_from ?? '')}
      </text>
      <text x={width} y={height - 4} font-size="11" fill="var(--dim)" text-anchor="end">
        {formatDay(points.at(-1)?.date_to ?? '')}
      </text>
    </svg>
  )
}

/** Returns lines between neighboring points that both have ratings. */
function linesOf(points: readonly RatingPoint[]) {
  const lines: { readonly place: number; readonly rating: number }[][] = [[]]
  for (const [place, { average_rating: rating }] of points.entries()) {
    if (rating === null) lines.push([])
    else lines.at(-1)?.push({ place, rating })
  }
  return lines.filter((line) => line.length > 1)
}
