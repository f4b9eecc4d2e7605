/** An address in a feed, with the address that it is relative to if the feed says so at that place. */
export interface FeedLink {
  readonly href: string
  readonly base?: string
}

/** An item of a feed, with the texts of the feed. */
export interface FeedItem {
  readonly id?: string
  /** Addresses of the post, the best first. */
  readonly links?: readonly FeedLink[]
  readonly title?: string
  /** HTML. */
  readonly html?: string
  /** Plain text. */
  readonly text?: string
  readonly author?: string
  readonly authorUrl?: string
  readonly published?: string
  /** What other elements say of the time of publication. */
  readonly otherDates?: readonly string[]
  readonly updated?: string
  readonly language?: string
  /** The post that this item replies to. */
  readonly parent?: string
}

/** A feed in one form. */
export interface Feed {
  readonly items: readonly FeedItem[]
  readonly language?: string
  /** The author of the items that name none. */
  readonly author?: string
  /** The page of which this is the feed. */
  readonly home?: FeedLink
  /** Number of items beyond the limit. */
  readonly left: number
  /** Whether the end of the feed is missing, so that its last item may be lost. */
  readonly isCut: boolean
}

/** Maximum number of items that are read of a feed. The others are counted. */
export const itemsMax = 5_000

/** Thrown when a text is not a feed. The message is a predicate. */
export class FeedError extends Error {}
