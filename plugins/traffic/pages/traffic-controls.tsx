/** @jsxImportSource renown/web */
import { browser, formatDay, Icon, type PageElement, type PageProps, useEffect, useRef } from 'renown/web'
import { lastDays, searchOf, spans, type TrafficFilters, valuesOf } from '../sums/traffic-filters'
import type { TrafficData } from './traffic-data'

type Props = PageProps<TrafficData>

/** Shows the choice of the site and the period in one row, also on a phone. */
export const Controls = (props: Props) => (
  <>
    <Sites {...props} />
    <Step {...props} way="earlier" />
    <Period {...props} />
    <Step {...props} way="later" />
  </>
)

function Sites({ data: { sites, site, asked }, path, go }: Props) {
  if (sites.length < 2) return null
  return (
    <form method="get" action={path} class="switch" aria-label="Site">
      <Kept values={valuesOf(asked, { site: null })} />
      <select
        name="site"
        aria-label="Site"
        onChange={(event) => go(searchOf(asked, { site: event.currentTarget.value || null }))}
      >
        {sites.length <= 20 && <option value="">All sites</option>}
        {sites.map(({ id, domain, name }) => (
          <option key={id} value={id} selected={id === site?.id} title={domain}>
            {name}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit" class="button plain">
          Show
        </button>
      </noscript>
    </form>
  )
}

/** Hidden fields with the values of the address that a form does not change. */
const Kept = ({ values }: { readonly values: Readonly<Record<string, string | null>> }) => (
  <>
    {Object.entries(values).map(
      ([name, value]) => value !== null && <input key={name} type="hidden" name={name} value={value} />,
    )}
  </>
)

const wayWords = {
  earlier: { arrow: '←', key: 'p', words: 'before' },
  later: { arrow: '→', key: 'n', words: 'after' },
} as const

function Step({ data, way, shortcuts }: Props & { readonly way: 'earlier' | 'later' }) {
  const changes = data[way]
  const { arrow, key } = wayWords[way]
  if (!changes) return null
  return (
    <a class="button plain step" href={`?${searchOf(data.asked, changes)}`}>
      <span aria-hidden="true">{arrow}</span>
      <span class="unseen">{stepWords(data, way)}</span> {shortcuts && <kbd>{key}</kbd>}
    </a>
  )
}

const stepWords = ({ asked: { days } }: TrafficData, way: 'earlier' | 'later') =>
  days === 1 ? `The day ${wayWords[way].words}` : `The ${days} days ${wayWords[way].words}`

function Period(props: Props) {
  const { data, search, shortcuts } = props
  const { asked, today } = data
  const menu = useRef<PageElement | null>(null)
  const shown = useRef(search)
  useEffect(() => {
    // Closes the menu when a choice was answered. The focus stays on its button.
    if (shown.current === search) return
    shown.current = search
    const element = menu.current
    if (!element?.open) return
    if (element.contains(browser.document.activeElement)) element.querySelector('summary')?.focus()
    element.open = false
  }, [search])
  const presets = [
    ...spans.map(({ key, days, label }) => ({ key, label, changes: lastDays(days) })),
    ...(['earlier', 'later'] as const).flatMap((way) => {
      const changes = data[way]
      return changes ? [{ key: wayWords[way].key, label: stepWords(data, way), changes }] : []
    }),
    {
      key: 'x',
      label: asked.compare ? 'Hide the comparison' : 'Compare with the previous period',
      changes: { compare: !asked.compare },
    },
  ]
  return (
    <details class="period" data-menu="" ref={menu}>
      <summary class="button plain">
        <span class="unseen">Period: </span>
        {periodName(data)}
        <Icon name="chevron-down" />
      </summary>
      <div class="menu">
        <nav aria-label="Period">
          {presets.map(({ key, label, changes }) => (
            <a
              key={label}
              href={`?${searchOf(asked, changes)}`}
              aria-current={isShown(asked, changes) ? 'true' : undefined}
            >
              {label} {shortcuts && <kbd>{key}</kbd>}
            </a>
          ))}
        </nav>
        <form method="get" action={props.path} aria-label="Own period" class="own-period">
          <Kept values={{ ...valuesOf(asked, { from: null, to: null }), days: null }} />
          <Day name="from" label="From" value={data.period.date_from} max={today} />
          <Day name="to" label="To" value={data.period.date_to} max={today} />
          <button type="submit" class="button plain">
            Show these days
          </button>
        </form>
      </div>
    </details>
  )
}

const isShown = (asked: TrafficFilters, changes: Partial<TrafficFilters>) =>
  changes.days !== undefined && asked.days === changes.days && asked.from === null && asked.to === null

/** Returns the name of the shown period for the button of the menu. */
export function periodName({ asked, period }: Pick<TrafficData, 'asked' | 'period'>): string {
  const span = spans.find(({ days }) => days === asked.days)
  if (span && asked.from === null && asked.to === null)
    return span.days === 1 ? span.label : `Last ${span.label}`
  return daysInWords(period)
}

/** Returns the days as text: 3 Mar – 9 Apr 2026, or 3 Mar 2026 for one day. */
export function daysInWords({ date_from, date_to }: TrafficData['period']): string {
  const isOfOneYear = date_from.slice(0, 4) === date_to.slice(0, 4)
  return date_from === date_to
    ? formatDay(date_to)
    : `${formatDay(date_from, { year: !isOfOneYear })} – ${formatDay(date_to)}`
}

interface DayProps {
  readonly name: 'from' | 'to'
  readonly label: string
  readonly value: string
  readonly max: string
}

/** Its key is its value, so that another period updates the field. */
const Day = ({ name, label, value, max }: DayProps) => (
  <div class="field" key={value}>
    <label for={`period-${name}`}>{label}</label>
    <input id={`period-${name}`} name={name} type="date" defaultValue={value} max={max} />
  </div>
)
