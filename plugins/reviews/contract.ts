import {
  type Account,
  defineExtensionPoint,
  type Extension,
  type FaultInfo,
  type OwnerContext,
  type Task,
  type Where,
} from 'renown'
import * as v from 'valibot'
import type { UnreadRow } from './read-rows'

export { readRows, type UnreadRow, unreadOf } from './read-rows'
export { replySettings } from './settings'

/** A review from its source, in our form. A missing field means that the source does not return it. */
export interface SourceReview {
  /** The source's own id, the same on every reading. */
  readonly source_id: string
  readonly google_review_id?: string
  readonly reviewer_name?: string
  readonly reviewer_photo_url?: string
  readonly reviewer_is_local_guide?: boolean
  /** Null where the source has no stars. */
  readonly star_rating: number | null
  /** The source's own verdict where it has no stars. */
  readonly recommends?: boolean
  readonly review_text?: string
  readonly review_language?: string
  readonly review_created_at?: string
  readonly review_updated_at?: string
  readonly reply?: { readonly text: string; readonly at?: string }
  /** A reply of the business that the source holds and shows to nobody, and why. */
  readonly rejectedReply?: { readonly text: string; readonly reason: string }
  /** The source's extras, kept and passed through. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** One page of a source's listing. */
export interface SourcePage {
  readonly reviews: readonly SourceReview[]
  /** How many reviews the source says there are; null where it does not say. */
  readonly total: number | null
  readonly average?: number
  /** Asks for the next page; null at the end. */
  readonly next: string | null
  /** Some reviews are unreadable or look the same, so missing reviews prove nothing. */
  readonly isPart?: boolean
  /** Its rows that could not be read. With any, `isPart` is true. */
  readonly unread?: readonly UnreadRow[]
}

/** A source's listing of one location, newest change first. */
export interface Listing {
  page(token: string | null): Promise<SourcePage>
}

/**
 * What a complete sync of a source can prove. `counted`: the source has a count. `paged`: it has an end but no count.
 * `none`: it shows only a part, so a missing review proves nothing.
 */
export type Evidence = 'counted' | 'paged' | 'none'

/** The fields of a location that sources need. */
export interface ReviewedLocation {
  readonly id: string
  readonly added_via?: string | undefined
  readonly workspace_id: string
  readonly google_place_id?: string | undefined
  readonly google_account_id?: string | undefined
  readonly google_location_id?: string | undefined
  readonly facebook_page_id?: string | undefined
  readonly country?: string | undefined
  readonly city?: string | undefined
  readonly business_name?: string | undefined
  /** How many reviews the source last said there are. */
  readonly total_reviews?: number | undefined
}

/** The parts of a sync job that a source may need. Saved data survives an attempt. */
export type SourceTask = Pick<Task, 'attempt' | 'signal' | 'save' | 'saved'>

/** A platform's statement that a review no longer exists. It is the evidence of a removal. */
export type GoneStatement = string

/** What the source did with a reply. */
export interface SentReply {
  /** The source refused it after taking it: it does not show, and why. */
  readonly rejected?: string
  /** What has to be known to find or change it. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A platform that reviews are read from. Its calls throw ServiceFaults. */
export interface ReviewSource extends Extension {
  /** Who is asked, as SyncStatus and the ledger name it, such as `places`. */
  readonly name: string
  /** The platform that shows the reviews: `source` of a row. Several sources may read one platform. */
  readonly source: string
  /** What people call the platform, such as `Google`. */
  readonly label: string
  /** The first source in this order that reads a location is used; lower comes first. */
  readonly order: number
  /** Whether it reads this location, by how the location was added and by the settings. */
  reads(ctx: Pick<OwnerContext, 'settings'>, location: ReviewedLocation): boolean
  readonly evidence: Evidence
  /**
   * Whether the reviews that it reads of this location come without replies, so that a review without a reply proves nothing. Must
   * not depend on settings, because stored reviews outlive them. Absent where the source returns replies.
   */
  hidesReplies?(location: Pick<ReviewedLocation, 'added_via'>): boolean
  /** How often it is read; every quarter of an hour unless said otherwise. */
  readonly everyMs?: number
  /** Filters the locations that are read with an account. Absent where the source reads without accounts. */
  locationsOf?(account: Account): Where | null
  /** Opens the listing; nothing is asked before the first page. */
  open(ctx: OwnerContext, location: ReviewedLocation, task: SourceTask): Promise<Listing>
  /**
   * Looks up by its id a review that the listing missed, because two changes between two pages can hide a review from a listing that
   * adds up. Returns what the platform said when it said that the review does not exist. Returns null when the review is there, or
   * when the answer has another reading. Throws for an answer that cannot be read. Without it nothing is ever removed. `shown` are the
   * ids that the listing returned just now.
   */
  isGone?(
    ctx: OwnerContext,
    location: ReviewedLocation,
    sourceId: string,
    shown: Iterable<string>,
  ): Promise<GoneStatement | null>
  /** Whether the source's own verdict, which stands in its extras, is another than the one that is stored. */
  isTurned?(before: RepliedReview['source_metadata'], review: SourceReview): boolean
  /** Called when the source no longer offers its listing at all. */
  gone?(ctx: OwnerContext, location: ReviewedLocation, why: string): Promise<void>
  /** Called when the last try of a reading failed. */
  failed?(ctx: OwnerContext, location: ReviewedLocation, fault: FaultInfo): Promise<void>
  /** The public address at which customers write a review of the location. Null where what it takes is not known. */
  reviewLink?(location: ReviewedLocation): string | null
  /** Answers a review in public. Absent where the source takes no replies. */
  readonly replies?: ReplySender
}

/** The business's reply at the source. */
export interface StandingReply {
  readonly text: string
  /** The source does not show it, and why. */
  readonly rejected?: string
}

declare const sendable: unique symbol
/** Text that may be published. `judgeReply` makes one from text that nobody read, and `personText` from what a person sends. */
export type SendableText = string & { readonly [sendable]: true }

/** What a source returns for one review. */
export type FoundReview =
  | { readonly isGone: true }
  | { readonly isGone: false; readonly review: SourceReview; readonly reply: StandingReply | null }

/** Returns the business's own reply in a review, shown by the source or not. */
export function standingReply({ reply, rejectedReply }: SourceReview): StandingReply | null {
  if (rejectedReply) return { text: rejectedReply.text, rejected: rejectedReply.reason }
  return reply ? { text: reply.text } : null
}

/** How a source accepts replies. */
export interface ReplySender {
  /** The same reply twice leaves one: safe to send again when its outcome is unknown. */
  readonly isIdempotent: boolean
  /** Whether a review can be answered at all; all can unless said otherwise. */
  takes?(review: Pick<RepliedReview, 'source_id'>): boolean
  /** The longest reply that the source takes, in bytes of UTF-8. */
  readonly bytesMax?: number
  /**
   * Publishes a reply. Takes only text that `judgeReply` allowed or a person sent. Throws when the answer does not confirm the reply: the source may hold
   * it then, so that `look` comes before any other try.
   */
  send(
    ctx: OwnerContext,
    location: ReviewedLocation,
    review: RepliedReview,
    text: SendableText,
  ): Promise<SentReply>
  /**
   * Reads one review with the business's own reply. Says that the review is gone, or that it has no reply, only when the source says so:
   * an answer that cannot be read is thrown.
   */
  look(ctx: OwnerContext, location: ReviewedLocation, review: RepliedReview): Promise<FoundReview>
  /**
   * Replaces the words of the reply that `look` just found; `review` holds the extras that it returned. Throws like `send`. Absent where
   * the source cannot change a reply.
   */
  edit?(
    ctx: OwnerContext,
    location: ReviewedLocation,
    review: RepliedReview,
    text: SendableText,
  ): Promise<SentReply>
  /**
   * Deletes the reply that `look` just found. The caller looks again afterwards: only that look says that the reply is gone. Absent where
   * the source cannot delete a reply.
   */
  remove?(ctx: OwnerContext, location: ReviewedLocation, review: RepliedReview): Promise<void>
  /** What the source said of the reply when it was last read. Absent or null: it shows every reply that it took. */
  stateOf?(review: RepliedReview): ReplyAtSource | null
}

/** How far a reply is at its source: checked before it shows, shown, or refused. */
export interface ReplyAtSource {
  readonly state: 'pending' | 'published' | 'rejected'
  /** Why it was rejected. */
  readonly reason?: string
}

/** The fields of a review that a reply needs. */
export interface RepliedReview {
  readonly source_id: string
  readonly source_metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Where reviews are read. Each implementation reads one platform. */
export const reviewSource = defineExtensionPoint<ReviewSource>({
  id: 'reviews.source',
  summary: 'Reads the reviews of a location, and sends replies',
  shape: {
    label: v.string(),
    source: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'a name in lower case')),
    order: v.number(),
    evidence: v.picklist(['counted', 'paged', 'none']),
    hidesReplies: v.optional(v.function()),
    reads: v.function(),
    open: v.function(),
  },
  nameOf: ({ source }) => source,
})

/** The code of a fault: the order is not ready yet. */
export const notReadyCode = 'not_ready'

/** Returns whole stars from one to five; otherwise null. */
export const starsOf = (rating: number | null | undefined): number | null =>
  typeof rating === 'number' && Number.isInteger(rating) && rating >= 1 && rating <= 5 ? rating : null
