import { Refusal } from 'renown'
import { textLength, webAddress } from 'renown/sources'
import type { ContentRules, PostTarget } from '../contract'
import type { PostContent, PostType } from '../records/content'
import { normalText, postText } from './post-text'

interface Given {
  readonly post_type: PostType
  readonly content: PostContent
}

interface Fault {
  readonly field: string
  readonly message: string
}

/** Throws an `invalid_field` Refusal that names every part of a post that a target cannot publish. */
export function checkContent(given: Given, target: Pick<PostTarget, 'label' | 'rules'>): void {
  const faults = contentFaults(given, target)
  const [first] = faults
  if (first === undefined) return
  const errors = faults.map(({ field, message }) => ({
    pointer: `/${field.replaceAll('.', '/')}`,
    code: 'invalid',
    message,
  }))
  throw new Refusal('invalid_field', first.message, { errors })
}

/** Returns what a target cannot publish of a post. */
export function contentFaults(
  given: Given,
  { label, rules }: Pick<PostTarget, 'label' | 'rules'>,
): readonly Fault[] {
  const own = rules.refusal?.(given) ?? null
  return [
    ...typeFaults(given, label, rules),
    ...textFaults(given, label, rules),
    ...linkFaults(given),
    ...mediaFaults(given, label, rules),
    ...(own === null ? [] : [own]),
  ]
}

function typeFaults({ post_type, content }: Given, label: string, { postTypes }: ContentRules): Fault[] {
  if (!postTypes.includes(post_type)) {
    return [
      { field: 'post_type', message: `${label} accepts these kinds of posts: ${postTypes.join(', ')}.` },
    ]
  }
  const { event } = content
  if (post_type === 'update') return []
  if (!event)
    return [{ field: 'event', message: `A post of the kind ${post_type} needs an event with its dates.` }]
  const start = Date.parse(event.start)
  const end = Date.parse(event.end)
  if (Number.isNaN(start) || Number.isNaN(end)) {
    return [{ field: 'event', message: 'The beginning and the end of the event must be dates.' }]
  }
  return end < start ? [{ field: 'event.end', message: 'The event ends before it begins.' }] : []
}

function textFaults(given: Given, label: string, rules: ContentRules): Fault[] {
  const { summary } = given.content
  if (normalText(summary) === '') return [{ field: 'summary', message: 'The post has no text.' }]
  if (/[\p{Cc}--[\t\n\r]]/v.test(summary)) {
    return [{ field: 'summary', message: 'Remove the control characters from the text.' }]
  }
  const text = (rules.textOf ?? postText)(given)
  const length = textLength(text, rules.countedIn)
  if (length <= rules.textMax) return []
  const unit = rules.countedIn === 'bytes' ? 'bytes' : 'characters'
  const whole = text === summary ? '' : ' with its dates, offer and link'
  const message = `${label} takes at most ${rules.textMax} ${unit}. The post${whole} has ${length}.`
  return [{ field: 'summary', message }]
}

function linkFaults({ content }: Given): Fault[] {
  const { call_to_action: button, offer, media } = content
  const links: readonly (readonly [string, string | undefined])[] = [
    ['call_to_action.url', button?.url],
    ['offer.redeem_url', offer?.redeem_url],
    ...media.map((one, n) => [`media.${n}.source_url`, one.source_url] as const),
  ]
  const wrong = links.flatMap(([field, url]) =>
    url === undefined || webAddress(url) !== undefined
      ? []
      : [{ field, message: `${field} must be an address that begins with https:// or http://.` }],
  )
  const isBare = button !== undefined && button.type !== 'call' && button.url === undefined
  return isBare ? [...wrong, { field: 'call_to_action.url', message: 'The button needs an address.' }] : wrong
}

function mediaFaults({ content: { media } }: Given, label: string, rules: ContentRules): Fault[] {
  const formats = [
    ['photo', rules.photosMax, 'pictures'],
    ['video', rules.videosMax, 'videos'],
  ] as const
  return formats.flatMap(([format, max, called]) => {
    const count = media.filter((one) => one.format === format).length
    if (count <= max) return []
    const limit =
      max === 0
        ? `cannot publish ${called} to ${label} yet`
        : `publishes at most ${max} ${called} to ${label}`
    return [{ field: 'media', message: `Renown ${limit}. The post has ${count}.` }]
  })
}
