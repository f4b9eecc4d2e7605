import type { PostContent, PostType } from '../records/content'

interface Given {
  readonly post_type: PostType
  readonly content: PostContent
}

/** Returns the address that a post leads to: of its offer, or of its button. */
export function postLink({ post_type, content }: Given): string | undefined {
  if (post_type === 'offer') return content.offer?.redeem_url
  return content.call_to_action?.url
}

/**
 * Returns the whole text of a post for platforms that have only text: the summary, the event, the offer and the link,
 * each on its own lines. `withLink: false` leaves out the link, for platforms with a field for it.
 */
export function postText(given: Given, { withLink = true }: { readonly withLink?: boolean } = {}): string {
  const { content, post_type } = given
  const { event, offer } = content
  const isDated = event !== undefined && post_type !== 'update'
  const dates = isDated
    ? [
        `${event.title}: ${dayOf(event.start)}${dayOf(event.end) === dayOf(event.start) ? '' : ` – ${dayOf(event.end)}`}`,
      ]
    : []
  const deal = post_type === 'offer' ? [offer?.coupon_code, offer?.terms] : []
  const link = withLink ? postLink(given) : undefined
  const parts = [content.summary, ...dates, ...deal, link]
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

const dayOf = (instant: string) => instant.slice(0, 10)

/** Returns a text without differences that people do not see: case, white space, marks without width, forms of letters. */
export const normalText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase()

/** Returns the digest by which posts with the same text are found. */
export const textHash = (given: Given): string =>
  new Bun.CryptoHasher('sha256').update(normalText(postText(given))).digest('hex')
