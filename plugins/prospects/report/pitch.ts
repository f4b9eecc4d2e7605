import { defineCommand, field, type OwnerContext, Refusal, requireRow, where } from 'renown'
import { queueReport, type ReportTemplate } from 'renown/reports'
import * as v from 'valibot'
import { BusinessLocation } from '../records/foreign'
import { ProspectAudit } from '../records/ProspectAudit'

/** The kind of report that an agency shows to a business that it pitches to. */
export const pitchTemplate: ReportTemplate = {
  name: 'prospect-pitch',
  template: 'prospect_pitch',
  title: 'Online presence check',
  summary: 'What anybody can see about a business that the agency pitches to, from its audit',
  sections: ['pitch'],
  about: 'prospect',
}

/** Queues a pitch report from the completed audit of a prospect, and notes it in the audit. */
export async function makePitch(
  ctx: OwnerContext,
  location_id: string,
): Promise<{ readonly report_id: string; readonly status: string }> {
  const location = await requireRow(ctx.rows(BusinessLocation), 'location', location_id)
  if (location.is_demo) throw new Refusal('conflict', 'The location belongs to the demo.')
  if (!location.is_prospect) {
    throw new Refusal('conflict', 'Only prospects get a pitch report. Make another report of this client.')
  }
  const own = where.and(where.eq('location_id', location_id), where.eq('status', 'completed'))
  const [audit] = await ctx.rows(ProspectAudit).list({ where: own, limit: 1 })
  if (!audit) {
    throw new Refusal(
      'conflict',
      'The prospect has no completed audit. Audit it first, then make the report.',
    )
  }
  const { id: report_id, status } = await queueReport(ctx, { location_id, template: pitchTemplate.template })
  const same = where.and(where.eq('id', audit.id), where.eq('status', 'completed'))
  await ctx.rows(ProspectAudit).updateWhere(same, { report_id })
  await ctx.recordAudit({
    workspace_id: location.workspace_id,
    subject: location.business_name,
    by: ctx.by,
    action: 'location.pitch',
    what: 'Pitch report of a prospect made',
  })
  return { report_id, status }
}

/** Makes a pitch report of a prospect. */
export const pitchCommand = defineCommand({
  name: 'prospect report create',
  summary: 'Make a pitch report from the completed audit of a prospect',
  input: v.strictObject({ location_id: field.text('The prospect') }),
  positional: ['location_id'],
  run: async (ctx, { location_id }) => ({ location_id, ...(await makePitch(ctx, location_id)) }),
})
