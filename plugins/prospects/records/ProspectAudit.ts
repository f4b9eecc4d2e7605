import { defineEntity, defineStates, field } from 'renown'
import * as v from 'valibot'

const { anything, code, instant, number, oneOf, text } = field

const findings = v.object({
  reviews: v.optional(anything('What its reviews say')),
  profile: v.optional(anything('What its profile lacks')),
  visibility: v.optional(anything('What AI assistants answer about it')),
  traffic: v.optional(anything('How its website treats AI crawlers')),
  mentions: v.optional(anything('What people write about it')),
})

/** ProspectAudit.status. If its worker ended, an audit is queued again. Both end states are final. */
export const auditStatus = defineStates({
  entity: 'ProspectAudit',
  field: 'status',
  initial: ['queued'],
  moves: {
    queued: ['running', 'failed'],
    running: ['completed', 'failed', 'queued'],
    completed: [],
    failed: [],
  },
  stamps: { completed: 'completed_at', failed: 'completed_at' },
  needs: { failed: ['error'] },
})

/** An audit of a business that an agency pitches to. One per prospect location. */
export const ProspectAudit = defineEntity({
  name: 'ProspectAudit',
  summary: 'An audit of a business that the agency pitches to',
  idPrefix: 'aud',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    workspace_id: code('Workspace that pitches'),
    location_id: code('The prospect'),
    business_name: text('Name of the business'),
    website: v.optional(text('Its website')),
    status: oneOf(
      ['queued', 'running', 'completed', 'failed'],
      'State of the audit. completed and failed are final',
    ),
    score: v.optional(
      number('Total score, from the known parts. Absent if too little is known', {
        min: 0,
        max: 100,
      }),
    ),
    findings: v.optional(
      v.pipe(findings, v.description('Findings, each part with method and time, and what is unknown')),
    ),
    report_id: v.optional(code('Report made from it')),
    completed_at: v.optional(instant('When it ended')),
    error: v.optional(text('Why it failed')),
  },
  searchable: ['business_name'],
  states: [auditStatus],
  sortable: ['created_date', 'updated_date', 'score', 'completed_at'],
  indexes: [{ on: ['location_id', 'workspace_id'], unique: true }, { on: ['status', '-created_date'] }],
})
