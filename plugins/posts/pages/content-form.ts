import { field, isRefusal, Refusal, refusedField } from 'renown'
import * as v from 'valibot'
import { buttonTypes, type PostContent, type PostType, postTypes, summaryMax } from '../records/content'

const line = (max: number) =>
  v.pipe(v.optional(v.string(), ''), v.trim(), v.maxLength(max, `at most ${max} characters`))

/** The fields of forms that write the content of a post. Empty means none. */
export const contentFields = {
  text: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => text.replaceAll('\r\n', '\n').trim()),
    v.minLength(1, 'Write the text of the post.'),
    v.maxLength(summaryMax, `at most ${summaryMax} characters`),
  ),
  language: v.pipe(
    v.optional(v.string(), 'en'),
    v.trim(),
    v.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'a language tag such as en or pt-BR'),
  ),
  kind: v.optional(field.oneOf(postTypes, 'The kind of post'), 'update'),
  button: v.optional(v.picklist(['', ...buttonTypes], 'Choose a button of the list.'), ''),
  link: line(2_000),
  pictures: line(20_000),
  event: line(200),
  starts: line(40),
  ends: line(40),
  coupon: line(100),
  terms: line(1_000),
}

type Fields = { readonly [K in keyof typeof contentFields]: v.InferOutput<(typeof contentFields)[K]> }

/** Returns the content that a form says, whole: an empty field removes its part. */
export function contentOf(given: Fields): { readonly post_type: PostType; readonly content: PostContent } {
  const { text, language, kind, button, link, pictures, event, starts, ends, coupon, terms } = given
  const offer = {
    ...(coupon === '' ? {} : { coupon_code: coupon }),
    ...(terms === '' ? {} : { terms }),
    ...(kind === 'offer' && link !== '' ? { redeem_url: link } : {}),
  }
  const type = button === '' ? (link === '' || kind === 'offer' ? undefined : 'learn_more') : button
  if (kind !== 'update') {
    if (event === '') throw refusedField('event', `A post of the kind ${kind} needs a title.`, 'required')
    if (starts === '') throw refusedField('starts', 'Say when it begins.', 'required')
    if (ends === '') throw refusedField('ends', 'Say when it ends.', 'required')
  }
  return {
    post_type: kind,
    content: {
      summary: text,
      language,
      media: picturesOf(pictures),
      ...(type === undefined
        ? {}
        : { call_to_action: { type, ...(type === 'call' || link === '' ? {} : { url: link }) } }),
      ...(event === '' || starts === '' || ends === ''
        ? {}
        : { event: { title: event, start: starts, end: ends } }),
      ...(Object.keys(offer).length === 0 ? {} : { offer }),
    },
  }
}

const picturesMax = 20

/** Reads one picture per line: its address, then its description. */
function picturesOf(text: string): PostContent['media'] {
  const lines = text.split('\n').flatMap((each) => each.trim() || [])
  if (lines.length > picturesMax) throw refusedField('pictures', `at most ${picturesMax} pictures`)
  return lines.map((each) => {
    const space = each.search(/\s/)
    const source_url = space < 0 ? each : each.slice(0, space)
    const alt = space < 0 ? '' : each.slice(space).trim()
    if (!/^https?:\/\//.test(source_url))
      throw refusedField('pictures', 'Begin each line with an address such as https://example.com/a.jpg.')
    return { format: 'photo' as const, source_url, ...(alt === '' ? {} : { alt }) }
  })
}

/** The values of a content form for a stored post. */
export type ContentValues = Readonly<Record<keyof typeof contentFields, string>>

/** Returns the values of a content form. Videos stay as they are, because forms only write pictures. */
export function valuesOf(post_type: PostType, content: PostContent): ContentValues {
  const { summary, language, call_to_action: button, event, offer, media } = content
  const pictures = media.flatMap(({ format, source_url, alt }) =>
    format === 'photo' ? [alt === undefined ? source_url : `${source_url} ${alt}`] : [],
  )
  return {
    text: summary,
    language,
    kind: post_type,
    button: button?.type ?? '',
    link: (post_type === 'offer' ? offer?.redeem_url : button?.url) ?? '',
    pictures: pictures.join('\n'),
    event: event?.title ?? '',
    starts: event?.start ?? '',
    ends: event?.end ?? '',
    coupon: offer?.coupon_code ?? '',
    terms: offer?.terms ?? '',
  }
}

/**
 * Runs an act, and names the fields of the form instead of those of the post, so that the error is next to what the person
 * typed.
 */
export async function namingFields<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
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
  ['/media', 'pictures'],
  ['/event/end', 'ends'],
  ['/event', 'starts'],
  ['/post_type', 'kind'],
  ['/wall_time', 'at'],
  ['/content', 'text'],
]

const renamed = (pointer: string) => {
  const found = names.find(([start]) => pointer.startsWith(start))
  return found ? `/${found[1]}` : pointer
}
