import type { OutgoingPost } from 'renown/posts'
import * as v from 'valibot'

/** A local post as Google returns it. */
export const localPostForm = v.object({
  name: v.pipe(v.string(), v.regex(/\/localPosts\/[^/]+$/)),
  summary: v.optional(v.string(), ''),
  topicType: v.optional(v.string(), 'STANDARD'),
  state: v.optional(v.string()),
  searchUrl: v.optional(v.string()),
  createTime: v.pipe(v.string(), v.isoTimestamp()),
})

const topics = { update: 'STANDARD', event: 'EVENT', offer: 'OFFER' } as const

/** Returns the kind of a post in Google's words. */
export const topicOf = ({ post_type }: Pick<OutgoingPost, 'post_type'>) => topics[post_type]

/** Returns a post as Google accepts it. */
export function localPostOf(post: OutgoingPost): Record<string, unknown> {
  const { summary, language, event, offer, call_to_action: button, media } = post.content
  const isOffer = post.post_type === 'offer'
  return {
    languageCode: language,
    summary,
    topicType: topicOf(post),
    ...(event && post.post_type !== 'update' ? { event: eventOf(event) } : {}),
    ...(isOffer
      ? {
          offer: {
            couponCode: offer?.coupon_code,
            redeemOnlineUrl: offer?.redeem_url,
            termsConditions: offer?.terms,
          },
        }
      : {}),
    ...(button && !isOffer
      ? {
          callToAction: { actionType: button.type.toUpperCase(), ...(button.url ? { url: button.url } : {}) },
        }
      : {}),
    ...(media.length === 0
      ? {}
      : { media: media.map(({ source_url }) => ({ mediaFormat: 'PHOTO', sourceUrl: source_url })) }),
  }
}

function eventOf({ title, start, end }: NonNullable<OutgoingPost['content']['event']>) {
  const from = new Date(start)
  const to = new Date(end)
  const day = (at: Date) => ({
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
  })
  const time = (at: Date) => ({ hours: at.getUTCHours(), minutes: at.getUTCMinutes() })
  const schedule = { startDate: day(from), startTime: time(from), endDate: day(to), endTime: time(to) }
  return { title, schedule }
}
