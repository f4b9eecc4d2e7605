import { type AnyAction, actForm, actsOnPage, chosenAct } from 'renown/pages'
import * as v from 'valibot'
import { generateDraft, saveDraft } from '../acts/draft-acts'
import { cancelReviewReply, deleteReviewReply, replyToReview } from '../acts/reply-acts'
import { flagReview, markReview, noteReview, unflagReview } from '../acts/review-acts'
import { reviewsPath } from './review-forms'

/** An optional hidden field. */
const hiddenText = v.optional(v.pipe(v.string(), v.maxLength(2_000)), '')
/** Every form of the page contains the review, the next one, and the query of the page. */
const fields = { review: v.string(), following: hiddenText, search: hiddenText }

/** What is done with a review, so that the next one opens. */
const goesOn: readonly string[] = ['sent', 'read']

/** Opens the next review if this one is done, with a way back. Otherwise shows the same review again. */
const page = {
  fields,
  to(
    { review, following, search }: v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>,
    done: string,
  ) {
    const query = new URLSearchParams(search)
    const isDone = goesOn.includes(done)
    const shown = isDone ? following : review
    if (shown !== '') query.set('review', shown)
    query.set('done', done)
    if (isDone) query.set('undo', review)
    return `${reviewsPath}?${query}`
  },
}

const reply = { send: replyToReview, save: saveDraft }
const others = {
  cancel: cancelReviewReply,
  generate: generateDraft,
  mark: markReview,
  flag: flagReview,
  unflag: unflagReview,
  note: noteReview,
  'delete-reply': deleteReviewReply,
}

/** The forms of the page of reviews. Pressing Enter only saves the draft. Sending needs the button. */
export const reviewActions: Readonly<Record<string, AnyAction>> = {
  ...Object.fromEntries(Object.entries(others).map(([name, act]) => [name, actForm(act, name, page)])),
  send: chosenAct('do', reply, 'save', page),
}

/** The sentences after them. */
export const reviewNotices = { ...actsOnPage(others).notices, ...actsOnPage(reply).notices }
