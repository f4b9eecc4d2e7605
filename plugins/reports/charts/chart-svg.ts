import type { BlockOf } from '../blocks/block'
import { shownNumber } from '../blocks/format'

type Chart = BlockOf<'chart'>

/** Colours that differ also for people who cannot tell red from green, and in grey by their order. */
const colours = ['#1d5fbf', '#c2570c', '#0f7b6c', '#7a3fb0', '#8a6d00', '#b3246b', '#4b5563', '#0b84a5']
const size = { width: 680, height: 210 }
const plot = { left: 56, right: 12, top: 12, bottom: 34 }
const legendRow = 18
const fontFamily = 'Inter, sans-serif'

/**
 * Returns a chart as an SVG. Its texts and lines have the given colour, or that of the surrounding text. It contains
 * neither scripts nor links, and all texts are escaped.
 */
export function chartSvg(chart: Chart, colour?: string): string {
  const legendHeight = chart.series.length > 1 ? legendRow * Math.ceil(chart.series.length / 3) : 0
  const height = size.height + legendHeight
  const inner = chart.form === 'bars' ? barsOf(chart) : columnsOrLines(chart)
  const total = chart.form === 'bars' ? inner.height + legendHeight : height
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${total}" width="${size.width}" height="${total}"`,
    ` role="img" aria-label="${escaped(chart.alt)}" font-family="${fontFamily}" font-size="11" fill="currentColor"`,
    colour === undefined ? '>' : ` color="${colour}">`,
    inner.svg,
    legendHeight === 0 ? '' : legend(chart, inner.height),
    '</svg>',
  ].join('')
}

interface Drawn {
  readonly svg: string
  readonly height: number
}

function columnsOrLines(chart: Chart): Drawn {
  const top = niceMax(chart)
  const width = size.width - plot.left - plot.right
  const height = size.height - plot.top - plot.bottom
  const y = (value: number) => round(plot.top + height - (value / top) * height)
  const step = width / chart.labels.length
  const grid = (top % 4 === 0 || chart.unit !== 'count' ? [0, 0.25, 0.5, 0.75, 1] : [0, 1]).map((part) => {
    const at = y(top * part)
    const label = axisNumber(top * part, chart)
    return `<line x1="${plot.left}" x2="${size.width - plot.right}" y1="${at}" y2="${at}" stroke="currentColor" stroke-opacity="0.15"/>${text(plot.left - 6, at + 4, label, 'end')}`
  })
  const every = Math.ceil(chart.labels.length / 8)
  const labels = chart.labels.map((label, place) =>
    place % every === 0
      ? text(round(plot.left + step * (place + 0.5)), size.height - 14, label, 'middle')
      : '',
  )
  const marks =
    chart.form === 'line'
      ? chart.series.map(({ values }, place) =>
          lineOf(values, place, (at) => plot.left + step * (at + 0.5), y),
        )
      : chart.series.map(({ values }, place) => {
          const wide = (step * 0.76) / chart.series.length
          const start = (at: number) => plot.left + step * at + step * 0.12 + wide * place
          return values
            .map((value, at) => bar(value, round(start(at)), round(wide), y, colourOf(place)))
            .join('')
        })
  return { svg: [...grid, ...labels, ...marks].join(''), height: size.height }
}

const bar = (value: number | null, x: number, wide: number, y: (value: number) => number, colour: string) =>
  value === null || value <= 0
    ? ''
    : `<rect x="${x}" y="${y(value)}" width="${wide}" height="${round(y(0) - y(value))}" fill="${colour}"/>`

/** Draws a line with a gap where a value is unknown, and a dot for a value between two gaps. */
function lineOf(
  values: readonly (number | null)[],
  place: number,
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const runs: string[][] = [[]]
  values.forEach((value, at) => {
    if (value === null) runs.push([])
    else runs.at(-1)?.push(`${round(x(at))},${y(value)}`)
  })
  const colour = colourOf(place)
  const dash = place === 0 ? '' : ` stroke-dasharray="${[6, 3, 8, 2][place % 4]} 3"`
  return runs
    .map((points) => {
      if (points.length === 0) return ''
      if (points.length > 1) {
        return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`
      }
      const [cx, cy] = (points[0] ?? '').split(',')
      return `<circle cx="${cx}" cy="${cy}" r="2.5" fill="${colour}"/>`
    })
    .join('')
}

/** Draws one horizontal bar for each label and series, with its value at the end. */
function barsOf(chart: Chart): Drawn {
  const top = niceMax(chart)
  const left = 190
  const width = size.width - left - 90
  const thick = chart.series.length > 1 ? 12 : 16
  const row = thick * chart.series.length + 10
  const svg = chart.labels.flatMap((label, at) => [
    text(left - 8, round(at * row + row / 2 + 4), shortened(label), 'end'),
    ...chart.series.map(({ values }, place) => {
      const value = values[at] ?? null
      const yAt = round(at * row + 5 + place * thick)
      const wide = value === null ? 0 : round((value / top) * width)
      const mark =
        wide > 0
          ? `<rect x="${left}" y="${yAt}" width="${wide}" height="${thick - 2}" fill="${colourOf(place)}"/>`
          : ''
      return `${mark}${text(round(left + wide + 6), round(yAt + thick / 2 + 3), shownNumber(value, chart.unit), 'start')}`
    }),
  ])
  return { svg: svg.join(''), height: round(chart.labels.length * row + 6) }
}

function legend({ series }: Chart, from: number): string {
  const wide = (size.width - plot.left) / 3
  return series
    .map(({ name }, place) => {
      const x = round(plot.left + (place % 3) * wide)
      const y = from + Math.floor(place / 3) * legendRow
      return `<rect x="${x}" y="${y}" width="10" height="10" fill="${colourOf(place)}"/>${text(x + 15, y + 9, shortened(name), 'start')}`
    })
    .join('')
}

const colourOf = (place: number) => colours[place % colours.length] ?? ''
const round = (value: number) => Math.round(value * 100) / 100
const shortened = (label: string) => (label.length > 30 ? `${label.slice(0, 29)}…` : label)

const text = (x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`

/** Escapes text for XML, and leaves out what XML cannot contain. */
const escaped = (words: string) =>
  words
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows no other control characters
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** Returns the end of the axis: the smallest round number that is not below any value. */
function niceMax({ series, unit }: Chart): number {
  const most = Math.max(0, ...series.flatMap(({ values }) => values.flatMap((value) => value ?? [])))
  if (unit === 'rating') return 5
  if (unit === 'score') return 100
  if (most === 0) return unit === 'share' ? 1 : 4
  const scale = 10 ** Math.floor(Math.log10(most))
  const nice =
    (unit === 'count' ? [1, 2, 4, 8, 12, 20] : [1, 2, 4, 5, 10])
      .map((part) => part * scale)
      .find((end) => end >= most) ?? most
  return unit === 'count' ? Math.max(4, nice) : unit === 'share' ? Math.min(1, nice) : nice
}

const axisNumber = (value: number, { unit }: Chart) => {
  if (unit === 'share') return `${round(value * 100)} %`
  if (unit === 'rating') return String(round(value))
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}
