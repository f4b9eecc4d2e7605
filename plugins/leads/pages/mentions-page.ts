import { defineAppPage, refuseIgnored } from 'renown'
import { countUnread } from './list-mentions'
import { loadMentions, type MentionsData } from './load-mentions'
import { mentionActions, mentionNotices } from './mention-actions'
import { mentionsPath } from './mention-forms'
import { mentionsStyle } from './mentions-style'

/** The page for reading mentions and deciding about them. */
export const mentionsPage = defineAppPage<MentionsData>({
  path: mentionsPath,
  title: 'Mentions',
  nav: { label: 'Mentions', order: 40, icon: 'message-circle', count: countUnread },
  module: new URL('./MentionsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadMentions,
  actions: mentionActions,
  notices: { ...mentionNotices, begun: 'Tracker created. Renown looks for the first posts now.' },
  csv: (data) => [
    [
      'id',
      'posted_at',
      'source',
      'tracker',
      'by',
      'language',
      'state',
      'relevance',
      'sentiment',
      'copies',
      'text',
    ],
    ...refuseIgnored(data).lines.map((line) => [
      ...[line.id, line.at, line.source, line.tracker, line.by, line.language, line.status],
      ...[line.relevance, line.sentiment, line.copies, line.text],
    ]),
  ],
  style: mentionsStyle,
})
