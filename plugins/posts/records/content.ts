import { field } from 'renown'
import * as v from 'valibot'

const { oneOf, text } = field

/** The platforms that posts are for. */
export const postPlatforms = [
  'gbp',
  'webhook',
  'feed',
  'wordpress',
  'bluesky',
  'mastodon',
  'facebook',
  'linkedin',
] as const
/** A platform that posts are for. */
export type PostPlatform = (typeof postPlatforms)[number]

/** The kinds of posts. */
export const postTypes = ['update', 'offer', 'event'] as const
/** A kind of post. */
export type PostType = (typeof postTypes)[number]

/** What the button under a post does. */
export const buttonTypes = ['book', 'order', 'shop', 'learn_more', 'sign_up', 'call'] as const

/** Maximum length of the text of a post. */
export const summaryMax = 1_500

const media = v.object({
  format: oneOf(['photo', 'video'], 'What it is'),
  source_url: text('Where it is'),
  alt: v.optional(text('Description of the picture')),
})

/** What a post says. */
export const postContent = v.object({
  summary: v.pipe(
    v.string(),
    v.maxLength(summaryMax),
    v.description('Text of the post, at most 1,500 characters'),
  ),
  language: text('BCP 47 language tag of the text'),
  call_to_action: v.optional(
    v.pipe(
      v.object({
        type: oneOf(buttonTypes, 'What the button does'),
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

/** The content of a post. */
export type PostContent = v.InferOutput<typeof postContent>
