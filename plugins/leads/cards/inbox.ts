import { type Row, where } from 'renown'
import type { InboxEntry, InboxSource, PageContext, Wording } from 'renown/pages'
import { isWanted } from '../finding/targets'
import { faultWords } from '../pages/fault-words'
import { unreadMentions } from '../pages/list-mentions'
import { BrandTracker } from '../records/BrandTracker'
import { Mention } from '../records/Mention'
import { SourceTarget } from '../records/SourceTarget'
import { cleanText } from '../sources/plain-text'
import { leadsSource } from '../sources/source'
import { leadWords } from '../words'

/** The newest unread mentions that are grouped. It runs for every page that is opened. */
const unreadMax = 200
const trackersMax = 500
/** A source that failed this often in a row does not recover by itself soon. */
const failuresMin = 5
const failingMax = 100

/** The order of an index. */
const soonest = [
  { field: 'next_run_at', direction: 'asc' },
  { field: 'created_date', direction: 'desc' },
] as const

const fields = ['tracker_id', 'title', 'excerpt', 'author', 'language', 'created_date'] as const
type Unread = Pick<Row<typeof Mention>, (typeof fields)[number] | 'id'>

/** New relevant mentions, one entry for each tracker, and sources that cannot be read. */
export const mentionEntries: InboxSource = {
  name: 'mentions',
  title: leadWords('kindMentions'),
  order: 30,
  icon: 'message-circle',
  async list(ctx, limit) {
    const [unread, failing] = await Promise.all([unreadEntries(ctx), failingEntries(ctx)])
    return [...unread, ...failing].toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit)
  },
  /** Returns when the next tracker of the workspace is searched. */
  async nextLook(ctx) {
    const later = where.gt('next_run_at', ctx.now().toISOString())
    const [next] = await ctx.rows(BrandTracker).list({
      where: where.and(where.eq('is_active', true), later),
      sort: soonest,
      limit: 1,
      fields: ['next_run_at'],
    })
    return next?.next_run_at ?? null
  },
}

async function unreadEntries(ctx: PageContext): Promise<InboxEntry[]> {
  const rows = await ctx.rows(Mention).list({
    where: unreadMentions,
    sort: [{ field: 'posted_at', direction: 'desc' }],
    limit: unreadMax,
    fields,
  })
  const byTracker = Map.groupBy(rows, ({ tracker_id }) => tracker_id)
  const ids = [...byTracker.keys()]
  const known = { where: where.in('id', ids), limit: ids.length, fields: ['name'] } as const
  const trackers = ids.length === 0 ? [] : await ctx.rows(BrandTracker).list(known)
  const names = new Map(trackers.map(({ id, name }) => [id, name]))
  return [...byTracker].map(([id, own]) =>
    unreadEntry(id, own, names.get(id) ?? leadWords('deletedTracker'), rows.length === unreadMax),
  )
}

function unreadEntry(id: string, own: readonly Unread[], name: Wording, hasMore: boolean): InboxEntry {
  const [newest] = own as [Unread]
  const text = cleanText([newest.title, newest.excerpt].filter(Boolean).join(' — '), 300)
  const by = cleanText(newest.author.name ?? newest.author.handle, 80)
  const lang = newest.language === 'und' ? {} : { lang: newest.language }
  return {
    id: `tracker.${id}`,
    state: newest.id,
    at:
      own
        .map(({ created_date }) => created_date)
        .toSorted()
        .at(-1) ?? newest.created_date,
    word: leadWords('new'),
    tone: 'warn',
    title: leadWords(hasMore ? 'newMentionsOrMore' : 'newMentions', { count: own.length }),
    about: name,
    count: own.length,
    ...(text === '' ? {} : { quote: { text, ...(by === '' ? {} : { by }), ...lang } }),
    link: {
      href: `/app/mentions?${new URLSearchParams({ tracker: id, relevance: 'relevant', unread: '1' })}`,
      label: leadWords('readThem'),
    },
  }
}

/** Sources that keep failing for a tracker of this workspace: one entry for each source. */
async function failingEntries(ctx: PageContext): Promise<InboxEntry[]> {
  const failing = await ctx.system.rows(SourceTarget).list({
    where: where.gte('failures', failuresMin),
    sort: [
      { field: 'failures', direction: 'asc' },
      { field: 'due_at', direction: 'asc' },
    ],
    limit: failingMax,
  })
  if (failing.length === 0) return []
  const trackers = await ctx.rows(BrandTracker).list({
    where: where.eq('is_active', true),
    sort: soonest,
    limit: trackersMax,
  })
  const sources = ctx.system.extensions(leadsSource)
  return [...Map.groupBy(failing, ({ source }) => source)].flatMap(([name, own]) => {
    const [first] = own
    const source = sources.find((one) => one.name === name)
    const tracker = source && trackers.find((one) => isWanted(one, source))
    if (!first || !source || !tracker) return []
    const error = faultWords(first.error ?? '')
    return [
      {
        id: `source.${name}`,
        state: error.slice(0, 200),
        word: leadWords('failed'),
        tone: 'bad',
        at: first.read_at ?? first.created_date,
        title: leadWords('sourceUnreadable', { source: source.label }),
        about: tracker.name,
        text: [{ text: error, lang: 'en' }, leadWords('triesAgain')],
        link: {
          href: `/app/mentions/tracker?${new URLSearchParams({ tracker: tracker.id })}`,
          label: leadWords('openTracker'),
        },
      } satisfies InboxEntry,
    ]
  })
}
