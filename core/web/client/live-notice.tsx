/** @jsxImportSource ../jsx */
import { useEffect, useRef, useState } from '../jsx/hooks'
import { exactTime, usePageTime } from '../parts/moment'
import { browser } from './browser'
import type { LiveState } from './live-source'

/** How long the page shows that it is connected again. */
const backMs = 8_000

/**
 * Shows that live updates stopped, how old the data is, and when updates are back. Pass what `useLive`
 * returns.
 */
export function LiveNotice({ state }: { readonly state: LiveState }) {
  const { timezone, now } = usePageTime()
  const wasLost = useRef(false)
  const [isBack, setBack] = useState(false)
  useEffect(() => {
    if (state === 'lost') {
      wasLost.current = true
      setBack(false)
      return
    }
    if (state !== 'live' || !wasLost.current) return
    wasLost.current = false
    setBack(true)
    const timer = browser.setTimeout(() => setBack(false), backMs)
    return () => browser.clearTimeout(timer)
  }, [state])
  const isLost = state === 'lost'
  const time = now === null ? null : exactTime(now, timezone)
  return (
    <div class={isLost || isBack ? 'live-notice' : 'unseen'} role="status">
      {isLost && (
        <div class="notice warn">
          <h2>Live updates stopped</h2>
          <div>Reconnecting…{time && ` Showing data of ${time}.`}</div>
        </div>
      )}
      {!isLost && isBack && (
        <div class="notice good">
          <h2>Live updates are back</h2>
          <div>{time && `Showing data of ${time}.`}</div>
        </div>
      )}
    </div>
  )
}
