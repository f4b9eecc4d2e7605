/** @jsxImportSource ../jsx */
import { dayOfTime, exactTime } from '../../../kit/page-locale'
import { usePageTime } from '../browser/page-time'
import { type PartWords, usePageLanguage, usePartWords } from './language'

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
  const { now, timezone } = usePageTime()
  const { lang } = usePageLanguage()
  const words = usePartWords()
  if (at === undefined) return <>{words('never')}</>
  const near = now === null || isDay ? null : relative(at, now, words)
  return (
    // The exact time shows on focus.
    <time datetime={at} tabIndex={still ? undefined : 0}>
      {`${before}${near ?? dayOfTime(at, timezone, lang)}`}
      <span class="exact">{` (${exactTime(at, timezone, lang)})`}</span>
    </time>
  )
}

const minute = 60_000
const week = 7 * 24 * 60

/** Returns a relative time: “3 h ago”, “in 2 days”. Null beyond a week. */
function relative(at: string, now: string, words: PartWords): string | null {
  const minutes = Math.round((Date.parse(now) - Date.parse(at)) / minute)
  const far = Math.abs(minutes)
  if (far >= week) return null
  if (far < 1) return words('justNow')
  const isPast = minutes > 0
  if (far < 60) return words(isPast ? 'pastMinutes' : 'nextMinutes', { count: far })
  if (far < 36 * 60) return words(isPast ? 'pastHours' : 'nextHours', { count: Math.round(far / 60) })
  return words(isPast ? 'pastDays' : 'nextDays', { count: Math.round(far / (24 * 60)) })
}
