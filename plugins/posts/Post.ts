import { defineEntity, field } from 'renown'
import * as v from 'valibot'

const { flag, instant, integer, oneOf, text } = field

const media = v.object({
  format: oneOf(['photo', 'video'], 'What it is'),
  source_url: text('Where it is'),
  alt: v.optional(text('Description of the picture')),
})

const content = v.object({
  summary: v.pipe(v.string(), v.maxLength(1500), v.description('Text of the post, at most 1,500 characters')),
  language: text('BCP 47 language tag of the text'),
  call_to_action: v.optional(
    v.pipe(
      v.object({
        type: oneOf(['book', 'order', 'shop', 'learn_more', 'sign_up', 'call'], 'What the button does'),
        url: v.optional(text('Where it leads; none for call')),
      }),
      v.description('Button under the post; ignored for an offer'),
    ),
  ),
  event: v.optional(
    v.pipe(
      v.object({ title: text('Title'), start: text('Beginning'), end: text('End') }),
      v.description('Needed for an event and for an offer'),
    ),
  ),
  offer: v.optional(
    v.pipe(
      v.object({
        coupon_code: v.optional(text('Code to redeem')),
        redeem_url: v.optional(text('Where to redeem it')),
        terms: v.optional(text('Terms')),
      }),
      v.description('What is offered'),
    ),
  ),
  media: v.pipe(v.array(media), v.description('Pictures and videos')),
})

/** A post on a business profile, or the draft of one. */
export const Post = defineEntity({
  name: 'Post',
  summary: 'A post on a business profile, or its draft',
  idPrefix: 'pst',
  store: 'documents',
  scope: { by: 'location', field: 'business_location_id' },
  reads: ['list', 'get'],
  fields: {
    workspace_id: text('Workspace the post belongs to'),
    business_location_id: text('Business location it is for'),
    platform: oneOf(['gbp'], 'Platform that the post is for'),
    post_type: oneOf(['update', 'offer', 'event'], 'Kind of post'),
    status: oneOf(
      ['draft', 'scheduled', 'publishing', 'published', 'failed', 'cancelled'],
      'State of the post. Renown does not publish yet: a scheduled post is not sent',
    ),
    scheduled_at: v.optional(
      v.nullable(
        instant('Time at which the post should be published. Null for a draft and for a published post'),
      ),
    ),
    content: v.pipe(content, v.description('What it says')),
    external_post_id: v.optional(text('Id of the post at the platform, unchanged')),
    published_at: v.optional(instant('When the platform accepted it')),
    error_message: v.optional(text('Why the last attempt failed')),
    error_count: v.optional(integer('Attempts that failed', { min: 0 })),
    ai_generated: v.optional(flag('A machine wrote it')),
    ai_chat_session_id: v.optional(text('Conversation in which it was written')),
    is_active: flag('Inactive posts are hidden'),
  },
  sortable: ['created_date', 'updated_date', 'scheduled_at', 'published_at'],
  indexes: [{ on: ['business_location_id', '-created_date'] }, { on: ['status', 'scheduled_at'] }],
})
