import type { OwnerContext } from '../../contracts/plugin'
import { type Where, where } from '../../contracts/where'
import { auditOf } from '../../tenancy/audit/audit'
import { OAuthGrant } from '../oauth/grants/OAuthGrant'
import { Session } from '../Session'

/** Ends all access at a domain: connected apps and sessions. With `exceptAgencyId`, the access of that agency stays. */
export async function endAccess(ctx: OwnerContext, domain: string, exceptAgencyId?: string): Promise<void> {
  const host = `https://${domain}`
  const there = (...more: Where[]) =>
    where.and(
      where.eq('host', host),
      ...(exceptAgencyId === undefined ? [] : [where.ne('agency_id', exceptAgencyId)]),
      ...more,
    )
  await ctx.rows(Session).removeWhere(there())
  const grants = ctx.rows(OAuthGrant)
  for (;;) {
    const ended = await grants.updateWhere(there(where.eq('is_revoked', false)), {
      is_revoked: true,
      revoked_at: ctx.now().toISOString(),
      revoked_reason: 'domain_removed',
    })
    if (!ended) return
    const { id, agency_id, client_name } = ended
    await auditOf(ctx).record({
      agency_id,
      host,
      action: 'app.domain_removed',
      credential: id,
      subject: client_name,
    })
  }
}
