import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { autoResponse } from './autoResponse'
import { platform } from './platform'
import { skipCodes } from './skip-reasons'

const { anything, code, flag, instant, integer, number, oneOf, text, texts } = field

/** Source, author and content. */
const origin = {
  location_id: code('Reviewed business location'),
  google_review_id: v.optional(text("Google's id of the review")),
  source: platform('Platform of the review. Replies are sent there'),
  source_id: text(
    'Id of the review at its platform. At Google the google_review_id, at Facebook the story whose comments are the replies',
  ),
  source_metadata: v.optional(anything('Additional data of the platform, unchanged')),
  reviewer_name: v.optional(text('Name of the reviewer')),
  reviewer_photo_url: v.optional(text('Picture of the reviewer')),
  reviewer_is_local_guide: v.optional(flag('Whether the platform calls the reviewer a local guide')),
  star_rating: v.optional(
    v.nullable(
      integer(
        'Stars. Null if the source has none, such as recommendations at Facebook. Averages leave out null',
        {
          min: 1,
          max: 5,
        },
      ),
    ),
  ),
  review_text: v.optional(
    text('Text of the review, as the source returns it. Google may add its own translation, marked as such'),
  ),
  review_language: v.optional(text('BCP 47 language tag of the text')),
  review_created_at: v.optional(instant('When it was written')),
  review_updated_at: v.optional(instant('When the author last changed the review')),
  reply_text: v.optional(text('Reply of the business')),
  reply_created_at: v.optional(instant('When it answered')),
  reply_updated_by: v.optional(text('Who last changed the reply')),
}

/** The result of the analysis. */
const judgement = {
  sentiment: v.optional(oneOf(['positive', 'neutral', 'negative', 'mixed'], 'Feeling of the text')),
  sentiment_score: v.optional(number('From negative to positive', { min: -1, max: 1 })),
  key_topics: v.optional(texts('What it is about')),
  emotion: v.optional(
    oneOf(['joy', 'anger', 'sadness', 'fear', 'surprise', 'disgust', 'neutral'], 'Strongest emotion'),
  ),
  analysis_method: v.optional(
    code(
      'How sentiment, emotion and topics were found: stars or recommendation, with +lexicon if word lists were used too, lexicon alone, or llm:<model>. Absent if the review was not analyzed',
    ),
  ),
  is_flagged: v.optional(flag('Whether a person should check it')),
  flag_reason: v.optional(text('Why')),
  is_read: v.optional(flag('A person has read it')),
  needs_response: v.optional(flag('Whether it waits for a reply')),
  priority: v.optional(oneOf(['urgent', 'high', 'medium', 'low'], 'How soon')),
  ai_suggested_response: v.optional(text('Draft of a reply. No agent can send it')),
  notes: v.optional(text('Notes by people')),
}

/** Fields for syncs and automatic replies. */
const upkeep = {
  synced_at: v.optional(instant('When the review was last read from its source')),
  gbp_api_synced_at: v.optional(
    instant('When the business-profile API last returned the review. Absent if it came from another source'),
  ),
  removed_at_source_at: v.optional(
    v.nullable(
      instant(
        'When a complete sync no longer returned the review. Null again as soon as the source returns it. Lists, queues and counts leave out such reviews. Only a read by id returns them',
      ),
    ),
  ),
  auto_response_status: v.optional(
    v.nullable(
      oneOf(['pending', 'sent', 'skipped', 'failed'], 'Automatic reply. Null or absent on older rows'),
    ),
  ),
  auto_response_scheduled_at: v.optional(
    instant('When the automatic reply is due. Set once, when the review was first stored'),
  ),
  auto_response_reason: v.optional(
    oneOf(skipCodes, 'Why the automatic reply was skipped. Absent on rows that earlier versions skipped'),
  ),
  auto_response_error: v.optional(text('Last error of a failed automatic reply, or why no draft was saved')),
  analysis_due: v.optional(flag('Whether it waits for analysis by the language model')),
  analysis_version: v.optional(integer('Version of the rules and word lists that analyzed it')),
  returned_by: v.optional(text('The full sync that last returned it')),
  previous_draft: v.optional(
    v.nullable(text('The draft that the last one replaced. Null if there was none')),
  ),
}

/** A customer's review. Removed reviews are kept, but only returned by id. */
export const Review = defineEntity({
  name: 'Review',
  summary: "A customer's review of a business location",
  idPrefix: 'rev',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: { who: { name: ['reviewer_name'] }, words: ['review_text'], erase: 'plugin' },
  fields: { ...origin, ...judgement, ...upkeep },
  hidden: ['analysis_due', 'analysis_version', 'returned_by', 'previous_draft'],
  opaque: ['source_metadata'],
  seldom: [
    'google_review_id',
    'source_id',
    'source_metadata',
    'reviewer_photo_url',
    'reviewer_is_local_guide',
    'review_updated_at',
    'synced_at',
    'gbp_api_synced_at',
    'auto_response_scheduled_at',
    'created_date',
    'updated_date',
  ],
  searchable: ['review_text', 'reviewer_name', 'reply_text', 'notes'],
  periodField: 'review_created_at',
  namedIn: { arguments: ['review_id'], names: [], domains: [] },
  states: [autoResponse],
  sortable: [
    'created_date',
    'updated_date',
    'review_created_at',
    'review_updated_at',
    'star_rating',
    'sentiment_score',
    'synced_at',
  ],
  indexes: [
    { on: ['location_id', 'source', 'source_id', 'workspace_id'], unique: true },
    { on: ['location_id', '-review_created_at'] },
    { on: ['-review_created_at'] },
    { on: ['needs_response', '-review_created_at'] },
    { on: ['star_rating', '-review_created_at'] },
    { on: ['review_language', '-review_created_at'] },
    { on: ['auto_response_status', 'auto_response_scheduled_at'] },
    { on: ['location_id'], where: { analysis_due: true } },
    { on: ['location_id'], where: { is_flagged: true } },
  ],
  exceptSet: ['removed_at_source_at'],
  counts: {
    by: ['location_id', 'source', 'needs_response', 'priority'],
    bySet: ['reply_text', 'removed_at_source_at'],
  },
  daySums: {
    on: 'review_created_at',
    by: ['location_id', 'source'],
    values: ['star_rating', 'sentiment'],
    set: ['reply_text'],
  },
})
