import { useEffect, useRef, useState } from '../jsx/hooks'
import { browser } from './browser'
import { type LiveState, openLive } from './live-source'

export type { LiveState }

/**
 * Hears a topic of the page, `/app/events/<topic>?…`, while it is shown; null listens to nothing. `resumed` runs when the stream
 * is open again after an interruption: fetch the data again there, because news in between were not sent.
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
      url,
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
