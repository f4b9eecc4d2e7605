import { field, isRefusal, Refusal, refusedField } from 'renown'
import * as v from 'valibot'
import { buttonTypes, type PostContent, type PostType, postTypes, summaryMax } from '../records/content'

const { oneOf, text } = field

const line = (max: number, description: string) =>
  v.optional(v.pipe(text(description), v.trim(), v.maxLength(max, `at most ${max} characters`)))

const languageTag = v.pipe(
  text('BCP 47 language tag of the text'),
  v.trim(),
  v.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'a language tag such as en or pt-BR'),
)

const summary = v.pipe(
  v.string(),
  v.transform((words) => words.replaceAll('\r\n', '\n').trim()),
  v.minLength(1, 'Write the text of the post.'),
  v.maxLength(summaryMax, `at most ${summaryMax} characters`),
  v.description('Text of the post, at most 1,500 characters'),
)

const parts = {
  type: v.optional(oneOf(postTypes, 'Kind of post')),
  language: v.optional(languageTag),
  button: v.optional(oneOf(buttonTypes, 'What the button under the post does')),
  link: line(2_000, 'Where the button leads, or where the offer is redeemed'),
  photo: v.optional(field.texts('Addresses of pictures, each with a description after a space')),
  event: line(200, 'Title of the event or offer'),
  starts: line(40, 'When the event or offer begins, such as 2026-12-01T18:00:00Z'),
  ends: line(40, 'When it ends'),
  coupon: line(100, 'Code of the offer'),
  terms: line(1_000, 'Terms of the offer'),
}

/** What a new post takes. */
export const contentFields = { text: summary, ...parts }

/** What a change of a post takes. */
export const changedFields = { text: v.optional(summary), ...parts }

/** A form always sends the text and its language, and one picture a line. */
export const contentForms = {
  text: v.pipe(v.optional(v.string(), ''), summary),
  language: v.pipe(v.optional(v.string(), 'en'), languageTag),
  photo: v.pipe(
    v.optional(v.string(), ''),
    v.maxLength(20_000, 'at most 20000 characters'),
    v.transform((lines) => lines.split('\n').flatMap((each) => each.trim() || [])),
  ),
}

/** The fields of the content of a post. */
export type ContentInput = {
  readonly [K in keyof typeof changedFields]?: v.InferOutput<(typeof changedFields)[K]>
}

/** Returns the parts of a post that are given. A whole post, which is not an update, also needs a title and its times. */
export function contentOf(given: ContentInput, kind: PostType, isWhole: boolean): Partial<PostContent> {
  const { text: words, language, button, link, photo, event, starts, ends, coupon, terms } = given
  const isDated = [event, starts, ends].some((part) => part !== undefined) || (isWhole && kind !== 'update')
  if (isDated) {
    if (event === undefined)
      throw refusedField('event', `A post of the kind ${kind} needs a title.`, 'required')
    if (starts === undefined) throw refusedField('starts', 'Say when it begins.', 'required')
    if (ends === undefined) throw refusedField('ends', 'Say when it ends.', 'required')
  }
  const offer = {
    ...(coupon === undefined ? {} : { coupon_code: coupon }),
    ...(terms === undefined ? {} : { terms }),
    ...(kind === 'offer' && link !== undefined ? { redeem_url: link } : {}),
  }
  const type = button ?? (link === undefined || kind === 'offer' ? undefined : 'learn_more')
  return {
    ...(words === undefined ? {} : { summary: words }),
    ...(language === undefined ? {} : { language }),
    ...(photo === undefined ? {} : { media: photo.map(pictureOf) }),
    ...(type === undefined
      ? {}
      : { call_to_action: { type, ...(link === undefined || type === 'call' ? {} : { url: link }) } }),
    ...(isDated ? { event: { title: event ?? '', start: starts ?? '', end: ends ?? '' } } : {}),
    ...(Object.keys(offer).length === 0 ? {} : { offer }),
  }
}

const picturesMax = 20

/** Reads the address of a picture, and its description after a space. */
function pictureOf(given: string, place: number): PostContent['media'][number] {
  if (place >= picturesMax) throw refusedField('photo', `at most ${picturesMax} pictures`)
  const space = given.search(/\s/)
  const source_url = space < 0 ? given : given.slice(0, space)
  const alt = space < 0 ? '' : given.slice(space).trim()
  if (!/^https?:\/\//.test(source_url))
    throw refusedField('photo', 'Begin each picture with an address such as https://example.com/a.jpg.')
  return { format: 'photo', source_url, ...(alt === '' ? {} : { alt }) }
}

/** Runs a change, and names the fields of the act instead of those of the post, so that people find what they typed. */
export async function namingFields<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'invalid_field') throw error
    const errors = (error.details.errors ?? []).map((one) => ({
      ...one,
      pointer: renamed(one.pointer ?? ''),
    }))
    throw new Refusal('invalid_field', error.message, { ...error.details, errors })
  }
}

const names: readonly (readonly [start: string, field: string])[] = [
  ['/summary', 'text'],
  ['/call_to_action', 'link'],
  ['/offer/redeem_url', 'link'],
  ['/offer', 'terms'],
  ['/media', 'photo'],
  ['/event/end', 'ends'],
  ['/event/', 'starts'],
  ['/post_type', 'type'],
  ['/wall_time', 'at'],
  ['/content', 'text'],
]

const renamed = (pointer: string) => {
  const found = names.find(([start]) => pointer.startsWith(start))
  return found ? `/${found[1]}` : pointer
}
