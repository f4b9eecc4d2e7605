/** @jsxImportSource ../jsx */
import { formatDay, formatNumber, formatShort } from '../browser/format'
import { countScale, dayScale } from './scale'

/** One layer of a chart. */
export interface Series {
  readonly name: string
  readonly colour: 'c1' | 'c2' | 'c3' | 'c4'
  readonly values: readonly number[]
}

export interface BarsProps {
  /** Description of the chart for screen readers. */
  readonly label: string
  /** Days as `YYYY-MM-DD`, one for each value. */
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** Number of days at the end that are not over. They are drawn and described as such. Default 0. */
  readonly unfinished?: number
  /** Sums of the previous period, drawn as a dashed line. */
  readonly before?: readonly number[] | undefined
  readonly width: number
  readonly height: number
  /** The selected day. */
  readonly at?: number | undefined
}

const margin = { top: 10, right: 8, bottom: 26, left: 40 }

/** Days as stacked bars. Uses only its props, so the server and the browser draw the same. */
export function StackedBars(props: BarsProps) {
  const { label, days, series, before, width, height, at } = props
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const sums = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0))
  const y = countScale(Math.max(0, ...sums, ...(before ?? [])), inner.height)
  const x = dayScale(days.length, inner.width)
  return (
    <svg
      class="chart"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
    >
      <g transform={`translate(${margin.left} ${margin.top})`}>
        {y.ticks.map((tick) => (
          <g key={tick} transform={`translate(0 ${y.at(tick)})`}>
            <line class="grid" x2={inner.width} />
            <text class="tick" x={-8} dy=".32em" text-anchor="end">
              {formatShort(tick)}
            </text>
          </g>
        ))}
        <Bars {...props} sums={sums} x={x} y={y.at} />
        {before && (
          <path class="before" d={tops(before.slice(0, days.length), { x, y: y.at, width: x.slot })} />
        )}
        {x.named(76).map((day) => (
          <text
            key={day}
            class="tick"
            x={x.at(day)}
            y={inner.height + 18}
            text-anchor={anchorOf(day, days.length)}
          >
            {formatDay(days[day] ?? '', { year: false })}
          </text>
        ))}
        {at !== undefined && <line class="cursor" x1={x.at(at)} x2={x.at(at)} y2={inner.height} />}
      </g>
    </svg>
  )
}

interface BarsOfProps extends Pick<BarsProps, 'days' | 'series' | 'unfinished'> {
  readonly sums: readonly number[]
  readonly x: ReturnType<typeof dayScale>
  readonly y: (value: number) => number
}

/** A day is at most this wide. */
const widest = 28

/** The complete days, followed by the incomplete days in a paler color with a dotted top. */
function Bars({ days, series, unfinished = 0, sums, x, y }: BarsOfProps) {
  const over = days.length - unfinished
  const width = Math.min(widest, x.slot * 0.75)
  const bars = (from: number, to: number) =>
    series.map(({ name, colour, values }, place) => {
      const below = series.slice(0, place)
      const path = days.slice(from, to).map((_, index) => {
        const day = from + index
        const value = values[day] ?? 0
        const base = below.reduce((sum, one) => sum + (one.values[day] ?? 0), 0)
        if (value <= 0) return ''
        const left = rounded(x.at(day) - width / 2)
        return `M${left} ${rounded(y(base + value))}h${rounded(width)}V${rounded(y(base))}H${left}z`
      })
      return <path key={name} d={path.join('')} class={colour} />
    })
  return (
    <>
      {bars(0, over)}
      {unfinished > 0 && (
        <g class="open">
          {bars(over, days.length)}
          <path class="edge" d={tops(sums, { x, y, width, from: over })} />
        </g>
      )}
    </>
  )
}

interface TopsOf {
  readonly x: ReturnType<typeof dayScale>
  readonly y: (value: number) => number
  readonly width: number
  /** The first day that is drawn. */
  readonly from?: number
}

/** A short horizontal line at the value of each day. */
const tops = (values: readonly number[], { x, y, width, from = 0 }: TopsOf) =>
  values
    .flatMap((value, day) =>
      day < from ? [] : [`M${rounded(x.at(day) - width / 2)} ${rounded(y(value))}h${rounded(width)}`],
    )
    .join('')

const rounded = (value: number) => Math.round(value * 10) / 10

/** Anchors the labels at the edges so that they stay inside the picture. */
const anchorOf = (day: number, days: number) =>
  days > 1 && day === 0 ? 'start' : days > 1 && day === days - 1 ? 'end' : 'middle'

/** Returns the day under a position of the chart. */
export const dayUnder = (place: number, width: number, days: number): number =>
  dayScale(days, width - margin.left - margin.right).near(place - margin.left)

/** Returns the name of a day, and whether the day is incomplete. */
export const dayName = ({ days, unfinished = 0 }: Pick<BarsProps, 'days' | 'unfinished'>, day: number) =>
  `${formatDay(days[day] ?? '')}${day < days.length - unfinished ? '' : ', so far'}`

/** Describes a day as text, for the tooltip and for screen readers. */
export function dayInWords(props: Pick<BarsProps, 'days' | 'series' | 'before' | 'unfinished'>, day: number) {
  const { days, series, before, unfinished = 0 } = props
  const parts = series.map(({ name, values }) => `${name} ${formatNumber(values[day] ?? 0)}`)
  const sum = series.reduce((total, { values }) => total + (values[day] ?? 0), 0)
  const earlier = before?.[day]
  const whole = day < days.length - unfinished ? '' : ' on the whole day'
  const against = earlier === undefined ? '' : `; ${formatNumber(earlier)}${whole} in the previous period`
  return `${dayName(props, day)}: ${formatNumber(sum)} in all. ${parts.join(', ')}${against}`
}
