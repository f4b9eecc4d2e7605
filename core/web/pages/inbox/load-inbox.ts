import type { ListData, ShownList } from '../../../contracts/list'
import type { PageContext } from '../../../contracts/page'
import { where } from '../../../contracts/where'
import type { ShownText } from '../../../contracts/words'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'
import { type KeyedEntry, type Kind, localeFor, readKindsOnce, shownIn, sourcesOf } from './collect'
import { snoozedUntil } from './snooze'

export const inboxPath = '/app/inbox'

/** The selected entry, with the labels of its buttons. */
export interface SelectedEntry {
  readonly entry: KeyedEntry
  /** The label of the main action's button. Null if there is none. */
  readonly act: ShownText | null
  /** The label of the button of the other action. Null if there is none. */
  readonly other: ShownText | null
}

/** What the inbox shows besides its list. */
export interface InboxOwn {
  readonly kinds: readonly (Omit<Kind, 'entries'> & { readonly count: number })[]
  /** Whether the workspace is a demo. Nothing that its actions do leaves this machine. */
  readonly is_demo: boolean
  /** Key of the next entry, for when the selected one is done. */
  readonly following: string
  /** The entry that Undo restores. */
  readonly undo: string | null
  readonly wakes: { readonly tomorrow: string; readonly monday: string }
  /** When there may be new entries. Null if unknown. */
  readonly next_look: string | null
}

export type InboxData = ListData<InboxOwn, KeyedEntry, SelectedEntry>

/** Returns the waiting entries of a kind, or of all, the newest first. */
export async function entriesOf(ctx: PageContext, kind: string): Promise<readonly KeyedEntry[]> {
  return (await readKindsOnce(ctx))
    .filter(({ name }) => kind === '' || name === kind)
    .flatMap(({ entries }) => entries)
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.key < b.key ? -1 : 1))
}

/** Loads the selected entry. Null if it does not wait any more. */
export async function loadEntry(ctx: PageContext, key: string): Promise<SelectedEntry | null> {
  const entry = (await entriesOf(ctx, '')).find((one) => one.key === key)
  if (!entry) return null
  return { entry, act: await labelOf(ctx, entry, 'action'), other: await labelOf(ctx, entry, 'otherAction') }
}

/** Loads what the inbox shows besides its list. */
export async function loadInbox(
  ctx: PageContext,
  query: URLSearchParams,
  list: ShownList,
): Promise<InboxOwn> {
  const [kinds, all] = await Promise.all([readKindsOnce(ctx), entriesOf(ctx, list.asked.kind ?? '')])
  const at = all.findIndex(({ key }) => key === list.beside?.id)
  const now = ctx.now()
  const zone = ctx.workspace.timezone
  return {
    kinds: kinds.map(({ entries, ...one }) => ({ ...one, count: entries.length })),
    is_demo: ctx.isDemo,
    following: at < 0 ? '' : ((all[at + 1] ?? all[at - 1])?.key ?? ''),
    undo: await undoOf(ctx, query.get('undo') ?? ''),
    wakes: { tomorrow: snoozedUntil('tomorrow', zone, now), monday: snoozedUntil('monday', zone, now) },
    next_look: all.length === 0 ? await nextLook(ctx) : null,
  }
}

/** If a source cannot return the label of its button, the button is left out and the entry's link remains. */
async function labelOf(
  ctx: PageContext,
  entry: KeyedEntry,
  which: 'action' | 'otherAction',
): Promise<ShownText | null> {
  const source = sourcesOf(ctx).find(({ name }) => name === entry.kind)
  const action = source?.[which]
  if (!source || !action) return null
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
