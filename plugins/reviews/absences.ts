/** The fields of a review that an answer of a platform may leave out. */
export type LeftOutField =
  | 'google_review_id'
  | 'reviewer_name'
  | 'reviewer_photo_url'
  | 'reviewer_is_local_guide'
  | 'star_rating'
  | 'review_text'
  | 'review_language'
  | 'review_created_at'
  | 'review_updated_at'
  | 'reply'
  | 'metadata'

/**
 * What it means when an answer leaves out a field that is stored.
 * - `unknown`: nothing. The stored value stays.
 * - `none`: the platform documents that there is then no value.
 * - `none_if_updated`: there is no value if the platform says that the review changed since it was stored. Otherwise unknown.
 * - `none_if_shown`: for replies. The platform has no other form for "no reply", so only a complete sync that shows other known
 *   replies can say it.
 *
 * A stored reply that is left out is never removed at once, whatever the rule: `withdrawnReplies` decides that.
 */
export type AbsentMeaning = 'unknown' | 'none' | 'none_if_updated' | 'none_if_shown'

/** What the absence of one field means, and how Renown knows. */
export interface AbsenceRule {
  readonly means: AbsentMeaning
  /** The optional parts of the answer that this rule covers, such as `reviewer.displayName`. */
  readonly wire: readonly string[]
  /** The documentation, or when it was seen. */
  readonly source: string
}

/** Fields that a platform can hide although it returns a value. */
export type HiddenField = 'reviewer_name' | 'reply'

/** The table of a platform: what it means when its answers leave something out. A field without a rule is `unknown`. */
export interface Absences {
  readonly fields: Readonly<Partial<Record<LeftOutField, AbsenceRule>>>
  /**
   * Returns the fields that the platform hid when the review was stored, although the answer has a value and no longer says
   * whether it is hidden. Given the stored and the returned `source_metadata`.
   */
  hidden?(
    before: Readonly<Record<string, unknown>> | undefined,
    now: Readonly<Record<string, unknown>> | undefined,
  ): readonly HiddenField[]
}
