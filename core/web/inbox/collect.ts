import * as v from 'valibot'
import type { Row } from '../../contracts/entity'
import { messageOf } from '../../contracts/errors'
import { type InboxEntry, type InboxSource, inboxEntry, inboxEntrySchema } from '../../contracts/inbox'
import type { NavCount, PageContext } from '../../contracts/page'
import { InboxMark } from '../../tenancy/inbox/InboxMark'

/** Maximum entries that are listed per kind, and maximum marks that are read. */
export const perKindMax = 200
const marksMax = 1_000

/** An entry with its key, which is unique in the workspace. */
export interface KeyedEntry extends InboxEntry {
  readonly key: string
  /** Name of the source. */
  readonly kind: string
}

/** The waiting entries of one kind. */
export interface Kind {
  readonly name: string
  readonly title: string
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

/**
 * Reads the entries of a source, without those that are done or snoozed. An error of its plugin makes the kind
 * unreadable.
 */
export async function readKind(
  ctx: PageContext,
  source: InboxSource,
  marks: ReadonlyMap<string, Mark>,
  max = perKindMax,
): Promise<Kind> {
  const { name, title, icon } = source
  try {
    const marked = [...marks.keys()].filter((key) => key.startsWith(keyOf(name, ''))).length
    const limit = max + marked
    const listed = v.parse(v.array(inboxEntrySchema), await source.list(ctx, limit))
    const now = ctx.now()
    const waiting = listed
      .slice(0, limit)
      .map((entry) => ({ ...(entry as InboxEntry), key: keyOf(name, entry.id), kind: name }))
      .filter((entry) => !isHidden(marks.get(entry.key), entry, now))
    const isMore = listed.length >= limit || waiting.length > max
    return { name, title, icon, entries: waiting.slice(0, max), isMore, fault: null }
  } catch (error) {
    const fault = messageOf(error)
    logFault(ctx, name, fault)
    return { name, title, icon, entries: [], isMore: false, fault }
  }
}

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
  const marks = await marksOf(ctx)
  return Promise.all(sourcesOf(ctx).map((source) => readKind(ctx, source, marks)))
}

/** From this number on, the navigation shows 99+. */
const countMax = 100

/**
 * Counts the waiting entries for the navigation. It reads at most `countMax` entries of each kind, and none of
 * expensive kinds. A kind that cannot be read leaves the number open.
 */
export async function countInbox(ctx: PageContext): Promise<NavCount> {
  const marks = await marksOf(ctx)
  const counted = sourcesOf(ctx).filter(({ isCounted }) => isCounted !== false)
  const kinds = await Promise.all(counted.map((source) => readKind(ctx, source, marks, countMax)))
  const known = kinds.reduce((sum, { entries }) => sum + entries.length, 0)
  return kinds.some(({ fault }) => fault !== null) ? { atLeast: known } : known
}
