/** @jsxImportSource ../jsx */
import { createContext, useContext } from '../jsx/hooks'

/** The time zone of a page's workspace, and the time at which the page was made. */
export interface PageTime {
  readonly timezone: string
  /** ISO 8601; null for absolute times. */
  readonly now: string | null
}

const Time = createContext<PageTime>({ timezone: 'UTC', now: null })

/** Sets the time of a page for every `Moment` in it. */
export const TimeOf = Time.Provider

/** The time of the page, for components with their own time formats. */
export const usePageTime = (): PageTime => useContext(Time)

export interface MomentProps {
  /** ISO 8601. If missing, the text is “never”. */
  readonly at: string | undefined
  readonly before?: string
  /** Set inside a link or a button, which gets the focus itself. */
  readonly still?: boolean
  /** Set to show the day within a week too, such as after “until”. */
  readonly isDay?: boolean
}

/**
 * A time in words: relative up to a week, then the day. It is also machine-readable. Hover and focus show the exact
 * time in the workspace's time zone.
 */
export function Moment({ at, before = '', still, isDay }: MomentProps) {
  const time = useContext(Time)
  if (at === undefined) return <>never</>
  const words = (time.now === null || isDay ? null : relative(at, time.now)) ?? dayOf(at, time.timezone)
  const exact = <span class="exact">{` (${exactTime(at, time.timezone)})`}</span>
  if (still)
    return (
      <time datetime={at}>
        {`${before}${words}`}
        {exact}
      </time>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus
    <time datetime={at} tabIndex={0}>
      {`${before}${words}`}
      {exact}
    </time>
  )
}

/** Formats a time: 14 Mar 2026, 13:05 CET. */
export const exactTime = (at: string, timezone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  }).format(new Date(at))

const dayOf = (at: string, timezone: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: timezone }).format(new Date(at))

const minute = 60_000
const week = 7 * 24 * 60

/** Formats a relative time: “3 h ago”, “in 2 days”. Null beyond a week. */
function relative(at: string, now: string): string | null {
  const minutes = Math.round((Date.parse(now) - Date.parse(at)) / minute)
  const far = Math.abs(minutes)
  if (far >= week) return null
  if (far < 1) return 'just now'
  const words =
    far < 60
      ? `${far} min`
      : far < 36 * 60
        ? `${Math.round(far / 60)} h`
        : `${Math.round(far / (24 * 60))} days`
  return minutes > 0 ? `${words} ago` : `in ${words}`
}
