/** An item of a feed, with the texts of the feed. */
export interface FeedItem {
  readonly id?: string
  readonly link?: string
  readonly title?: string
  /** HTML. */
  readonly html?: string
  /** Plain text. */
  readonly text?: string
  readonly author?: string
  readonly authorUrl?: string
  readonly published?: string
  readonly updated?: string
  readonly language?: string
  /** The post that this item replies to. */
  readonly parent?: string
}

/** A feed in one form. */
export interface Feed {
  readonly items: readonly FeedItem[]
  readonly language?: string
}

/** Maximum number of items that are read of a feed. */
export const itemsMax = 1_000

/** Thrown when a text is not a whole feed. The message is a predicate. */
export class FeedError extends Error {}
