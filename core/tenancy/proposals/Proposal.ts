import * as v from 'valibot'
import { defineEntity, defineStates, field, type Row } from '../../kit'

const states = ['open', 'approved', 'done', 'declined', 'expired', 'outdated', 'unknown'] as const

/** A change that an agent proposed. Only a person can approve it. */
export const Proposal = defineEntity({
  name: 'Proposal',
  summary: 'A change that an agent proposed, and what people decided',
  idPrefix: 'prp',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  fields: {
    workspace_id: field.text('Workspace of the record'),
    change: field.text('What is proposed, such as reviews send'),
    record_type: field.code('Record type that changes'),
    record_id: field.code('Record that changes'),
    title: field.text('The change in one line'),
    effect: field.text('What happens if a person approves it, with the exact text'),
    reason: field.text('Why, in the words of the agent'),
    proposed_by: field.text('Name of the app, as the app itself states it, or Agent key'),
    state: field.oneOf(
      states,
      'open until a person decides, or it expires. outdated: the record changed. unknown: Renown stopped while it made the change',
    ),
    outcome: v.optional(field.text('Why it was declined, is outdated or is open again')),
    expires_at: field.instant('When it expires if nobody decides'),
    decided_at: v.optional(field.instant('When a person approved or declined it')),
    done_at: v.optional(field.instant('When the change was made')),
    input: field.anything('Input of the change'),
    basis: field.text('Version of the record that it is based on'),
    digest: field.text('Digest of the change, its input and its basis'),
    credential: field.text('Credential that proposed it'),
    page: field.text('Page of the record'),
    decided_by: v.optional(field.text('Person who decided')),
    expire_at: field.instant('When the proposal is deleted'),
  },
  hidden: ['workspace_id', 'input', 'basis', 'digest', 'credential', 'page', 'decided_by', 'expire_at'],
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
  sortable: ['created_date', 'expires_at'],
  indexes: [
    { on: ['digest'], unique: true, where: { state: 'open' } },
    { on: ['state'] },
    { on: ['record_id'] },
    { on: ['expire_at'], ttlSeconds: 0 },
  ],
})

export type ProposalRow = Row<typeof Proposal>

/** Proposal.state. */
export const proposalState = defineStates({
  entity: 'Proposal',
  field: 'state',
  initial: ['open'],
  moves: {
    open: ['approved', 'declined', 'expired', 'outdated'],
    approved: ['done', 'open', 'outdated', 'unknown'],
    unknown: ['done', 'outdated'],
    done: [],
    ...{ declined: [], expired: [], outdated: [] },
  },
  stamps: { approved: 'decided_at', declined: 'decided_at', done: 'done_at' },
  needs: { outdated: ['outcome'], unknown: ['outcome'] },
})
