import { expect, test } from 'bun:test'
import { BrandTracker } from '../../../plugins/leads/records/BrandTracker'
import { Lead } from '../../../plugins/leads/records/Lead'
import { Mention } from '../../../plugins/leads/records/Mention'
import { declares } from '../../support/declared'

declares(Lead, {
  mention_id: 'string',
  tracker_id: 'string',
  location_id: 'string',
  intent_score: 'number',
  intent_reason: 'string',
  intent_method: 'string',
  stage: 'enum(new,contacted,qualified,won,lost)',
  stage_changed_at: 'instant',
  notes: 'string',
  assigned_to: 'string',
  next_step: 'string',
  due_at: 'instant',
  lost_reason: 'string',
  first_name: 'string',
  last_name: 'string',
  phone: 'string',
  email: 'string',
  suburb: 'string',
  postcode: 'string',
  contacts: 'object[]',
  source: 'string',
  is_archived: 'boolean',
  archived_at: 'instant',
  seen_at: 'instant|null',
  stale_post: 'boolean',
  stale_post_age_days: 'integer',
})

declares(Mention, {
  workspace_id: 'string',
  location_id: 'string',
  tracker_id: 'string',
  source:
    'enum(reddit,youtube,x,facebook,instagram,tiktok,hackernews,bluesky,mastodon,forum,news,blog,web,podcast)',
  source_id: 'string',
  url: 'string',
  title: 'string',
  body: 'string',
  excerpt: 'string',
  language: 'string',
  author: 'object',
  'author.handle': 'string',
  'author.name': 'string',
  'author.url': 'string',
  'author.avatar_url': 'string',
  'author.followers': 'integer',
  parent_url: 'string',
  posted_at: 'instant',
  discovered_at: 'instant',
  matched_keywords: 'string[]',
  sentiment: 'enum(positive,neutral,negative,mixed)',
  sentiment_score: 'number',
  relevance: 'enum(relevant,maybe,irrelevant)',
  relevance_score: 'number',
  relevance_reason: 'string',
  intent_score: 'number',
  intent_reason: 'string',
  intent_method: 'string',
  is_lead: 'boolean',
  lead_id: 'string',
  status: 'enum(new,saved,replied,dismissed)',
  suggested_reply: 'string',
  suggested_reply_tone: 'string',
  suggested_reply_at: 'instant',
  reply_text: 'string',
  replied_at: 'instant',
  reply_url: 'string',
  is_read: 'boolean',
  is_archived: 'boolean',
  tags: 'string[]',
  suggested_reply_by: 'string',
  found_by: 'string',
  duplicate_of: 'string',
  body_version: 'integer',
  edited_at: 'instant',
  removed_at_source_at: 'instant',
  removal_rule: 'enum(retention_days,recheck_days,delete_with_source)',
})

declares(BrandTracker, {
  workspace_id: 'string',
  location_id: 'string',
  name: 'string',
  keywords: 'string[]',
  required_keywords: 'string[]',
  excluded_keywords: 'string[]',
  sources: 'string[]',
  languages: 'string[]',
  countries: 'string[]',
  ignored_words: 'string[]',
  lead_intent_prompt: 'string',
  is_active: 'boolean',
  archived_at: 'instant',
  last_run_at: 'instant',
  next_run_at: 'instant',
  mentions_total: 'integer',
  feeds: 'string[]',
})

test('lists leave archived leads out unless they are named', () => {
  expect(Lead.except).toEqual({ is_archived: true })
})

test('a post is one mention per tracker', () => {
  expect(Mention.indexes).toContainEqual({
    on: ['source', 'source_id', 'tracker_id', 'workspace_id'],
    unique: true,
  })
})
