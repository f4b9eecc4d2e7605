import type { Absences, HiddenField } from 'renown/reviews'

const reviewDoc = 'developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews'
const seen = 'seen on 2026-11-28: complete answers without it for a day'

/** Stored metadata with which Google hid a field. */
const hiding: readonly { readonly key: string; readonly value: unknown; readonly hides: HiddenField }[] = [
  { key: 'reviewer_is_anonymous', value: true, hides: 'reviewer_name' },
  { key: 'reply_state', value: 'REJECTED', hides: 'reply' },
]

/** What it means when Google's answers about a review leave something out. It holds for lists, single reviews and looks. */
export const googleAbsences: Absences = {
  fields: {
    reviewer_name: {
      means: 'unknown',
      wire: ['reviewer', 'reviewer.displayName', 'reviewer.isAnonymous'],
      source: seen,
    },
    reviewer_photo_url: { means: 'unknown', wire: ['reviewer.profilePhotoUrl'], source: seen },
    // STAR_RATING_UNSPECIFIED: Google does not say which rating it is.
    star_rating: { means: 'unknown', wire: [], source: reviewDoc },
    review_text: {
      means: 'none_if_updated',
      wire: ['comment'],
      source: `${reviewDoc}: reviews can have stars only, and updateTime is the last modification`,
    },
    reply: {
      means: 'none_if_shown',
      wire: ['reviewReply', 'reviewReply.updateTime'],
      source: `${reviewDoc}: "If absent, this review has not been replied to", and ${seen}`,
    },
    metadata: {
      means: 'unknown',
      wire: ['reviewReply.reviewReplyState', 'reviewReply.policyViolation'],
      source: seen,
    },
  },
  hidden: (before, now) =>
    hiding.flatMap(({ key, value, hides }) =>
      before?.[key] === value && now?.[key] === undefined ? [hides] : [],
    ),
}
