/** Why a review got no automatic reply: `auto_response_reason` of a skipped one, with its words for people. */
export const skipWords = {
  replies_off: 'the agency has automatic replies switched off',
  location_off: 'automatic replies are off for its location',
  not_connected: 'no connected account could answer it',
  source_takes_none: 'its platform takes no reply to it',
  answered: 'it has a reply',
  person_answered: 'a person answered it first',
  rating: 'the reply rules exclude its rating',
  too_old: 'it was too old when Renown first saw it',
  sensitive: 'it mentions something that a person must answer',
  language_not_judged: 'Renown does not know its language well enough to judge whether a person must answer',
  flagged: 'a person should check it first',
  urgent: 'the language model calls it urgent',
  removed: 'its platform no longer has it',
  erased: 'its author was erased',
  stars_below_model_minimum:
    'texts of the language model are not sent for so few stars. The text waits for you as a draft',
  low_stars: 'it has 1 to 3 stars and words, so a person must answer. An owner can choose otherwise',
  model_wants_person:
    'the language model says that a person should answer. Its text waits for you as a draft',
  draft_refused: 'the language model twice wrote something that may not be said. No draft was saved',
  reply_text_refused: 'the text may not be sent without a person. It waits for you as a draft',
  second_look_refused:
    'the second look of the language model found something, or proved nothing. The text waits for you as a draft',
  no_reply_language: 'its language is unknown, or Renown does not reply in it automatically',
} as const
export type SkipCode = keyof typeof skipWords

/** The codes of `auto_response_reason`. */
export const skipCodes = Object.keys(skipWords) as [SkipCode, ...SkipCode[]]

/** Whether a stored text is such a code. */
export const isSkipCode = (text: string | undefined): text is SkipCode =>
  text !== undefined && Object.hasOwn(skipWords, text)
