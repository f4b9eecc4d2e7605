import { actsOnPage, defineList, definePage } from 'renown/pages'
import { mentionActs } from '../decisions/mention-commands'
import { Mention } from '../records/Mention'
import { cleanText } from '../sources/plain-text'
import { trackerActs } from '../tracking/tracker-acts'
import { leadWords } from '../words'
import { countUnread, type ListedMention, listMentions } from './list-mentions'
import { loadMention } from './load-mention'
import { loadMentions, type MentionsOwn } from './load-mentions'
import { mentionActions, mentionNotices } from './mention-actions'
import { mentionFilters } from './mention-filters'
import { mentionsPath } from './mention-forms'
import { aroundMentions, lineOf } from './mention-lines'
import { mentionsStyle } from './mentions-style'
import { removedBy, removedNotes } from './removed-notes'

const textMax = 20_000

const { save, dismiss, restore } = mentionActs
const given = (seen: string) => ({ seen })
const undone = (seen: string) => ({ act: restore, given: () => ({ seen }) })

/** The page for reading mentions and deciding about them. */
export const mentionsPage = definePage<MentionsOwn>({
  path: mentionsPath,
  title: 'Mentions',
  nav: { label: leadWords('navMentions'), order: 40, icon: 'message-circle', count: countUnread },
  module: new URL('./MentionsPage.tsx', import.meta.url),
  list: defineList({
    rows: 'mentions',
    perPage: 50,
    filters: mentionFilters,
    source: (ctx, asked) => ({ after: (part) => listMentions(ctx, asked, part) }),
    more: aroundMentions,
    line: lineOf,
    columns: (_, { names, copies, noteOf }) => [
      { name: 'id', value: ({ id }: ListedMention) => id },
      { name: 'posted_at', type: 'instant', value: ({ posted_at }) => posted_at ?? null },
      { name: 'source', value: ({ source }) => source },
      { name: 'tracker', value: ({ tracker_id }) => names.get(tracker_id) ?? '' },
      { name: 'by', value: ({ author }) => cleanText(author.name ?? author.handle, 80) },
      { name: 'language', value: ({ language }) => language },
      { name: 'state', value: ({ status }) => status },
      { name: 'relevance', value: ({ relevance }) => relevance ?? null },
      { name: 'sentiment', value: ({ sentiment }) => sentiment ?? null },
      { name: 'copies', type: 'count', value: ({ id }) => copies.get(id) ?? 0 },
      {
        name: 'text',
        value: ({ title, body, excerpt }) =>
          cleanText([title, body || excerpt].filter(Boolean).join(' — '), textMax),
      },
      { name: 'url', value: ({ url }) => url },
      { name: 'attribution', value: (row) => noteOf(row).attribution },
      { name: 'removed_by_rule', value: removedBy },
    ],
    beside: { param: 'mention', load: loadMention },
    several: {
      called: ['mention', 'mentions'],
      seen: ({ status }) => status,
      acts: {
        save: {
          act: save,
          words: 'Save',
          did: 'saved',
          key: 's',
          isFor: isOfNew,
          given,
          undo: undone('saved'),
        },
        dismiss: {
          act: dismiss,
          words: 'Dismiss',
          did: 'dismissed',
          key: 'x',
          isFor: isOfNew,
          given,
          undo: undone('dismissed'),
        },
        restore: {
          act: restore,
          words: 'Make new again',
          did: 'made new again',
          key: 'u',
          isFor: (asked) => !isOfNew(asked),
          given,
        },
      },
    },
    empty: (_, { isFiltered }) =>
      isFiltered
        ? 'No mention matches these filters.'
        : {
            text: 'All done: no new mention waits for you.',
            link: { href: `${mentionsPath}?state=any`, words: 'Show all mentions' },
          },
    hasAny: async (ctx) => (await ctx.rows(Mention).list({ limit: 1, fields: ['status'] })).length > 0,
    notes: { of: removedBy, say: removedNotes },
  }),
  load: loadMentions,
  actions: mentionActions,
  notices: { ...mentionNotices, ...actsOnPage({ begin: trackerActs.begin }).notices },
  style: mentionsStyle,
})

/** New mentions can be saved and dismissed, others made new again. */
function isOfNew({ state }: Readonly<Record<string, string>>): boolean {
  return state === '' || state === 'any'
}
