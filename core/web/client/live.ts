import { useEffect, useRef, useState } from '../jsx/hooks'
import { browser } from './browser'

export type LiveState = 'connecting' | 'live' | 'lost'

/** Hears a topic of the page, `/app/events/<topic>?…`, while it is shown; null listens to nothing. */
export function useLive<News>(url: string | null, heard: (news: News) => void): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const listener = useRef(heard)
  listener.current = heard
  useEffect(() => {
    if (url === null) return
    const source = new browser.EventSource(url)
    source.onopen = () => setState('live')
    source.onerror = () => setState('lost')
    source.onmessage = ({ data }) => listener.current(JSON.parse(data) as News)
    return () => source.close()
  }, [url])
  return state
}
