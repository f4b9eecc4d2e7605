import type { ContentInput } from '../acts/content-input'
import type { PostContent, PostType } from '../records/content'

/** The values of a content form for a stored post. */
export type ContentValues = Readonly<Record<keyof ContentInput, string>>

/** Returns the values of a content form. Videos stay as they are, because forms only write pictures. */
export function valuesOf(post_type: PostType, content: PostContent): ContentValues {
  const { summary, language, call_to_action: button, event, offer, media } = content
  const pictures = media.flatMap(({ format, source_url, alt }) =>
    format === 'photo' ? [alt === undefined ? source_url : `${source_url} ${alt}`] : [],
  )
  return {
    text: summary,
    language,
    type: post_type,
    button: button?.type ?? '',
    link: (post_type === 'offer' ? offer?.redeem_url : button?.url) ?? '',
    photo: pictures.join('\n'),
    event: event?.title ?? '',
    starts: event?.start ?? '',
    ends: event?.end ?? '',
    coupon: offer?.coupon_code ?? '',
    terms: offer?.terms ?? '',
  }
}
