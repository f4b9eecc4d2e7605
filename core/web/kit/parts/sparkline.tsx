/** @jsxImportSource ../jsx */

export interface SparklineProps {
  /** One value for each part of the period, in order. Null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** Describes the line in words, such as “Hits per day: 12 at first, 40 at last”. */
  readonly label: string
}

const width = 240
const height = 36
const edge = 3

/** A figure over time as a small line, without axes. Screen readers read its description. */
export function Sparkline({ values, label }: SparklineProps) {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  const low = Math.min(...known)
  const high = Math.max(...known)
  const xAt = (place: number) =>
    edge + (values.length < 2 ? 0 : (place * (width - 2 * edge)) / (values.length - 1))
  const yAt = (value: number) =>
    high === low ? height / 2 : height - edge - ((value - low) * (height - 2 * edge)) / (high - low)
  const points = values.map((value, place) => (value === null ? null : ([xAt(place), yAt(value)] as const)))
  return (
    <svg class="sparkline" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`}>
      <path d={pathOf(points)} />
    </svg>
  )
}

/**
 * Returns lines between neighboring values. A value between two gaps becomes a dot: a line without length,
 * with round ends.
 */
function pathOf(points: readonly (readonly [x: number, y: number] | null)[]): string {
  const at = ([x, y]: readonly [number, number]) => `${round(x)} ${round(y)}`
  return points
    .map((point, place) => {
      if (point === null) return ''
      const isStart = (points[place - 1] ?? null) === null
      const isAlone = isStart && (points[place + 1] ?? null) === null
      return `${isStart ? 'M' : 'L'}${at(point)}${isAlone ? 'h0' : ''}`
    })
    .join('')
}

const round = (number: number) => Math.round(number * 10) / 10
