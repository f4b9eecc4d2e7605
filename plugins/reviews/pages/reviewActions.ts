import { actsOnPage, chosenAct } from 'renown/pages'
import { generateDraft, saveDraft } from '../acts/draft-acts'
import { cancelReviewReply, deleteReviewReply, replyToReview } from '../acts/reply-acts'
import { flagReview, markReview, noteReview, unflagReview } from '../acts/review-acts'

const reply = { send: replyToReview, save: saveDraft }
const forms = actsOnPage({
  cancel: cancelReviewReply,
  generate: generateDraft,
  mark: markReview,
  flag: flagReview,
  unflag: unflagReview,
  note: noteReview,
  'delete-reply': deleteReviewReply,
})

/** The forms of the page of reviews. Pressing Enter only saves the draft. Sending needs the button. */
export const reviewActions = { ...forms.actions, send: chosenAct('do', reply, 'save') }

/** The sentences after them. */
export const reviewNotices = { ...forms.notices, ...actsOnPage(reply).notices }
