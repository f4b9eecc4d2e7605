/** @jsxImportSource ../jsx */
import { area, curveMonotoneX, line, stack, stackOrderNone } from 'd3-shape'
import { formatDay, formatNumber, formatShort } from '../browser/format'
import { countScale, dayScale } from './scale'

/** One layer of a chart. */
export interface Series {
  readonly name: string
  readonly colour: 'c1' | 'c2' | 'c3' | 'c4'
  readonly values: readonly number[]
}

export interface AreaProps {
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

/** Days as stacked areas. Uses only its props, so the server and the browser draw the same. */
export function StackedArea(props: AreaProps) {
  const { label, days, series, before, width, height, at } = props
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const sums = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0))
  const y = countScale(Math.max(0, ...sums, ...(before ?? [])), inner.height)
  const x = dayScale(days.length, inner.width)
  const dashes = line<number>()
    .x((_, day) => x.at(day))
    .y((value) => y.at(value))
    .curve(curveMonotoneX)
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
        <Layers {...props} sums={sums} x={x.at} y={y.at} middle={inner.width / 2} />
        {before && <path class="before" d={dashes([...before.slice(0, days.length)]) ?? ''} />}
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

interface LayersProps extends Pick<AreaProps, 'days' | 'series' | 'unfinished'> {
  readonly sums: readonly number[]
  readonly x: (day: number) => number
  readonly y: (value: number) => number
  readonly middle: number
}

/** The complete days as filled areas, followed by the incomplete days in a paler color with a dotted edge. */
function Layers({ days, series, unfinished = 0, sums, x, y, middle }: LayersProps) {
  const layers = stack<number, number>()
    .keys(series.map((_, place) => place))
    .value((day, place) => series[place]?.values[day] ?? 0)
    .order(stackOrderNone)(days.map((_, day) => day))
  const shape = area<(typeof layers)[number][number]>()
    .x(({ data }) => x(data))
    .y0(([low]) => y(low))
    .y1(([, high]) => y(high))
    .curve(curveMonotoneX)
  const edge = line<number>()
    .x(x)
    .y((day) => y(sums[day] ?? 0))
  const over = days.length - unfinished
  const open = days.map((_, day) => day).slice(Math.max(0, over - 1))
  const filled = (from: number, to: number) =>
    layers.map((layer, place) => (
      <path key={series[place]?.name} d={shape(layer.slice(from, to)) ?? ''} class={series[place]?.colour} />
    ))
  if (days.length === 1) {
    const bars = layers.map(([bar], place) => (
      <rect
        key={series[place]?.name}
        x={middle - 12}
        width={24}
        y={y(bar?.[1] ?? 0)}
        height={y(bar?.[0] ?? 0) - y(bar?.[1] ?? 0)}
        class={series[place]?.colour}
      />
    ))
    return <g class={unfinished > 0 ? 'open' : undefined}>{bars}</g>
  }
  return (
    <>
      {filled(0, over)}
      {unfinished > 0 && (
        <g class="open">
          {filled(open[0] ?? 0, days.length)}
          <path class="edge" d={edge(open) ?? ''} />
        </g>
      )}
    </>
  )
}

/** Anchors the labels at the edges so that they stay inside the picture. */
const anchorOf = (day: number, days: number) =>
  days > 1 && day === 0 ? 'start' : days > 1 && day === days - 1 ? 'end' : 'middle'

/** Returns the day under a position of the chart. */
export const dayUnder = (place: number, width: number, days: number): number =>
  dayScale(days, width - margin.left - margin.right).near(place - margin.left)

/** Returns the name of a day, and whether the day is incomplete. */
export const dayName = ({ days, unfinished = 0 }: Pick<AreaProps, 'days' | 'unfinished'>, day: number) =>
  `${formatDay(days[day] ?? '')}${day < days.length - unfinished ? '' : ', so far'}`

/** Describes a day as text, for the tooltip and for screen readers. */
export function dayInWords(props: Pick<AreaProps, 'days' | 'series' | 'before' | 'unfinished'>, day: number) {
  const { days, series, before, unfinished = 0 } = props
  const parts = series.map(({ name, values }) => `${name} ${formatNumber(values[day] ?? 0)}`)
  const sum = series.reduce((total, { values }) => total + (values[day] ?? 0), 0)
  const earlier = before?.[day]
  const whole = day < days.length - unfinished ? '' : ' on the whole day'
  const against = earlier === undefined ? '' : `; ${formatNumber(earlier)}${whole} in the previous period`
  return `${dayName(props, day)}: ${formatNumber(sum)} in all. ${parts.join(', ')}${against}`
}
