/** @jsxImportSource ../jsx */
import { createContext, useContext } from '../jsx/hooks'

/** How a page tells time: the time zone of its workspace, and the moment at which it was made. */
export interface PageTime {
  readonly timezone: string
  /** ISO 8601; null for absolute times. */
  readonly now: string | null
}

const Time = createContext<PageTime>({ timezone: 'UTC', now: null })

/** Gives a page its time. Every `Moment` below it follows. */
export const TimeOf = Time.Provider

/** The time of the page, for a component that tells time in other words. */
export const usePageTime = (): PageTime => useContext(Time)

export interface MomentProps {
  /** ISO 8601; “never” where it is left out. */
  readonly at: string | undefined
  readonly before?: string
  /** Inside a link or a button, which has the focus itself. */
  readonly still?: boolean
}

/**
 * A moment in words, for machines too: relative up to a week, then the day. The exact time in the workspace's time zone
 * shows on hover and focus.
 */
export function Moment({ at, before = '', still }: MomentProps) {
  const time = useContext(Time)
  if (at === undefined) return <>never</>
  const words = (time.now === null ? null : relative(at, time.now)) ?? dayOf(at, time.timezone)
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

/** 14 Mar 2026, 13:05 CET. */
export const exactTime = (at: string, timezone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone: timezone, timeZoneName: 'short' },
  }).format(new Date(at))

const dayOf = (at: string, timezone: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: timezone }).format(new Date(at))

const minute = 60_000
const week = 7 * 24 * 60

/** “3 h ago”, “in 2 days”; null beyond a week. */
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
