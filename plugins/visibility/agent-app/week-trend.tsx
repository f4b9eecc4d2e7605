/** @jsxImportSource renown/web */
import { formatDay } from 'renown/web'
import { intervalWords, percent } from '../pages/rate-words'

export interface Week {
  readonly week: string
  readonly runs: number
  readonly mentions: number
  readonly mention_rate: number | null
  readonly mention_rate_ci: readonly number[] | null
}

const height = 150
const top = 8
const bottom = 22
const left = 30
const y = (share: number) => top + (1 - share) * (height - top - bottom)

/** Weeks as dots with their intervals. Places along the axis are shares of the width, so that letters keep their size. */
export function WeekTrend({ weeks }: { readonly weeks: readonly Week[] }) {
  const x = (place: number) => `${Math.round((13 + (place / (weeks.length - 1)) * 84) * 10) / 10}%`
  return (
    <svg class="chart trend" role="img" aria-label={labelOf(weeks)} width="100%" height={height}>
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line class="grid" x1={left} x2="100%" y1={y(share)} y2={y(share)} />
          <text class="tick" x={left - 6} y={y(share) + 4} text-anchor="end">
            {`${share * 100}`}
          </text>
        </g>
      ))}
      {weeks.map(({ week, mention_rate: rate }, place) => {
        const before = weeks[place - 1]?.mention_rate ?? null
        return rate === null || before === null ? null : (
          <line key={week} class="course" x1={x(place - 1)} x2={x(place)} y1={y(before)} y2={y(rate)} />
        )
      })}
      {weeks.map(({ week, mention_rate: rate, mention_rate_ci: ci95 }, place) =>
        rate === null || ci95 === null ? null : (
          <g key={week}>
            <line class="reach" x1={x(place)} x2={x(place)} y1={y(ci95[0] ?? 0)} y2={y(ci95[1] ?? 1)} />
            <circle class="dot" cx={x(place)} cy={y(rate)} r="4" />
          </g>
        ),
      )}
      <text class="tick" x={left} y={height - 4}>
        {formatDay(weeks[0]?.week ?? '', { year: false })}
      </text>
      <text class="tick" x="100%" y={height - 4} text-anchor="end">
        {formatDay(weeks.at(-1)?.week ?? '', { year: false })}
      </text>
    </svg>
  )
}

function labelOf(weeks: readonly Week[]): string {
  const words = weeks.map(({ week, mention_rate, mention_rate_ci }) =>
    mention_rate === null || mention_rate_ci === null
      ? `${formatDay(week)} without answers`
      : `${formatDay(week)} ${percent(mention_rate)}, between ${intervalWords(mention_rate_ci)}`,
  )
  return `Rate by week: ${words.join('; ')}`
}
