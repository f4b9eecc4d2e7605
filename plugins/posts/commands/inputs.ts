import { field, Refusal } from 'renown'
import * as v from 'valibot'
import { buttonTypes, type PostContent, postTypes, summaryMax } from '../records/content'

const { oneOf, text, texts } = field

export const post_id = text('Id of the post')
export const allow_duplicate = v.optional(
  field.flag('Publish it although another post has the same text on the same platform'),
  false,
)

/** The options of commands that write the content of a post. */
export const contentInput = {
  text: v.optional(
    v.pipe(v.string(), v.maxLength(summaryMax), v.description('Text of the post, at most 1,500 characters')),
  ),
  type: v.optional(oneOf(postTypes, 'Kind of post')),
  language: v.optional(text('BCP 47 language tag of the text')),
  button: v.optional(oneOf(buttonTypes, 'What the button under the post does')),
  link: v.optional(text('Where the button leads, or where the offer is redeemed')),
  photo: v.optional(texts('Addresses of pictures')),
  event: v.optional(text('Title of the event or offer')),
  starts: v.optional(text('When the event or offer begins, such as 2026-12-01T18:00:00Z')),
  ends: v.optional(text('When it ends')),
  coupon: v.optional(text('Code of the offer')),
  terms: v.optional(text('Terms of the offer')),
}

type Given = { readonly [K in keyof typeof contentInput]?: v.InferOutput<(typeof contentInput)[K]> }

/** Returns the parts of a post that the options name. */
export function contentOf(given: Given, kind: string): Partial<PostContent> {
  const { text: summary, language, button, link, photo, event, starts, ends, coupon, terms } = given
  const isDated = [event, starts, ends].some((part) => part !== undefined)
  if (isDated && (event === undefined || starts === undefined || ends === undefined)) {
    throw new Refusal('invalid_field', 'An event needs `event`, `starts` and `ends`.')
  }
  const offer = {
    ...(coupon === undefined ? {} : { coupon_code: coupon }),
    ...(terms === undefined ? {} : { terms }),
    ...(kind === 'offer' && link !== undefined ? { redeem_url: link } : {}),
  }
  const type = button ?? (link === undefined || kind === 'offer' ? undefined : 'learn_more')
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(language === undefined ? {} : { language }),
    ...(type === undefined
      ? {}
      : { call_to_action: { type, ...(link === undefined || type === 'call' ? {} : { url: link }) } }),
    ...(isDated ? { event: { title: event ?? '', start: starts ?? '', end: ends ?? '' } } : {}),
    ...(Object.keys(offer).length === 0 ? {} : { offer }),
    ...(photo === undefined
      ? {}
      : { media: photo.map((source_url) => ({ format: 'photo' as const, source_url })) }),
  }
}
