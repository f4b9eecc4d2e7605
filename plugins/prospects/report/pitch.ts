import { defineAct, Refusal, where } from 'renown'
import { queueReport, type ReportTemplate } from 'renown/reports'
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

/** Makes a pitch report from the completed audit of a prospect, and notes it in the audit. */
export const makePitch = defineAct({
  name: 'prospect report create',
  summary: 'Make a pitch report from the completed audit of a prospect',
  on: { entity: BusinessLocation, field: 'location_id', called: 'location' },
  label: 'Make pitch report',
  done: 'The pitch report is being made.',
  audit: {
    action: 'location.pitch',
    what: 'Pitch report of a prospect made',
    subject: (_, { business_name }) => business_name,
  },
  async run(ctx, { row: location }) {
    const { id: location_id } = location
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
    const { template } = pitchTemplate
    const { id: report_id, status } = await queueReport(ctx, { location_id, template })
    const same = where.and(where.eq('id', audit.id), where.eq('status', 'completed'))
    await ctx.rows(ProspectAudit).updateWhere(same, { report_id })
    return { answer: { location_id, report_id, status }, created: report_id }
  },
})
