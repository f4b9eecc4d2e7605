import type { ChangeEpisode } from '../records/TrafficChange'
import { trafficWords } from '../words'

type Told = Pick<ChangeEpisode, 'agent' | 'kind' | 'began' | 'last_day' | 'usual' | 'hits'>

/** Returns the words about a change, for the inbox and a notification. */
export function changeWords({ agent, kind, began, last_day, usual, hits: count }: Told) {
  const hits = trafficWords('hits', { count: Math.round(usual) })
  const day = { day: began }
  if (kind === 'silent')
    return { title: trafficWords('noneCounted'), text: trafficWords('noneSince', { day, hits }) }
  if (kind === 'stopped')
    return { title: trafficWords('agentStopped', { agent }), text: trafficWords('agentSince', { day, hits }) }
  return {
    title: trafficWords('agentJumped', { agent, count }),
    text: trafficWords('jumpText', { day: { day: last_day }, hits }),
  }
}
