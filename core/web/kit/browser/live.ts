import { browser } from '../jsx/browser'
import { useEffect, useRef, useState } from '../jsx/hooks'
import { here } from './addresses'
import { type LiveState, openLive } from './live-source'

export type { LiveState }

/**
 * Listens to a topic, `/app/events/<topic>?…`, while the page is shown. Null listens to nothing. `resumed`
 * runs when the stream is open again after an interruption. Fetch the data again there, because events in
 * between were not sent.
 */
export function useLive<News>(
  url: string | null,
  heard: (news: News) => void,
  resumed?: () => void,
): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const listener = useRef({ heard, resumed })
  listener.current = { heard, resumed }
  useEffect(() => {
    if (url === null) return
    return openLive(
      here(url),
      {
        state: setState,
        message: (data) => listener.current.heard(JSON.parse(data) as News),
        resumed: () => listener.current.resumed?.(),
      },
      browser,
    )
  }, [url])
  return state
}
