/** @jsxImportSource ../jsx */
import { exactTime } from '../../../kit/page-locale'
import type { LiveState } from '../browser/live-source'
import { usePageTime } from '../browser/page-time'
import { browser } from '../jsx/browser'
import { useEffect, useRef, useState } from '../jsx/hooks'
import { usePageLanguage, usePartWords } from '../parts/language'

/** How long the page shows that it is connected again. */
const backMs = 8_000

/**
 * Shows that live updates stopped, how old the data is, and when updates are back. Pass what `useLive`
 * returns.
 */
export function LiveNotice({ state }: { readonly state: LiveState }) {
  const { timezone, now } = usePageTime()
  const words = usePartWords()
  const { lang } = usePageLanguage()
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
  const age = now === null ? '' : words('dataOf', { time: exactTime(now, timezone, lang) })
  return (
    <div class={isLost || isBack ? 'live-notice' : 'unseen'} role="status">
      {isLost && (
        <div class="notice warn">
          <h2>{words('liveStopped')}</h2>
          <div>{`${words('reconnecting')} ${age}`.trim()}</div>
        </div>
      )}
      {!isLost && isBack && (
        <div class="notice good">
          <h2>{words('liveBack')}</h2>
          <div>{age}</div>
        </div>
      )}
    </div>
  )
}
