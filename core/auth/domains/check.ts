import { isRefusal, type Refusal, recoverIf } from '../../contracts/errors'
import type { JobDeclaration } from '../../contracts/plugin'
import { dayMs, minuteMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { WhiteLabelDomain } from '../../tenancy/domains/WhiteLabelDomain'
import { applyFound, type Domain } from './domains'
import { lookFor } from './record'

/**
 * Checks the DNS records: of pending domains at every run, of the others once a day. Failed domains are not
 * checked again.
 */
export const domainCheck: JobDeclaration = {
  summary: 'Look for the DNS records of white-label domains',
  everyMs: 10 * minuteMs,
  async run(ctx, signal) {
    const watched = where.in('state', ['pending', 'verified', 'lapsed'])
    const now = ctx.now().getTime()
    for await (const domain of ctx.rows(WhiteLabelDomain).each({ where: watched })) {
      if (signal.aborted) return
      if (!isDue(domain, now)) continue
      const found = await lookFor(domain, ctx.outbound.dns)
      const note = ({ message: reason }: Refusal) =>
        ctx.log.info('a domain was not moved', { domain: domain.domain, reason })
      await applyFound(ctx, domain, found).catch(recoverIf(isRefusal, note))
    }
  },
}

/**
 * A verified domain with a missing record is checked more often, so that a corrected record is found soon.
 */
const isDue = ({ state, checked_at, missing_since }: Domain, now: number) => {
  if (state === 'pending' || checked_at === undefined || missing_since !== undefined) return true
  return now - Date.parse(checked_at) >= dayMs
}
