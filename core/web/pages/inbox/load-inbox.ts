import type { PageContext } from '../../../contracts/page'
import { where } from '../../../contracts/where'
import type { ShownText } from '../../../contracts/words'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'
import { type KeyedEntry, type Kind, localeFor, readKinds, shownIn, sourcesOf } from './collect'
import { snoozedUntil } from './snooze'

export const inboxPath = '/app/inbox'
const pageSize = 50

/** The filters in the address. */
export interface InboxFilters {
  /** Name of a source. Empty for all. */
  readonly kind: string
  /** Key of the selected entry. Empty for none. */
  readonly entry: string
  readonly page: number
}

export interface InboxData {
  readonly asked: InboxFilters
  readonly kinds: readonly (Omit<Kind, 'entries'> & { readonly count: number })[]
  /** Number of waiting entries of the requested kinds, as far as they were read. */
  readonly total: number
  readonly entries: readonly KeyedEntry[]
  readonly pages: number
  readonly shown: KeyedEntry | null
  /** The label of the main action's button. Null if there is none. */
  readonly act: ShownText | null
  /** The label of the button of the other action. Null if there is none. */
  readonly other: ShownText | null
  /** Whether the workspace is a demo. Nothing that its actions do leaves this machine. */
  readonly is_demo: boolean
  /** Address of the next entry, for when the selected one is done. */
  readonly following: string
  /** A kind in the address that does not exist. */
  readonly unknown: string | null
  /** The entry that Undo restores. */
  readonly undo: string | null
  readonly wakes: { readonly tomorrow: string; readonly monday: string }
  /** When there may be new entries. Null if unknown. */
  readonly next_look: string | null
}

/** The address of the page. */
export function addressOf({ kind, entry, page }: InboxFilters): string {
  const query = new URLSearchParams()
  if (kind !== '') query.set('kind', kind)
  if (entry !== '') query.set('entry', entry)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? inboxPath : `${inboxPath}?${query}`
}

/** Loads the data of the inbox. */
export async function loadInbox(ctx: PageContext, query: URLSearchParams): Promise<InboxData> {
  const kinds = await readKinds(ctx)
  const named = query.get('kind') ?? ''
  const isKnown = named === '' || kinds.some(({ name }) => name === named)
  const kind = isKnown ? named : ''
  const all = kinds
    .filter(({ name }) => kind === '' || name === kind)
    .flatMap(({ entries }) => entries)
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.key < b.key ? -1 : 1))
  const pages = Math.max(1, Math.ceil(all.length / pageSize))
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page'))) || 1))
  const entry = (query.get('entry') ?? '').slice(0, 150)
  const place = all.findIndex(({ key }) => key === entry)
  const now = ctx.now()
  const zone = ctx.workspace.timezone
  return {
    asked: { kind, entry, page },
    kinds: kinds.map(({ entries, ...one }) => ({ ...one, count: entries.length })),
    total: all.length,
    entries: all.slice((page - 1) * pageSize, page * pageSize),
    pages,
    shown: all[place] ?? null,
    act: await labelOf(ctx, all[place], 'action'),
    other: await labelOf(ctx, all[place], 'otherAction'),
    is_demo: ctx.isDemo,
    following: place < 0 ? '' : ((all[place + 1] ?? all[place - 1])?.key ?? ''),
    unknown: isKnown ? null : named.slice(0, 40),
    undo: await undoOf(ctx, query.get('undo') ?? ''),
    wakes: { tomorrow: snoozedUntil('tomorrow', zone, now), monday: snoozedUntil('monday', zone, now) },
    next_look: all.length === 0 ? await nextLook(ctx) : null,
  }
}

/** If a source cannot return the label of its button, the button is left out and the entry's link remains. */
async function labelOf(
  ctx: PageContext,
  entry: KeyedEntry | undefined,
  which: 'action' | 'otherAction',
): Promise<ShownText | null> {
  const source = entry && sourcesOf(ctx).find(({ name }) => name === entry.kind)
  const action = source?.[which]
  if (!entry || !action) return null
  try {
    const label = await action.label(ctx, entry)
    return label === null ? null : shownIn(localeFor(ctx), source)(label)
  } catch (error) {
    ctx.system.log.error('an action of the inbox could not be read', {
      source: source.name,
      error: String(error),
    })
    return null
  }
}

/** Returns the entry that was marked, while its mark exists. */
async function undoOf(ctx: PageContext, entry: string): Promise<string | null> {
  if (entry === '' || entry.length > 150) return null
  const [mark] = await ctx.rows(InboxMark).list({ where: where.eq('entry', entry), limit: 1 })
  return mark ? mark.entry : null
}

/** Returns the earliest time at which a source looks for new entries, or a snoozed entry is shown again. */
async function nextLook(ctx: PageContext): Promise<string | null> {
  const now = ctx.now().toISOString()
  const snoozed = await ctx.rows(InboxMark).list({ where: where.gt('until', now), limit: 1_000 })
  const looks = await Promise.all(sourcesOf(ctx).map((source) => lookOf(source.nextLook?.(ctx))))
  const moments = [...snoozed.map(({ until }) => until), ...looks].filter(
    (at): at is string => typeof at === 'string' && at > now,
  )
  return moments.toSorted()[0] ?? null
}

/** Returns null if a source cannot say when it looks. */
const lookOf = (look: Promise<string | null> | undefined) => look?.catch(() => null) ?? null
