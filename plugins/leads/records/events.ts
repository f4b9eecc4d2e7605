import { defineEvent, field, type OwnerContext, type Row } from 'renown'
import * as v from 'valibot'
import { Lead } from './Lead'
import { Mention } from './Mention'

const mention_id = field.code('The mention')
const lead_id = field.code('The lead')
const leadExample = 'led_01JZ8M0000000000000000000A'
const mentionExample = 'mnt_01JZ8M0000000000000000000A'

/** A mention that was judged relevant. */
export const mentionFound = defineEvent({
  name: 'mention.found',
  summary: 'A post was found that mentions the business or its market, and it may be relevant.',
  data: v.strictObject({
    mention_id,
    tracker_id: field.code('The tracker that found it'),
    source: field.code('Where it was found'),
    relevance: field.oneOf(['relevant', 'maybe'], 'How relevant it is'),
  }),
  example: {
    mention_id: mentionExample,
    tracker_id: 'btr_01JZ8M0000000000000000000A',
    source: 'forum',
    relevance: 'relevant' as const,
  },
})

/** A new lead. */
export const leadCreated = defineEvent({
  name: 'lead.created',
  summary: 'The author of a mention may want to buy, and became a lead.',
  data: v.strictObject({
    lead_id,
    mention_id,
    source: v.optional(field.code('Where the mention was found')),
    intent_score: field.number('How clearly the author wants to buy', { min: 0, max: 100 }),
  }),
  example: { lead_id: leadExample, mention_id: mentionExample, source: 'forum', intent_score: 82 },
})

/** A lead that a person moved. */
export const leadStageChanged = defineEvent({
  name: 'lead.stage_changed',
  summary: 'A person moved a lead to another stage.',
  data: v.strictObject({
    lead_id,
    from: field.code('The stage before'),
    stage: field.code('The stage now'),
  }),
  example: { lead_id: leadExample, from: 'new', stage: 'contacted' },
})

/** The events of mentions and leads. */
export const leadEvents = [mentionFound, leadCreated, leadStageChanged]

type LeadRow = Row<typeof Lead>

type Made = Pick<LeadRow, 'id' | 'workspace_id' | 'location_id' | 'mention_id' | 'source' | 'intent_score'>

const aboutLead = ({
  id,
  workspace_id,
  location_id,
}: Pick<LeadRow, 'id' | 'workspace_id' | 'location_id'>) => ({
  workspace_id,
  location_id,
  entity: Lead.name,
  entity_id: id,
})

/** Publishes a mention that was judged, unless it is irrelevant or a copy. One that is not judged may be relevant. Can be repeated. */
export async function publishMention(
  ctx: OwnerContext,
  { id, workspace_id, location_id, tracker_id, source, duplicate_of }: Row<typeof Mention>,
  relevance: 'relevant' | 'maybe' | 'irrelevant' | null,
): Promise<void> {
  if (relevance === 'irrelevant' || duplicate_of !== undefined) return
  await ctx.publish(mentionFound, {
    workspace_id,
    location_id,
    entity: Mention.name,
    entity_id: id,
    key: id,
    data: { mention_id: id, tracker_id, source, relevance: relevance ?? 'maybe' },
  })
}

/** Publishes a new lead. Can be repeated. */
export async function publishLead(ctx: OwnerContext, lead: LeadRow): Promise<void> {
  await ctx.publish(leadCreated, leadEvent(lead))
}

/** Returns the event of a new lead. */
export function leadEvent(lead: Made) {
  const { id, mention_id, source, intent_score } = lead
  return {
    ...aboutLead(lead),
    key: id,
    data: { lead_id: id, mention_id, intent_score, ...(source === undefined ? {} : { source }) },
  }
}

/**
 * Publishes that a lead moves. Call it before the write, so that the event is not lost if the process ends in between.
 * Hold the lock of the lead, so that no refused move has an event.
 */
export async function publishMove(ctx: OwnerContext, lead: LeadRow, stage: LeadRow['stage']): Promise<void> {
  await ctx.publish(leadStageChanged, {
    ...aboutLead(lead),
    key: `${lead.id} ${lead.updated_date} ${stage}`,
    data: { lead_id: lead.id, from: lead.stage, stage },
  })
}
