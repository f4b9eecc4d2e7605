import type { PageContext } from 'renown/pages'
import { channelNames } from '../records/channel-names'
import { type Channel, channels } from '../records/channels'
import { leadsSource } from '../sources/source'

/** A channel that a tracker can search. */
export interface SourceChoice {
  readonly channel: Channel
  readonly label: string
  /** What must be set up first. Null if it can be searched now. */
  readonly needs: string | null
}

/** Returns the channels that an installed source reads. Those that can be searched now come first. */
export function sourceChoices(ctx: Pick<PageContext, 'system'>): SourceChoice[] {
  const sources = ctx.system.extensions(leadsSource)
  const choices = channels.flatMap((channel): SourceChoice[] => {
    const own = sources.filter((one) => one.channels.includes(channel) && one.name !== 'inbound')
    if (own.length === 0) return []
    const needs = own.map((source) => source.needs(ctx.system))
    const isReady = needs.some((names) => names.length === 0)
    const wanted = needs.map((names) => names.join(' and ')).join(', or ')
    return [{ channel, label: channelNames[channel], needs: isReady ? null : wanted }]
  })
  return [...choices.filter(({ needs }) => needs === null), ...choices.filter(({ needs }) => needs !== null)]
}
