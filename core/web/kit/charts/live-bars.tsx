/** @jsxImportSource ../jsx */

import { formatNumber } from '../browser/format'
import type { PageElement, PageEvent } from '../jsx/browser'
import { browser } from '../jsx/browser'
import { useEffect, useRef, useState } from '../jsx/hooks'
import { Table } from '../parts/kit'
import { type BarsProps, dayInWords, dayName, dayUnder, StackedBars } from './stacked-bars'

type LiveProps = Omit<BarsProps, 'width' | 'at'> & {
  /** Heading of the table with the same figures. */
  readonly unit: string
}

const firstWidth = 640

/**
 * A chart as wide as its container. The pointer or the arrow keys select a day. A table has the same figures. Without
 * JavaScript, the chart and the table are shown.
 */
export function LiveBars(props: LiveProps) {
  const { days, series, before, unit, unfinished = 0 } = props
  const place = useRef<PageElement | null>(null)
  const [width, setWidth] = useState(firstWidth)
  const [at, look] = useState<number | undefined>(undefined)
  useEffect(() => {
    if (!place.current) return
    const watch = new browser.ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(280, Math.round(entry.contentRect.width)))
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  const point = (event: PageEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    look(dayUnder(((event.clientX - box.left) / box.width) * width, width, days.length))
  }
  const step = (event: PageEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Escape') look(undefined)
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    look((before) => Math.max(0, Math.min(days.length - 1, (before ?? (by > 0 ? -1 : days.length)) + by)))
  }
  return (
    <figure class="figure">
      <ul class="key" aria-hidden="true">
        {series.map(({ name, colour }) => (
          <li key={name}>
            <span class={colour} />
            {name}
          </li>
        ))}
        {unfinished > 0 && (
          <li>
            <span class="open" />
            so far: not over yet
          </li>
        )}
        {before && (
          <li>
            <span class="dashed" />
            the previous period
          </li>
        )}
      </ul>
      <div
        ref={place}
        class="plot"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its days are looked at by the arrow keys
        tabIndex={0}
        role="application"
        aria-label={`${props.label} Arrow keys go from day to day.`}
        onPointerMove={point}
        onPointerLeave={() => look(undefined)}
        onKeyDown={step}
        onBlur={() => look(undefined)}
      >
        <StackedBars {...props} width={width} at={at} />
      </div>
      <p class="tip" role="status">
        {at === undefined ? '' : dayInWords(props, at)}
      </p>
      <details>
        <summary>As a table</summary>
        <Table
          label={`${unit} by day`}
          columns={['Day', ...series.map(({ name }) => name), 'In all', ...(before ? ['Period before'] : [])]}
          rows={days.map((_, index) => [
            dayName(props, index),
            ...series.map(({ values }) => formatNumber(values[index] ?? 0)),
            formatNumber(series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
            ...(before ? [formatNumber(before[index] ?? 0)] : []),
          ])}
        />
      </details>
    </figure>
  )
}
