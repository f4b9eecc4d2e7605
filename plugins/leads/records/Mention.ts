import { defineEntity, field } from 'renown'
import * as v from 'valibot'
import { channels } from './channels'
import { countedMentions } from './counted-mentions'
import { mentionStatus } from './mentionStatus'

const { code, flag, instant, integer, number, oneOf, text, texts } = field

const author = v.object({
  handle: text('Name under which the author writes'),
  name: v.optional(text('Display name')),
  url: v.optional(text('Public profile')),
  avatar_url: v.optional(text('Picture')),
  followers: v.optional(integer('Followers when found', { min: 0 })),
})

const keptReply = v.object({
  text: text('The text'),
  tone: v.optional(text('Its tone')),
  by: v.optional(text('Who wrote it')),
  at: v.optional(instant('When it was saved')),
})

/**
 * The rules of a source's policy that remove the text and the author of a mention, and `erased` where a person was erased. The row stays, so that the post is
 * not found again.
 */
export const removalRules = ['retention_days', 'recheck_days', 'delete_with_source', 'erased'] as const

/** A public post that names a brand or a need, found by a tracker. The same post is one row per tracker. */
export const Mention = defineEntity({
  name: 'Mention',
  summary: 'A public post that a brand tracker found',
  idPrefix: 'men',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: {
    who: {
      handle: ['author.handle'],
      name: ['author.name', 'author.handle'],
      profile: ['author.url'],
      email: ['author.handle'],
    },
    words: ['title', 'body'],
    erase: 'plugin',
  },
  fields: {
    workspace_id: code('Workspace the mention belongs to'),
    location_id: code('Business location the mention is about'),
    tracker_id: code('Tracker that found it'),
    source: oneOf(channels, 'Where it was posted'),
    source_id: text('Id of the post at its source. Unique together with source and tracker_id'),
    url: text('Public address of the post'),
    title: v.optional(text('Title of the post')),
    body: text('Text of the post'),
    excerpt: text('The part that matters, shortened'),
    language: text('BCP 47 language tag of the text'),
    author: v.pipe(author, v.description('Who wrote it')),
    parent_url: v.optional(text('Public address of the post that this post replies to')),
    posted_at: v.optional(
      instant(
        'When it was posted. Absent if the source does not say it in a form that can be read with certainty',
      ),
    ),
    discovered_at: instant('When the tracker found it'),
    matched_keywords: texts('Keywords of the tracker that matched'),
    sentiment: v.optional(oneOf(['positive', 'neutral', 'negative', 'mixed'], 'Sentiment towards the brand')),
    sentiment_score: v.optional(number('From negative to positive', { min: -1, max: 1 })),
    relevance: v.optional(oneOf(['relevant', 'maybe', 'irrelevant'], 'Whether it is about the business')),
    relevance_score: v.optional(number('How sure that is', { min: 0, max: 100 })),
    relevance_reason: v.optional(text('Why')),
    judged_by: v.optional(
      oneOf(['rules', 'model', 'none'], 'What judged the relevance. none: it is not judged, and absent'),
    ),
    intent_score: v.optional(number('How clearly the author wants to buy', { min: 0, max: 100 })),
    intent_reason: v.optional(
      text('Reasons for the intent score. Absent if nothing in the text supports it'),
    ),
    intent_method: v.optional(code('Rules, and the model if it counted, that gave the intent score')),
    is_lead: flag('Whether the author may want to buy, so that a lead exists'),
    lead_id: v.optional(code('That lead')),
    status: oneOf(['new', 'saved', 'replied', 'dismissed'], 'What people did with it'),
    suggested_reply: v.optional(text('Reply that was drafted; never sent by this service')),
    suggested_reply_tone: v.optional(code('Tone of the draft')),
    suggested_reply_at: v.optional(instant('When it was drafted')),
    suggested_reply_by: v.optional(
      code('Who wrote the draft: llm:<model>, template:v1, or caller for the words of a client'),
    ),
    previous_reply: v.optional(v.pipe(keptReply, v.description('The draft that the last one replaced'))),
    reply_text: v.optional(text('Reply that was posted')),
    replied_at: v.optional(instant('When it was posted')),
    reply_url: v.optional(text('Public address of the posted reply')),
    is_read: flag('A person has read it'),
    is_archived: flag('Put away'),
    tags: texts('Labels given by people'),
    author_key: v.optional(
      text('Digest of location, source and author, by which posts of one author are found'),
    ),
    found_by: v.optional(code('Name of the source that found it, such as feeds')),
    duplicate_of: v.optional(
      code(
        'Id of the mention that it repeats: the same post found in another way, a copy by the same author, or a long text word for word. Duplicates are counted once',
      ),
    ),
    similar_to: v.optional(
      code('Id of the first mention with nearly the same words of another author. It counts by itself'),
    ),
    same_post_as: v.optional(
      code(
        'Id of the mention that counts for this post, where several trackers of the location found it. Figures count the post once',
      ),
    ),
    body_version: v.optional(integer('Number of versions of the text that were read', { min: 1 })),
    edited_at: v.optional(instant('When its author last changed the text, as far as the source says')),
    removed_at_source_at: v.optional(
      instant('When the post was found to be deleted at its source. Lists omit such mentions'),
    ),
    removal_rule: v.optional(
      oneOf(removalRules, 'The rule of the source that removed the text, the author and contact details'),
    ),
    canonical_url: v.optional(text('Address without tracking parameters, by which duplicates are found')),
    text_hash: v.optional(text('64-bit hash of the text, near for texts that are nearly the same')),
    is_judged: v.optional(flag('Whether its relevance and intent were judged')),
    recheck_at: v.optional(instant('When it is looked at again at its source')),
    keep_until: v.optional(instant('When its text must be removed, unless a look finds the post before')),
    missing_since: v.optional(
      instant('When a look at its source first did not find it. A later look decides whether it was deleted'),
    ),
    unmatched_at: v.optional(
      instant('When it was seen that its author edited it so that it names nothing the tracker searches for'),
    ),
    replaced_text: v.optional(text('Digest of the text before the last edit, which a search may still list')),
    is_gone_by_look: v.optional(
      flag('A look by its id found that it was deleted. A search may still list it'),
    ),
  },
  hidden: [
    'author_key',
    'previous_reply',
    'canonical_url',
    'text_hash',
    'is_judged',
    'recheck_at',
    'keep_until',
    'replaced_text',
    'is_gone_by_look',
  ],
  searchable: ['title', 'body', 'excerpt', 'url'],
  periodField: 'posted_at',
  namedIn: { arguments: ['mention_id'], names: [], domains: [] },
  states: [mentionStatus],
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
    { on: ['status', '-posted_at'] },
    { on: ['status', 'relevance', '-posted_at'] },
    { on: ['status', 'relevance', 'is_read', '-posted_at'] },
    { on: ['duplicate_of'] },
    { on: ['duplicate_of', '-posted_at'] },
    { on: ['similar_to', '-posted_at'] },
    { on: ['is_lead', '-created_date'] },
    { on: ['lead_id'] },
    { on: ['author_key', '-posted_at'] },
    { on: ['tracker_id', 'status', '-created_date'] },
    { on: ['tracker_id', '-posted_at'] },
    { on: ['tracker_id', 'canonical_url'] },
    { on: ['found_by', 'source_id'] },
    { on: ['found_by', 'discovered_at'] },
    { on: ['is_judged'] },
    { on: ['found_by', 'recheck_at'] },
    { on: ['removed_at_source_at'] },
  ],
  exceptSet: ['removed_at_source_at'],
  usual: countedMentions,
})
