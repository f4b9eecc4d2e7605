import { formatDay, formatNumber } from 'renown/web'
import type { ReportedEpisode } from '../sums/readSpoofed'

/** Returns the text about an episode of spoofed hits, for the inbox and a notification. */
export const spoofedWords = ({ spoofed_hits, agent, date, began, usual }: ReportedEpisode) => ({
  title: `${formatNumber(spoofed_hits)} hits pretended to be ${agent === null ? 'AI crawlers' : `AI crawlers, most of them ${agent}`}`,
  text: [
    `On ${formatDay(date)}, their addresses were outside the ranges of the operators they named.`,
    `A usual day of the four weeks before ${began === date ? 'it' : formatDay(began)} had ${formatNumber(Math.round(usual))}.`,
    'Block these addresses if they overload your server.',
  ].join(' '),
})
