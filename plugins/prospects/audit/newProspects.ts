import { type JobDeclaration, nullIfConflict, type OwnerContext, where } from 'renown'
import type { Audit } from '../records/auditStatus'
import { BusinessLocation, type Prospect } from '../records/foreign'
import { auditStatus, ProspectAudit } from '../records/ProspectAudit'

const unended = Object.entries(auditStatus.moves).flatMap(([state, next]) => (next.length > 0 ? [state] : []))

/** Starts one audit for each prospect. Queues it again if its job was lost. */
export const newProspects: JobDeclaration = {
  summary: 'Queues an audit for each prospect that has none',
  everyMs: 60_000,
  async run(ctx, signal) {
    const real = where.and(where.eq('is_prospect', true), where.ne('is_demo', true))
    for await (const prospects of ctx.rows(BusinessLocation).pages({ where: real, signal })) {
      const ids = prospects.map(({ id }) => id)
      const audits = await ctx.rows(ProspectAudit).list({ where: where.in('location_id', ids) })
      const known = new Set(audits.map(({ location_id }) => location_id))
      for (const prospect of prospects) if (!known.has(prospect.id)) await startAudit(ctx, prospect)
    }
    const open = where.in('status', unended)
    for await (const audits of ctx.rows(ProspectAudit).pages({ where: open, signal })) {
      const ids = audits.map(({ location_id }) => location_id)
      const demos = where.and(where.in('id', ids), where.eq('is_demo', true))
      const madeUp = new Set((await ctx.rows(BusinessLocation).list({ where: demos })).map(({ id }) => id))
      for (const audit of audits) if (!madeUp.has(audit.location_id)) await putIn(ctx, audit)
    }
  },
}

/** Starts an audit of one business immediately, by the same rules. */
export async function auditAtOnce(
  ctx: OwnerContext,
  { location_id = '' }: { readonly location_id?: string },
): Promise<void> {
  const prospect = await ctx.rows(BusinessLocation).get(location_id)
  if (prospect?.is_prospect && prospect.is_demo !== true) await startAudit(ctx, prospect)
}

/** Starts an audit. Null if the prospect already has one. */
export async function startAudit(ctx: OwnerContext, prospect: Prospect): Promise<Audit | null> {
  const queued = {
    workspace_id: prospect.workspace_id,
    location_id: prospect.id,
    status: 'queued' as const,
    business_name: prospect.business_name,
    ...(prospect.website === undefined ? {} : { website: prospect.website }),
  }
  const audit = await ctx.rows(ProspectAudit).insert(queued).catch(nullIfConflict)
  if (audit !== null) await putIn(ctx, audit)
  return audit
}

const putIn = (ctx: OwnerContext, { id, workspace_id }: Audit) =>
  ctx.enqueue('audit-prospect', { workspace_id, key: id, payload: { audit_id: id } })
