import * as v from 'valibot'
import { defineEntity, defineStates, field, type Row } from '../../kit'

const states = [
  'open',
  'approved',
  'queued',
  'done',
  'failed',
  'declined',
  'expired',
  'outdated',
  'unknown',
] as const

/** Proposal.state. */
export const proposalState = defineStates({
  entity: 'Proposal',
  field: 'state',
  initial: ['open'],
  moves: {
    open: ['approved', 'declined', 'expired', 'outdated'],
    approved: ['queued', 'done', 'open', 'outdated', 'unknown'],
    queued: ['done', 'failed', 'unknown'],
    unknown: ['queued', 'done', 'failed', 'outdated'],
    done: [],
    failed: [],
    declined: [],
    expired: [],
    outdated: [],
  },
  stamps: { approved: 'decided_at', declined: 'decided_at', done: 'done_at' },
  needs: { outdated: ['outcome'], unknown: ['outcome'], failed: ['outcome'] },
})

/** A change that an agent proposed. Only a person can approve it. */
export const Proposal = defineEntity({
  name: 'Proposal',
  summary: 'A change that an agent proposed, and what people decided',
  idPrefix: 'prp',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  people: {
    through: [
      { field: 'record_id', entity: 'Review' },
      { field: 'record_id', entity: 'Mention' },
      { field: 'record_id', entity: 'Lead' },
    ],
    erase: 'row',
  },
  fields: {
    workspace_id: field.text('Workspace of the record'),
    change: field.text('What is proposed, such as reviews send'),
    record_type: field.code('Record type that changes'),
    record_id: field.anyReference('Record that changes'),
    title: field.text('The change in one line'),
    effect: field.text('What happens if a person approves it, with the exact text'),
    reason: field.text('Why, in the words of the agent'),
    proposed_by: field.text('Name of the app, as the app itself states it, or Agent key'),
    state: field.oneOf(
      states,
      'open until a person decides, or it expires. queued: approved, but not sent or published yet. done: sent, published or changed. failed: approved, but not made. outdated: the record changed. unknown: nobody can prove whether it was made',
    ),
    outcome: v.optional(field.text('Why it was declined, failed, is outdated, or waits')),
    expires_at: field.instant('When it expires if nobody decides'),
    decided_at: v.optional(field.instant('When a person approved or declined it')),
    done_at: v.optional(field.instant('When the change was made')),
    input: field.anything('Input of the change'),
    basis: field.text('Version of the record that it is based on'),
    digest: field.text('Digest of the change, its input, its basis and its effect'),
    credential: field.text('Credential that proposed it'),
    page: field.text('Page of the record'),
    decided_by: v.optional(field.text('Person who decided')),
    act: v.optional(field.text('What the outcome of a queued change is found by')),
    expire_at: field.instant('When the proposal is deleted'),
  },
  hidden: [
    'workspace_id',
    'input',
    'basis',
    'digest',
    'credential',
    'page',
    'decided_by',
    'act',
    'expire_at',
  ],
  immutable: [
    'workspace_id',
    'change',
    'record_type',
    'record_id',
    'title',
    'effect',
    'reason',
    'proposed_by',
    'input',
    'basis',
  ],
  opaque: ['input'],
  states: [proposalState],
  sortable: ['created_date', 'expires_at'],
  indexes: [
    { on: ['digest'], unique: true, where: { state: 'open' } },
    { on: ['state'] },
    { on: ['record_id'] },
    { on: ['expire_at'], ttlSeconds: 0 },
  ],
})

export type ProposalRow = Row<typeof Proposal>
