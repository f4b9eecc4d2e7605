import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { channels } from './channels'

const { flag, instant, integer, number, oneOf, text, texts } = field

const author = v.object({
  handle: text('Name under which the author writes'),
  name: v.optional(text('Display name')),
  url: v.optional(text('Public profile')),
  avatar_url: v.optional(text('Picture')),
  followers: v.optional(integer('Followers when found', { min: 0 })),
})

/** A public post that names a brand or a need, found by a tracker. The same post is one row per tracker. */
export const Mention = defineEntity({
  name: 'Mention',
  summary: 'A public post that a brand tracker found',
  idPrefix: 'men',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  fields: {
    workspace_id: text('Workspace the mention belongs to'),
    location_id: text('Business location the mention is about'),
    tracker_id: text('Tracker that found it'),
    source: oneOf(channels, 'Where it was posted'),
    source_id: text('Id of the post at its source. Unique together with source and tracker_id'),
    url: text('Public address of the post'),
    title: v.optional(text('Title of the post')),
    body: text('Text of the post'),
    excerpt: text('The part that matters, shortened'),
    language: text('BCP 47 language tag of the text'),
    author: v.pipe(author, v.description('Who wrote it')),
    parent_url: v.optional(text('Public address of the post that this post replies to')),
    posted_at: instant('When it was posted'),
    discovered_at: instant('When the tracker found it'),
    matched_keywords: texts('Keywords of the tracker that matched'),
    sentiment: v.optional(oneOf(['positive', 'neutral', 'negative', 'mixed'], 'Sentiment towards the brand')),
    sentiment_score: v.optional(number('From negative to positive', { min: -1, max: 1 })),
    relevance: v.optional(oneOf(['relevant', 'maybe', 'irrelevant'], 'Whether it is about the business')),
    relevance_score: v.optional(number('How sure that is', { min: 0, max: 100 })),
    relevance_reason: v.optional(text('Why')),
    is_lead: flag('Whether the author may want to buy, so that a lead exists'),
    lead_id: v.optional(text('That lead')),
    status: oneOf(['new', 'saved', 'replied', 'dismissed'], 'What people did with it'),
    suggested_reply: v.optional(text('Reply that was drafted; never sent by this service')),
    suggested_reply_tone: v.optional(text('Tone of the draft')),
    suggested_reply_at: v.optional(instant('When it was drafted')),
    reply_text: v.optional(text('Reply that was posted')),
    replied_at: v.optional(instant('When it was posted')),
    is_read: flag('A person has read it'),
    is_archived: flag('Put away'),
    tags: texts('Labels given by people'),
    author_key: v.optional(
      text('Digest of location, source and author, by which posts of one author are found'),
    ),
  },
  hidden: ['author_key'],
  searchable: ['title', 'body', 'excerpt', 'url'],
  sortable: [
    'created_date',
    'updated_date',
    'posted_at',
    'discovered_at',
    'relevance_score',
    'sentiment_score',
  ],
  indexes: [
    { on: ['source', 'source_id', 'tracker_id', 'workspace_id'], unique: true },
    { on: ['-posted_at'] },
    { on: ['location_id', '-created_date'] },
    { on: ['tracker_id', '-created_date'] },
    { on: ['status', '-created_date'] },
    { on: ['is_lead', '-created_date'] },
    { on: ['lead_id'] },
    { on: ['author_key', '-posted_at'] },
  ],
})
