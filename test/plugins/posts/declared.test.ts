import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { Post } from '../../../plugins/posts/records/Post'
import { declares } from '../../support/declared'

declares(Post, {
  workspace_id: 'string',
  business_location_id: 'string',
  platform: 'enum(gbp,webhook,feed,wordpress,bluesky,mastodon,facebook,linkedin)',
  post_type: 'enum(update,offer,event)',
  status: 'enum(draft,scheduled,publishing,published,failed,cancelled)',
  scheduled_at: 'instant|null',
  wall_time: 'string',
  timezone: 'string',
  content: 'object',
  'content.summary': 'string',
  'content.language': 'string',
  'content.call_to_action': 'object',
  'content.call_to_action.type': 'enum(book,order,shop,learn_more,sign_up,call)',
  'content.call_to_action.url': 'string',
  'content.event': 'object',
  'content.event.title': 'string',
  'content.event.start': 'string',
  'content.event.end': 'string',
  'content.offer': 'object',
  'content.offer.coupon_code': 'string',
  'content.offer.redeem_url': 'string',
  'content.offer.terms': 'string',
  'content.media': 'object[]',
  external_post_id: 'string',
  external_url: 'string',
  published_at: 'instant',
  error_message: 'string',
  error_count: 'integer',
  failure_kind: 'enum(rejected,unknown_outcome,missed,not_allowed)',
  approval: 'enum(in_review,approved,rejected)',
  approval_note: 'string',
  ai_generated: 'boolean',
  ai_chat_session_id: 'string',
  written_by: 'string',
  is_active: 'boolean',
})

test('the text of a post has at most 1,500 characters', () => {
  const takes = (length: number) =>
    v.is(Post.fields.content, { summary: 'x'.repeat(length), language: 'en', media: [] })
  expect([takes(1500), takes(1501)]).toEqual([true, false])
})
