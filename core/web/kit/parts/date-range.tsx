/** @jsxImportSource ../jsx */
import { formatPeriod } from '../browser/format'

export interface DateRangeProps {
  /** The path of the page. */
  readonly action: string
  readonly presets: readonly {
    readonly label: string
    /** The query of the preset. */
    readonly href: string
    readonly isCurrent: boolean
    /** The key of the preset, for pages that pass it to `useKeys`. */
    readonly key?: string
  }[]
  /** The first shown day, such as 2026-03-14. */
  readonly from: string
  readonly to: string
  /** The latest day that can be chosen. */
  readonly max?: string
  /** Other values of the address, which stay. */
  readonly keep?: Readonly<Record<string, string>>
  /** Shows the keys next to the presets. */
  readonly shortcuts?: boolean
}

/** Chooses the days of a page: presets as links, and any two days with a form that changes the address. */
export const DateRange = (props: DateRangeProps) => (
  <div class="range">
    <nav class="segments" aria-label="Period">
      {props.presets.map(({ label, href, isCurrent, key }) => (
        <a key={label} href={href} aria-current={isCurrent ? 'true' : undefined}>
          {label} {props.shortcuts && key && <kbd>{key}</kbd>}
        </a>
      ))}
    </nav>
    <details class="evidence">
      <summary>{formatPeriod({ date_from: props.from, date_to: props.to })}</summary>
      <div>
        <form method="get" action={props.action} aria-label="Own period">
          {Object.entries(props.keep ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Day name="from" label="From" value={props.from} max={props.max} />
          <Day name="to" label="To" value={props.to} max={props.max} />
          <button type="submit" class="button plain">
            Show
          </button>
        </form>
      </div>
    </details>
  </div>
)

interface DayProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly max: string | undefined
}

const Day = ({ name, label, value, max }: DayProps) => (
  <div class="field">
    <label for={`range-${name}`}>{label}</label>
    <input id={`range-${name}`} name={name} type="date" defaultValue={value} max={max} />
  </div>
)
