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
import type { Absences } from './absences'
import type { GoneStatement } from './comparison'
import type { UnreadRow } from './read-rows'

export type {
  AbsenceRule,
  Absences,
  AbsentMeaning,
  HiddenField,
  LeftOutField,
} from './absences'
export {
  compareExistence,
  type Existence,
  type ExistenceQuestions,
  type GoneStatement,
  unconfirmedCode,
} from './comparison'
export { readRows, type UnreadRow, unreadOf } from './read-rows'
export { replySettings } from './settings'

/** Fields of a review about which a source can state that they have no value. */
export type StatedNone = 'reviewer_name' | 'reviewer_photo_url' | 'review_text' | 'reply'

/**
 * A review from its source, in Renown's form. A missing field means that the source left it out. What that means is in the
 * table of the source (`absences`), unless `saidNone` names the field.
 */
export interface SourceReview {
  /** The source's own id, the same in every sync. */
  readonly source_id: string
  readonly google_review_id?: string
  readonly reviewer_name?: string
  readonly reviewer_photo_url?: string
  readonly reviewer_is_local_guide?: boolean
  /** Null if the source has no stars. */
  readonly star_rating: number | null
  /** Whether the person recommends the business, for sources without stars. */
  readonly recommends?: boolean
  readonly review_text?: string
  readonly review_language?: string
  readonly review_created_at?: string
  readonly review_updated_at?: string
  readonly reply?: { readonly text: string; readonly at?: string }
  /** A reply of the business that the source has but does not show, and why. */
  readonly rejectedReply?: { readonly text: string; readonly reason: string }
  /** Missing fields that the source states to have no value. */
  readonly saidNone?: readonly StatedNone[]
  /**
   * Values that are kept only if none is stored, because the source left out what would make them certain: a text that may be a
   * translation.
   */
  readonly doesNotReplace?: readonly ('review_text' | 'review_language' | 'reply')[]
  /** Additional data of the source, stored unchanged. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** One page of a source's reviews. */
export interface SourcePage {
  readonly reviews: readonly SourceReview[]
  /** Number of reviews according to the source. Null if it does not say. */
  readonly total: number | null
  readonly average?: number
  /** Token of the next page. Null on the last one. */
  readonly next: string | null
  /** Set if some reviews are unreadable or look the same. A missing review then proves nothing. */
  readonly isPart?: boolean
  /** The rows that could not be read. If there are any, `isPart` is true. */
  readonly unread?: readonly UnreadRow[]
}

/** A source's list of one location's reviews, latest change first. */
export interface Listing {
  page(token: string | null): Promise<SourcePage>
}

/**
 * What a complete sync of a source can prove. `counted`: the source reports a count. `paged`: its list has an
 * end but no count. `none`: it shows only a part, so a missing review proves nothing.
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
  /** Id on a platform without a field of its own. Read it with `idKeyIn`. */
  readonly platform_id?: string | undefined
  readonly country?: string | undefined
  readonly city?: string | undefined
  readonly business_name?: string | undefined
  /** Number of reviews that the source last reported. */
  readonly total_reviews?: number | undefined
}

/** The parts of a sync job that a source may need. Saved data is kept for the next attempt. */
export type SourceTask = Pick<Task, 'attempt' | 'signal' | 'save' | 'saved'>

/** The result of sending a reply. */
export interface SentReply {
  /** Set if the source accepted the reply but does not show it: the reason. */
  readonly rejected?: string
  /** Data that is needed to find or change the reply. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A platform that Renown reads reviews from. Its functions throw ServiceFaults. */
export interface ReviewSource extends Extension {
  /** The name of the source in SyncStatus and in the observation log, such as `places`. */
  readonly name: string
  /** The platform that shows the reviews, as in `source` of a row. Several sources may read one platform. */
  readonly source: string
  /** The name of the platform for people, such as `Google`. */
  readonly label: string
  /** Sort position. Renown uses the first source that can read a location. */
  readonly order: number
  /** Whether it reads this location, by how the location was added and by the settings. */
  reads(ctx: Pick<OwnerContext, 'settings'>, location: ReviewedLocation): boolean
  readonly evidence: Evidence
  /** What it means when an answer leaves out a field. Default: nothing, so that the stored value stays. */
  readonly absences?: Absences
  /**
   * Whether this source returns the location's reviews without their replies, so that a review without a
   * reply proves nothing. Must not depend on settings, because stored reviews stay when settings change.
   * Absent if the source returns replies.
   */
  hidesReplies?(location: Pick<ReviewedLocation, 'added_via'>): boolean
  /**
   * Set where several sources read one platform. `own`: the platform's own complete list, which takes over the
   * reviews that others imported. `imported`: another way to its reviews. Absent if the source is the only one.
   */
  readonly listing?: 'own' | 'imported'
  /** Interval between syncs. Default: 15 minutes. */
  readonly everyMs?: number
  /**
   * Returns the condition for the locations that are read with an account. Absent if the source needs no
   * accounts.
   */
  locationsOf?(account: Account): Where | null
  /** Opens the list of reviews. Sends no request before the first page. */
  open(ctx: OwnerContext, location: ReviewedLocation, task: SourceTask): Promise<Listing>
  /**
   * Looks up one review that the list did not return. A list can miss a review when two others change between
   * two pages, although its count is right. Returns the platform's statement that the review does not exist.
   * Returns null if the review exists, or if the answer can mean something else. Throws if the answer cannot
   * be read. Without this function, reviews are never removed. `shown` contains the ids that the list has
   * just returned.
   */
  isGone?(
    ctx: OwnerContext,
    location: ReviewedLocation,
    sourceId: string,
    shown: Iterable<string>,
  ): Promise<GoneStatement | null>
  /**
   * Reads the reply of one review whose page left it out, although one is stored. Returns the review with the reply, or with
   * `saidNone`. Absent if the page is the only way.
   */
  readReply?(ctx: OwnerContext, location: ReviewedLocation, review: SourceReview): Promise<SourceReview>
  /** Whether the platform's recommendation differs from the stored one. */
  isTurned?(before: RepliedReview['source_metadata'], review: SourceReview): boolean
  /** Called when the source no longer offers its list at all. */
  gone?(ctx: OwnerContext, location: ReviewedLocation, why: string): Promise<void>
  /** Called when the last attempt of a sync failed. */
  failed?(ctx: OwnerContext, location: ReviewedLocation, fault: FaultInfo): Promise<void>
  /**
   * Returns the public address where customers write a review of the location. Null if its ids are unknown.
   */
  reviewLink?(location: ReviewedLocation): string | null
  /** Set if the source gives some reviews no id, so that Renown makes one. */
  readonly unnamed?: UnnamedReviews
  /** Publishes replies. Absent if the source accepts none. */
  readonly replies?: ReplySender
}

/** How a source handles reviews that its platform gives no id. */
export interface UnnamedReviews {
  /** Whether Renown made the id. */
  isUnnamed(sourceId: string): boolean
  /** Returns a review with the id of its row. */
  withId(review: SourceReview, sourceId: string): SourceReview
}

/** The business's reply, as the source stores it. */
export interface StandingReply {
  readonly text: string
  /** Set if the source does not show it: the reason. */
  readonly rejected?: string
}

declare const sendable: unique symbol
/**
 * Text that may be published. `judgeReply` creates it from text that no person has read, and `personText`
 * from text that a person sends.
 */
export type SendableText = string & { readonly [sendable]: true }

/** The answer of a source about one review. */
export type FoundReview =
  | { readonly isGone: true }
  | { readonly isGone: false; readonly review: SourceReview; readonly reply: StandingReply | null }

/** Returns the business's own reply in a review, whether or not the source shows it. */
export function standingReply({ reply, rejectedReply }: SourceReview): StandingReply | null {
  if (rejectedReply) return { text: rejectedReply.text, rejected: rejectedReply.reason }
  return reply ? { text: reply.text } : null
}

/** How a source accepts replies. */
export interface ReplySender {
  /** Whether sending the same reply twice creates only one, so that a retry is safe. */
  readonly isIdempotent: boolean
  /** Whether a review can be answered. Default: all can. */
  takes?(review: Pick<RepliedReview, 'source_id'>): boolean
  /**
   * Whether a review that cannot be answered may be answered later, because the platform may only have left out what a reply
   * needs. Its automatic reply then waits for three days. Default: no.
   */
  mayTakeLater?(review: Pick<RepliedReview, 'source_id'>): boolean
  /** Maximum length of a reply, in bytes of UTF-8. */
  readonly bytesMax?: number
  /**
   * Publishes a reply. Accepts only text that `judgeReply` allowed or a person sent. Throws if the answer
   * does not confirm the reply. The source may have stored it anyway, so call `look` before another attempt.
   */
  send(
    ctx: OwnerContext,
    location: ReviewedLocation,
    review: RepliedReview,
    text: SendableText,
  ): Promise<SentReply>
  /**
   * Reads one review with the business's own reply. Returns that the review does not exist only if `compareExistence`
   * says so, otherwise throws a `permission` fault with the code `unconfirmed`. A null reply means that none was
   * returned. It is not sent to without the evidence that `absences` requires, unless `saidNone` names it or the source
   * declares no rule for replies. Throws if the answer cannot be read.
   */
  look(ctx: OwnerContext, location: ReviewedLocation, review: RepliedReview): Promise<FoundReview>
  /**
   * Replaces the text of the reply that `look` just found. `review` has the metadata that it returned. Throws like
   * `send`. Absent if the source cannot change a reply.
   */
  edit?(
    ctx: OwnerContext,
    location: ReviewedLocation,
    review: RepliedReview,
    text: SendableText,
  ): Promise<SentReply>
  /**
   * Deletes the reply that `look` just found. The caller looks again afterwards, because only that proves the
   * deletion. Absent if the source cannot delete a reply.
   */
  remove?(ctx: OwnerContext, location: ReviewedLocation, review: RepliedReview): Promise<void>
  /** Returns the state of the reply at the last sync. Absent or null: the source shows every reply that it accepted. */
  stateOf?(review: RepliedReview): ReplyAtSource | null
}

/** The state of a reply at its source: in review, shown or rejected. */
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

/** The extension point for sources of reviews. Each implementation reads one platform. */
export const reviewSource = defineExtensionPoint<ReviewSource>({
  id: 'reviews.source',
  summary: 'Reads the reviews of a location, and sends replies',
  shape: {
    label: v.string(),
    source: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'a name in lower case')),
    order: v.number(),
    evidence: v.picklist(['counted', 'paged', 'none']),
    hidesReplies: v.optional(v.function()),
    listing: v.optional(v.picklist(['own', 'imported'])),
    reads: v.function(),
    open: v.function(),
  },
  nameOf: ({ source }) => source,
})

/** The code of a fault: the order is not ready yet. */
export const notReadyCode = 'not_ready'

/** Returns the rating as a whole number from one to five, otherwise null. */
export const starsOf = (rating: number | null | undefined): number | null =>
  typeof rating === 'number' && Number.isInteger(rating) && rating >= 1 && rating <= 5 ? rating : null
