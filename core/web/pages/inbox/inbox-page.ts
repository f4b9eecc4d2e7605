import { definePage } from '../../framework/define-page'
import { frameWords } from '../../framework/words'
import { countInbox } from './collect'
import { inboxActions, inboxNotices } from './inbox-actions'
import { inboxList } from './list-inbox'
import { type InboxOwn, inboxPath, loadInbox } from './load-inbox'
import { inboxWords } from './words'

/** The inbox: all entries that wait for a person. */
export const inboxPage = definePage<InboxOwn>({
  path: inboxPath,
  title: inboxWords('title'),
  words: inboxWords,
  nav: { label: frameWords('navInbox'), order: 10, icon: 'inbox', onPhones: true, count: countInbox },
  module: new URL('./InboxPage.tsx', import.meta.url),
  list: inboxList,
  load: loadInbox,
  actions: inboxActions,
  notices: inboxNotices,
})
