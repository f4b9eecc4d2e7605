import { runDeclared, type SystemReads, where } from 'renown'
import { defineLocationAction, defineLocationCard } from 'renown/locations'
import { sentenceAfter } from 'renown/pages'
import * as v from 'valibot'
import { auditProspect } from '../audit/commands'
import type { Audit } from '../records/auditStatus'
import { ProspectAudit } from '../records/ProspectAudit'
import { makePitch } from '../report/pitch'
import type { AuditCardData } from './audit-card'
import { auditWords } from './audit-words'

const module = new URL('./audit-card.tsx', import.meta.url)

/** The audit of a prospect, with a form that starts one. */
export const auditCard = defineLocationCard<AuditCardData>({
  name: 'audit',
  order: 10,
  module,
  load: async ({ system }, { id, is_prospect }) =>
    is_prospect ? { audit: await auditOf(system, id), isProspect: true } : null,
  actions: {
    audit: defineLocationAction({
      input: v.strictObject({ again: v.optional(v.string()) }),
      done: sentenceAfter(auditProspect),
      async run({ owner }, { id: location_id }, { again }) {
        await runDeclared(auditProspect.command, owner, { location_id, again: again === 'yes' })
      },
    }),
    pitch: defineLocationAction({
      input: v.strictObject({}),
      done: sentenceAfter(makePitch),
      async run({ owner }, { id: location_id }) {
        const { report_id } = await runDeclared(makePitch.command, owner, { location_id })
        return { to: `/app/reports/one?report=${report_id}&done=queued` }
      },
    }),
  },
  column: {
    title: 'Audit',
    of: 'prospects',
    async texts({ system }, ids) {
      const own = { where: where.in('location_id', [...ids]), limit: ids.length }
      const audits = ids.length === 0 ? [] : await system.rows(ProspectAudit).list(own)
      const byLocation = new Map(audits.map((audit) => [audit.location_id, audit]))
      return new Map(ids.map((id) => [id, auditWords(byLocation.get(id) ?? null)]))
    },
  },
})

/** The audit of a business that has since signed, below current data. */
export const pastAuditCard = defineLocationCard<AuditCardData>({
  name: 'past-audit',
  order: 90,
  module,
  async load({ system }, { id, is_prospect }) {
    const audit = is_prospect ? null : await auditOf(system, id)
    return audit && { audit, isProspect: false }
  },
})

async function auditOf({ rows }: SystemReads, location_id: string): Promise<Audit | null> {
  const [audit] = await rows(ProspectAudit).list({ where: where.eq('location_id', location_id), limit: 1 })
  return audit ?? null
}
