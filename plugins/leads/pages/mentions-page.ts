import { actsOnPage, definePage } from 'renown/pages'
import { trackerActs } from '../tracking/tracker-acts'
import { leadWords } from '../words'
import { downloadMentions } from './download-mentions'
import { countUnread } from './list-mentions'
import { loadMentions, type MentionsData } from './load-mentions'
import { mentionActions, mentionNotices } from './mention-actions'
import { mentionsPath } from './mention-forms'
import { mentionsStyle } from './mentions-style'

/** The page for reading mentions and deciding about them. */
export const mentionsPage = definePage<MentionsData>({
  path: mentionsPath,
  title: 'Mentions',
  nav: { label: leadWords('navMentions'), order: 40, icon: 'message-circle', count: countUnread },
  module: new URL('./MentionsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadMentions,
  actions: mentionActions,
  notices: { ...mentionNotices, ...actsOnPage({ begin: trackerActs.begin }).notices },
  download: downloadMentions,
  style: mentionsStyle,
})
