import type { ListSource } from '../../../contracts/list'
import type { PageContext } from '../../../contracts/page'
import { shownText } from '../../../kit/phrases'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'
import { defineList } from '../../framework/lists/define-list-page'
import { type KeyedEntry, localeFor, sourcesOf } from './collect'
import { markDone, markSnoozed, restoreEntry } from './inbox-marks'
import { entriesOf, loadEntry } from './load-inbox'
import { inboxWords } from './words'

const restored = {
  act: { marks: InboxMark, run: restoreEntry },
  did: (count: number) => inboxWords('severalRestored', { count }),
}

/** The list of the inbox: all entries that wait for a person, of all kinds or of one. */
export const inboxList = defineList({
  rows: 'entries',
  perPage: 50,
  turns: [inboxWords('newer'), inboxWords('older')],
  filters: {
    kind: {
      kind: 'link',
      accepts: (text, ctx) => sourcesOf(ctx).some(({ name }) => name === text),
      accepted: (ctx) => {
        const kinds = sourcesOf(ctx).map(({ name }) => name)
        return shownText(inboxWords('useKinds', { kinds: kinds.join(', ') }), localeFor(ctx)).text
      },
    },
  },
  source: (ctx, { kind }) => waiting(ctx, kind),
  idOf: ({ key }) => key,
  line: (entry) => entry,
  columns: () => [
    { name: 'entry', value: ({ key }) => key },
    { name: 'kind', value: ({ kind }) => kind },
    { name: 'title', value: ({ title }) => title.text },
    { name: 'state', value: ({ word }) => word.text },
    { name: 'about', value: ({ about }) => about?.text ?? null },
    { name: 'at', type: 'instant', value: ({ at }) => at },
    { name: 'quote', value: ({ quote }) => quote?.text ?? null },
  ],
  beside: { param: 'entry', load: loadEntry },
  several: {
    called: ['entry', 'entries'],
    seen: ({ state }) => state,
    acts: {
      done: {
        act: { marks: InboxMark, run: markDone },
        words: inboxWords('done'),
        did: (count) => inboxWords('severalFinished', { count }),
        key: 'e',
        undo: restored,
      },
      snooze: {
        act: { marks: InboxMark, run: markSnoozed },
        words: inboxWords('snoozeTomorrow'),
        did: (count) => inboxWords('severalSnoozed', { count }),
        key: 's',
        undo: restored,
      },
    },
  },
  empty: () => '',
})

/** A page after the last one shows the last one, because entries leave the inbox in the meantime. */
const waiting = (ctx: PageContext, kind: string): ListSource<KeyedEntry> => ({
  async list({ skip, limit }) {
    const all = await entriesOf(ctx, kind)
    const size = limit - 1
    const last = Math.max(0, Math.ceil(all.length / size) - 1) * size
    const from = Math.min(skip, last)
    return all.slice(from, from + limit)
  },
  async *pages() {
    yield await entriesOf(ctx, kind)
  },
})
