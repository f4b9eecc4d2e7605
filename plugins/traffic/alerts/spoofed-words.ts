import type { ReportedEpisode } from '../sums/readSpoofed'
import { trafficWords } from '../words'

/** Returns the words about an episode of spoofed hits, for the inbox and a notification. `text` is a list of sentences. */
export function spoofedWords({ spoofed_hits: count, agent, date, began, usual }: ReportedEpisode) {
  const hits = Math.round(usual)
  return {
    title:
      agent === null ? trafficWords('pretended', { count }) : trafficWords('pretendedMost', { count, agent }),
    text: [
      trafficWords('outsideRanges', { day: { day: date } }),
      began === date
        ? trafficWords('usualBefore', { hits })
        : trafficWords('usualBeforeDay', { day: { day: began }, hits }),
      trafficWords('blockThem'),
    ],
  }
}
