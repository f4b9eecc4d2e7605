import type { OwnerContext } from 'renown'
import { textLength, webAddress } from 'renown/sources'
import { postLink, postText } from '../content/post-text'
import { targetOf } from '../publishing/destination'
import type { PostRow } from '../records/Post'

/** A post as it will look on its platform. */
export interface PostPreview {
  readonly platform: string
  readonly text: string
  readonly language: string
  /** `Spring sale, 2026-03-01 – 2026-03-07`. Null if the text says it, or if there is none. */
  readonly event: string | null
  readonly offer: string | null
  readonly button: { readonly label: string; readonly url: string | null } | null
  readonly pictures: readonly { readonly url: string; readonly alt: string; readonly format: string }[]
  readonly length: number
  /** Null without a loaded target. */
  readonly length_max: number | null
}

const buttons = {
  book: 'Book',
  order: 'Order',
  shop: 'Shop',
  learn_more: 'Learn more',
  sign_up: 'Sign up',
  call: 'Call',
} as const

/** Returns a post as its target publishes it. */
export function previewOf(ctx: Pick<OwnerContext, 'extensions'>, post: PostRow): PostPreview {
  const { content, post_type, platform } = post
  const target = targetOf(ctx, platform)
  const text = (target?.rules.textOf ?? postText)(post)
  // Then the platform has fields for the other parts, and the page shows them.
  const hasFields = text === content.summary
  const { event, offer, call_to_action: button } = content
  const isDated = hasFields && post_type !== 'update' && event !== undefined
  const days = [event?.start.slice(0, 10), event?.end.slice(0, 10)]
  const parts = [offer?.coupon_code, offer?.terms].filter((part) => part !== undefined && part !== '')
  return {
    platform: target?.label ?? platform,
    text,
    language: content.language,
    event: isDated ? `${event.title}, ${[...new Set(days)].join(' – ')}` : null,
    offer: hasFields && post_type === 'offer' && parts.length > 0 ? parts.join(' · ') : null,
    button:
      hasFields && (button !== undefined || postLink(post) !== undefined)
        ? { label: buttons[button?.type ?? 'learn_more'], url: webAddress(postLink(post) ?? '') ?? null }
        : null,
    pictures: content.media.map(({ source_url: url, alt = '', format }) => ({ url, alt, format })),
    length: textLength(text, target?.rules.countedIn ?? 'characters'),
    length_max: target?.rules.textMax ?? null,
  }
}

/** CSS rules of the preview. */
export const previewStyle = '.post-preview{display:grid;gap:.75rem;min-width:0;overflow-wrap:anywhere}'
