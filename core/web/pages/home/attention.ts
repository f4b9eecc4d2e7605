import type { PageContext } from '../../../contracts/page'
import { InboxMark } from '../../../tenancy/inbox/InboxMark'
import type { AppPageDeps } from '../../framework/page-context'
import { type KeyedEntry, type Kind, marksOnce, readKind, sourcesOf } from '../inbox/collect'

/** Maximum entries that are read of each kind. */
const perKindMax = 20
/** Maximum problems that are shown. */
const shownMax = 3

/** The problems of a workspace. */
export interface Attention {
  /** The newest problems of the inbox. */
  readonly problems: readonly KeyedEntry[]
  /** Titles of kinds that cannot be read, with the reason. */
  readonly unread: readonly Pick<Kind, 'title' | 'fault'>[]
}

/** Reads the problems among the entries of the inbox. Null if the inbox is not installed. */
export async function readAttention({ context }: AppPageDeps, ctx: PageContext): Promise<Attention | null> {
  if (!context.registry.entities.has(InboxMark.name)) return null
  const marks = await marksOnce(ctx)
  const kinds = await Promise.all(sourcesOf(ctx).map((source) => readKind(ctx, source, marks, perKindMax)))
  const problems = kinds
    .flatMap(({ entries }) => entries)
    .filter(({ tone }) => tone === 'bad')
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
  return {
    problems: problems.slice(0, shownMax),
    unread: kinds.filter(({ fault }) => fault !== null),
  }
}
