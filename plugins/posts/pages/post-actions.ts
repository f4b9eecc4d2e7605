import { actForm, actsOnPage } from 'renown/pages'
import { postActs } from '../acts/post-acts'
import { approvalActs } from '../approval/approval-acts'

const onPage = actsOnPage({ ...postActs, ...approvalActs })

/** The forms of the page of a post, by name. */
export const postActions = {
  ...onPage.actions,
  duplicate: actForm(postActs.duplicate, 'copied', {
    to: (_, word, { created = '' }) =>
      `/app/posts/post?${new URLSearchParams({ post: created, done: word })}`,
  }),
}

/** The sentences after them, by their word. */
export const postNotices = onPage.notices
