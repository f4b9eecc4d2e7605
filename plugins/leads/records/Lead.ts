import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { leadStages } from './leadStages'

const { code, flag, instant, integer, number, oneOf, text } = field

const contact = v.object({
  field: oneOf(['first_name', 'last_name', 'email', 'phone', 'suburb', 'postcode'], 'Field of the lead'),
  in: oneOf(['title', 'body'], 'Part of the mention'),
  start: integer('Position of its first character', { min: 0 }),
  end: integer('Position after its last character', { min: 0 }),
  mention_id: v.optional(
    code('Later mention of the author that contains it. Absent: the mention of the lead'),
  ),
})

/** A person who may buy, found in a mention. Archived leads are left out of lists unless the filter names the field. */
export const Lead = defineEntity({
  name: 'Lead',
  summary: 'A sales lead: a person who may buy, found in a mention',
  idPrefix: 'led',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: {
    who: { name: [['first_name', 'last_name']], email: ['email'], phone: ['phone'] },
    through: [{ field: 'mention_id', entity: 'Mention' }],
    erase: {
      first_name: null,
      last_name: null,
      phone: null,
      email: null,
      suburb: null,
      postcode: null,
      contacts: null,
      intent_reason: null,
      notes: null,
      next_step: null,
      lost_reason: null,
      dispatch_key: null,
      is_dispatched: null,
    },
  },
  fields: {
    mention_id: code('Mention the lead was found in'),
    tracker_id: code('Tracker that found the mention'),
    location_id: code('Business location the lead is for'),
    intent_score: number('How clearly the person wants to buy', { min: 0, max: 100 }),
    intent_reason: v.optional(text('Reasons for the score')),
    intent_method: v.optional(
      code('Rules, and the model if it counted, that gave the score, such as intent.rules@1'),
    ),
    stage: oneOf(['new', 'contacted', 'qualified', 'won', 'lost'], 'Stage of the lead'),
    stage_changed_at: v.optional(instant('When the stage last changed')),
    notes: v.optional(text('Notes by people')),
    assigned_to: v.optional(text('Person who handles the lead')),
    next_step: v.optional(text('What to do next')),
    due_at: v.optional(instant('When the next step is due')),
    lost_reason: v.optional(text('Why the lead was lost. Present while the stage is lost')),
    first_name: v.optional(text('First name')),
    last_name: v.optional(text('Last name')),
    phone: v.optional(text('Telephone number')),
    email: v.optional(text('Email address')),
    suburb: v.optional(text('Suburb')),
    postcode: v.optional(text('Postcode')),
    contacts: v.optional(
      v.pipe(
        v.array(contact),
        v.description('Where in the public text each contact detail is. Only details from the text have one'),
      ),
    ),
    source: v.optional(code('Where the lead was found')),
    is_archived: flag('The lead is archived, whatever its stage'),
    archived_at: v.optional(instant('When the lead was archived')),
    seen_at: v.optional(v.nullable(instant('When the lead was first seen; null or absent while unseen'))),
    stale_post: v.optional(
      flag(
        'The source post was already older than LEAD_STALE_POST_FLAG_DAYS (default 30) when it was found. Set once and never changed',
      ),
    ),
    stale_post_age_days: v.optional(
      integer('Age of the source post in days when the lead was made; set together with stale_post', {
        min: 0,
      }),
    ),
    mention_posted_at: v.optional(instant("The mention's posted_at, by which leads are sorted")),
    dispatch_key: v.optional(text('Digest of the author or post. One lead has each')),
    is_dispatched: v.optional(flag('Renown made it from a mention')),
  },
  hidden: ['mention_posted_at', 'dispatch_key', 'is_dispatched'],
  personal: ['first_name', 'last_name', 'phone', 'email', 'suburb', 'postcode', 'contacts'],
  searchable: ['first_name', 'last_name', 'email', 'phone', 'suburb', 'notes', 'intent_reason'],
  namedIn: { arguments: ['lead_id'], names: [], domains: [] },
  states: [leadStages],
  sortable: [
    'created_date',
    'updated_date',
    'intent_score',
    'stage_changed_at',
    'archived_at',
    'seen_at',
    'due_at',
  ],
  indexes: [
    // These contain every field that lists filter by, so that leads are counted and found without reading others.
    { on: ['-created_date', '-id', 'stage', 'location_id', 'source', 'seen_at', 'assigned_to'] },
    { on: ['stage', '-created_date', '-id', 'location_id', 'source', 'seen_at', 'assigned_to'] },
    { on: ['location_id', '-created_date', '-id', 'stage', 'source', 'seen_at', 'assigned_to'] },
    { on: ['is_archived', '-created_date'] },
    { on: ['seen_at', 'stage', '-created_date'] },
    { on: ['assigned_to', '-created_date', '-id', 'stage'] },
    { on: ['-due_at', '-id', 'stage'] },
    { on: ['-intent_score'] },
    { on: ['-stage_changed_at'] },
    { on: ['-mention_posted_at'] },
    { on: ['mention_id'] },
    { on: ['tracker_id'] },
    { on: ['dispatch_key'], unique: true, where: { is_dispatched: true } },
  ],
  counts: { by: ['stage', 'source', 'is_archived'], bySet: ['seen_at', 'assigned_to'] },
  except: { is_archived: true },
})
