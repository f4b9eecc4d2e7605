import * as v from 'valibot'
import type { Row } from '../../../contracts/entity'
import { messageOf } from '../../../contracts/errors'
import { type InboxEntry, type InboxSource, inboxEntry, inboxEntrySchema } from '../../../contracts/inbox'
import type { NavCount, PageContext } from '../../../contracts/page'
import type { ShownText, Wording } from '../../../contracts/words'
import type { PageLocale } from '../../../kit/page-locale'
import { declaredText, shownText } from '../../../kit/phrases'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'

/** Maximum entries that are listed per kind, and maximum marks that are read. */
export const perKindMax = 200
const marksMax = 1_000
/** From this number on, the navigation shows 99+. */
const countMax = 100

/** An entry in the language of the page, with its key, which is unique in the workspace. */
export interface KeyedEntry extends Omit<InboxEntry, 'title' | 'word' | 'about' | 'quote' | 'text' | 'link'> {
  readonly title: ShownText
  readonly word: ShownText
  readonly about?: ShownText
  readonly quote?: { readonly text: string; readonly by?: ShownText; readonly lang?: string }
  /** The lines of the description. */
  readonly text?: readonly ShownText[]
  readonly link?: { readonly href: string; readonly label: ShownText }
  readonly key: string
  /** Name of the source. */
  readonly kind: string
}

/** The waiting entries of one kind. */
export interface Kind {
  readonly name: string
  readonly title: ShownText
  readonly icon: InboxSource['icon']
  readonly entries: readonly KeyedEntry[]
  /** Whether there may be more than were read. */
  readonly isMore: boolean
  /** Why the kind cannot be read, or null. An unreadable kind is not an empty one. */
  readonly fault: string | null
}

type Mark = Row<typeof InboxMark>

export const keyOf = (source: string, id: string): string => `${source}~${id}`

/** Returns the sources whose entries this person sees, in order. */
export const sourcesOf = ({ system, person }: PageContext): InboxSource[] =>
  system
    .extensions(inboxEntry)
    .filter(({ only }) => only === undefined || only === person.role)
    .toSorted((a, b) => a.order - b.order)

/** Returns the latest marks of the workspace, by entry. Each request reads them once. */
export const marksOnce = (ctx: PageContext): Promise<ReadonlyMap<string, Mark>> =>
  ctx.once('inbox-marks', () => marksOf(ctx))

/** Returns the latest marks of the workspace, by entry. */
export async function marksOf(ctx: Pick<PageContext, 'rows'>): Promise<ReadonlyMap<string, Mark>> {
  const sort = [{ field: 'updated_date', direction: 'desc' }] as const
  const marks = await ctx.rows(InboxMark).list({ sort, limit: marksMax })
  return new Map(marks.map((mark) => [mark.entry, mark]))
}

/** Whether the mark hides the entry: it has the same state, and the snooze is not over. */
export const isHidden = (mark: Mark | undefined, { state }: Pick<InboxEntry, 'state'>, now: Date): boolean =>
  mark !== undefined &&
  mark.state === state &&
  (mark.until === undefined || Date.parse(mark.until) > now.getTime())

/** The waiting entries of a source, as its plugin returned them. */
interface Waiting {
  readonly entries: readonly InboxEntry[]
  readonly isMore: boolean
  readonly fault: string | null
}

/**
 * Reads the entries of a source, without those that are done or snoozed. An error of its plugin makes the kind
 * unreadable.
 */
async function readWaiting(
  ctx: PageContext,
  source: InboxSource,
  marks: ReadonlyMap<string, Mark>,
  max: number,
): Promise<Waiting> {
  const { name } = source
  try {
    const marked = [...marks.keys()].filter((key) => key.startsWith(keyOf(name, ''))).length
    const limit = max + marked
    const listed = v.parse(v.array(inboxEntrySchema), await source.list(ctx, limit))
    const now = ctx.now()
    const waiting = (listed as InboxEntry[])
      .slice(0, limit)
      .filter((entry) => !isHidden(marks.get(keyOf(name, entry.id)), entry, now))
    const isMore = listed.length >= limit || waiting.length > max
    return { entries: waiting.slice(0, max), isMore, fault: null }
  } catch (error) {
    const fault = messageOf(error)
    logFault(ctx, name, fault)
    return { entries: [], isMore: false, fault }
  }
}

/**
 * Returns the entries of a source. The navigation counts them on every page, so a page with entries uses what was counted, unless
 * it needs more of them.
 */
async function waitingOf(
  ctx: PageContext,
  source: InboxSource,
  marks: ReadonlyMap<string, Mark>,
  max: number,
): Promise<Waiting> {
  if (source.isCounted === false) return readWaiting(ctx, source, marks, max)
  const counted = await ctx.once(`inbox-counted:${source.name}`, () =>
    readWaiting(ctx, source, marks, countMax),
  )
  const { entries, isMore } = counted
  if (entries.length > max) return { ...counted, entries: entries.slice(0, max), isMore: true }
  return isMore && max > countMax ? readWaiting(ctx, source, marks, max) : counted
}

/** Reads the entries of a source, in the language of the page. */
export async function readKind(
  ctx: PageContext,
  source: InboxSource,
  marks: ReadonlyMap<string, Mark>,
  max = perKindMax,
): Promise<Kind> {
  const waiting = await waitingOf(ctx, source, marks, max)
  const { name, icon } = source
  const locale = localeFor(ctx)
  return {
    ...waiting,
    name,
    icon,
    title: shownIn(locale, source)(source.title),
    entries: waiting.entries.map((entry) => keyedEntry(source, entry, locale)),
  }
}

/** Returns the language and the time zone of a page with entries. */
export const localeFor = ({ language, workspace }: PageContext): PageLocale => ({
  lang: language,
  timezone: workspace.timezone,
})

/** Returns how texts of a source are shown. If even its title is a plain text, it has no words, and all its texts are English. */
export const shownIn =
  (locale: PageLocale, { title }: Pick<InboxSource, 'title'>) =>
  (wording: Wording): ShownText =>
    typeof title === 'string' ? declaredText(wording, locale) : shownText(wording, locale)

/** Returns an entry in the language of the page. */
function keyedEntry(source: InboxSource, entry: InboxEntry, locale: PageLocale): KeyedEntry {
  const shown = shownIn(locale, source)
  const { title, word, about, quote, text, link, ...others } = entry
  return {
    ...others,
    key: keyOf(source.name, entry.id),
    kind: source.name,
    title: cut(shown(title)),
    word: shown(word),
    // A name, such as that of a location, or a phrase.
    ...(about === undefined ? {} : { about: shownText(about, locale) }),
    ...(quote === undefined ? {} : { quote: shownQuote(quote, locale) }),
    ...(text === undefined ? {} : { text: linesOf(text).map(shown) }),
    ...(link === undefined ? {} : { link: { href: link.href, label: shown(link.label) } }),
  }
}

const shownQuote = ({ by, ...quote }: NonNullable<InboxEntry['quote']>, locale: PageLocale) =>
  by === undefined ? quote : { ...quote, by: shownText(by, locale) }

const linesOf = (text: Wording | readonly Wording[]): readonly Wording[] => (isList(text) ? text : [text])
const isList = (text: Wording | readonly Wording[]): text is readonly Wording[] => Array.isArray(text)

const titleMax = 300

/** A phrase is as long as its values, which can be names of strangers. */
const cut = ({ text, ...lang }: ShownText): ShownText => ({
  ...lang,
  text: text.length > titleMax ? `${text.slice(0, titleMax - 1)}…` : text,
})

const loggedAgainMs = 10 * 60_000
const logged = new WeakMap<object, Map<string, number>>()

/** Logs why a source cannot be read. Every page counts the inbox, so the same fault is logged once in ten minutes. */
function logFault({ system: { log }, workspace, now }: PageContext, source: string, fault: string): void {
  const faults = logged.get(log) ?? new Map<string, number>()
  logged.set(log, faults)
  const at = now().getTime()
  for (const [known, last] of faults) if (at - last >= loggedAgainMs) faults.delete(known)
  const key = `${source} ${workspace.id} ${fault}`
  if (faults.has(key)) return
  faults.set(key, at)
  log.error('a source of the inbox could not be read', { source, workspace_id: workspace.id, error: fault })
}

/** Returns all waiting entries of the workspace, by kind. */
export async function readKinds(ctx: PageContext): Promise<readonly Kind[]> {
  const marks = await marksOnce(ctx)
  return Promise.all(sourcesOf(ctx).map((source) => readKind(ctx, source, marks)))
}

/** Returns all waiting entries as this request first read them. */
export const readKindsOnce = (ctx: PageContext): Promise<readonly Kind[]> =>
  ctx.once('inbox-kinds', () => readKinds(ctx))

/**
 * Counts the waiting entries for the navigation. It reads at most `countMax` entries of each kind, and none of
 * expensive kinds. A kind that cannot be read leaves the number open.
 */
export async function countInbox(ctx: PageContext): Promise<NavCount> {
  const marks = await marksOnce(ctx)
  const counted = sourcesOf(ctx).filter(({ isCounted }) => isCounted !== false)
  const kinds = await Promise.all(counted.map((source) => waitingOf(ctx, source, marks, countMax)))
  const known = kinds.reduce((sum, { entries }) => sum + entries.length, 0)
  return kinds.some(({ fault }) => fault !== null) ? { atLeast: known } : known
}
