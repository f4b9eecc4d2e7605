import { formatDay, formatNumber } from 'renown/web'
import type { ChangeEpisode } from '../records/TrafficChange'

type Told = Pick<ChangeEpisode, 'agent' | 'kind' | 'began' | 'last_day' | 'usual' | 'hits'>

/** Returns the text about a change, for the inbox and a notification. */
export function changeWords({ agent, kind, began, last_day, usual, hits }: Told) {
  const day = `${formatNumber(Math.round(usual))} ${Math.round(usual) === 1 ? 'hit' : 'hits'}`
  if (kind === 'silent')
    return {
      title: 'No crawler was counted any more',
      text: `No hit has come since ${formatDay(began)}; a usual day before had ${day}. Check whether the log is still sent.`,
    }
  if (kind === 'stopped')
    return {
      title: `${agent} stopped coming`,
      text: `It has not come since ${formatDay(began)}; a usual day before had ${day}. Other crawlers still come. Check whether robots.txt or a firewall refuses it.`,
    }
  return {
    title: `${agent} came ${formatNumber(hits)} times in a day`,
    text: `${formatDay(last_day)} had more than three times as many hits as any day of the eight weeks before. A usual day had ${day}.`,
  }
}
