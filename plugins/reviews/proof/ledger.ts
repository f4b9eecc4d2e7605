import {
  type AnyEntity,
  isConflict,
  type OwnerContext,
  type ReadRows,
  type Row,
  type WriteBatch,
  where,
} from 'renown'
import { productState } from 'renown/pages'
import type { GoneStatement, SourceReview } from '../contract'
import { ReviewListing } from '../records/ReviewListing'
import { ReviewObservation } from '../records/ReviewObservation'
import { digestOfAll, hashOf, noHash } from './chain-hash'
import { digestOf } from './digest'
import type { Proof } from './pass'
import { asEntry, type ProvenRemoval, type RemovalEntry } from './removalProof'

/** Rows that can be read page by page, in a caller's context or the system context. */
export interface ReadableRows {
  rows<E extends AnyEntity>(entity: E): Pick<ReadRows<E>, 'each' | 'pages'>
}

/** The location and the source of a log. */
export interface Chain {
  readonly workspace_id: string
  readonly location_id: string
  /** The platform. */
  readonly source: string
}

/** New or changed reviews in full, with their digests from then on. */
interface SeenEntry {
  readonly kind: 'seen'
  readonly reviews: readonly {
    readonly digest: string
    /** Set if a person was erased from the review: the hash of what was read. */
    readonly content?: string
    readonly review: SourceReview
  }[]
  /** Ids of reviews that were marked as removed and are shown again. */
  readonly restored?: readonly string[]
  /** Reviews that have a new id from then on. */
  readonly adopted?: readonly { readonly from: string; readonly to: string }[]
  /** What Renown itself did with reviews, by their ids. */
  readonly own?: Readonly<Record<string, OwnNote>>
  /** Absent in entries of the first versions, which did not log what Renown itself did. */
  readonly logs_own?: true
}

/** What Renown itself did with a review. No platform says it, so the log must. */
export interface OwnNote {
  /** The automatic reply was sent. */
  readonly sent?: true
  /** Digest of the analysis of a language model. */
  readonly judged?: string
}

/** A platform's figures over all reviews. */
export interface Figures {
  readonly average?: number
  readonly total?: number
  /** What stood on the location before, in notes of figures. */
  readonly before?: { readonly average?: number; readonly total?: number }
}

/** The end of a sync: what it proves, and which removals followed. */
export interface PassEntry extends RemovalEntry {
  readonly kind: 'pass'
  readonly full: boolean
  /** Only in entries of the first versions. Page entries contain it now. */
  readonly restored?: readonly string[]
  readonly adopted?: readonly { readonly from: string; readonly to: string }[]
  /** Reviews that are missing, but not yet marked as removed. */
  readonly withheld: number
  /** Number of current reviews after the sync, and their digest. */
  readonly standing: number
  readonly digest: string
  /** Absent in entries of the first versions, and if the platform reported none. */
  readonly figures?: Figures
}

export type Entry = SeenEntry | PassEntry

/** The end of a log. A copy of it elsewhere proves later that no earlier entry was removed. */
export interface Head {
  readonly seq: number
  readonly hash: string
}
export type Observation = Row<typeof ReviewObservation>

/** Maximum reviews in one entry, because stores are slow with larger rows. */
const chunk = 200
/** Number of entries that are read at once. Each contains up to 200 reviews. */
const pageSize = 50

/** What one page of a sync adds to a log. */
export interface SeenPart {
  readonly reviews: readonly SourceReview[]
  readonly restored: readonly string[]
  readonly adopted: readonly { readonly from: string; readonly to: string }[]
}

/** How a sync ended. */
export interface PassPart {
  readonly full: boolean
  readonly proof: Proof
  readonly removed: readonly ProvenRemoval[]
  readonly withheld: number
  readonly figures: Figures
  /** Whether a row shows the review with this source id. */
  isListed(sourceId: string): boolean
  /** Returns the platform's statement that a review does not exist. Null if it exists. */
  isGone(sourceId: string): Promise<GoneStatement | null>
}

/** A log that a sync writes to. Only one sync writes at a time. */
export interface OpenChain {
  readonly head: Head
  /** The figures that the last sync stored. */
  readonly figures: Figures
  /** Appends new or changed reviews in full, and stores their rows. Returns whether any were appended. */
  seen(part: SeenPart, rows?: Collect): Promise<boolean>
  /** Appends the end of a sync, and stores the rows of removed reviews. */
  pass(part: PassPart, rows?: Collect): Promise<void>
}

/** Collects the writes that are stored together with entries. May be called again, if another process wrote first. */
export type Collect = (batch: WriteBatch) => void

/**
 * Opens the log of a location. Entries and rows are stored together. If the store cannot do that, entries come first, and the
 * location notes where the log ended before. `listed` returns the digests of all visible rows by source id.
 */
export async function openChain(
  ctx: OwnerContext,
  chain: Chain,
  listed: () => Promise<ReadonlyMap<string, string>>,
): Promise<OpenChain> {
  const { standing, head: known, figures: noted } = await standingOf(ctx, chain, listed)
  let head = known
  let figures = noted
  const moveTo = (end: Head, entry: Entry) => {
    follow(standing, entry)
    head = end
    figures = (entry.kind === 'pass' ? entry.figures : undefined) ?? figures
    remember(ctx, chain, { standing, head, figures })
  }
  /** Reads what another process has appended. Returns whether there was anything. */
  const catchUp = async () => {
    let isBehind = false
    for await (const row of entriesOf(ctx, chain, head.seq)) {
      moveTo({ seq: row.seq, hash: row.hash }, row.entry as unknown as Entry)
      isBehind = true
    }
    return isBehind
  }
  const append = async (entriesNow: () => readonly Entry[], rows?: Collect) => {
    for (let tries = 1; ; tries++) {
      const entries = boundEntries(ctx, chain, head, entriesNow())
      try {
        if (entries.length > 0 && rows) await noteOpen(ctx, chain, head.seq)
        await ctx.writeTogether((batch) => {
          for (const { row } of entries) batch.insert(ReviewObservation, row)
          rows?.(batch)
        })
        for (const { row, entry } of entries) moveTo({ seq: row.seq, hash: row.hash }, entry)
        return
      } catch (error) {
        if (tries >= appendTriesMax || !isConflict(error) || !(await catchUp())) throw error
      }
    }
  }
  return {
    get head() {
      return head
    },
    get figures() {
      return figures
    },
    async seen(part, rows) {
      const made = { entries: 0 }
      const entriesNow = () => {
        const entries = seenEntries(part, standing)
        made.entries = entries.length
        return entries
      }
      await append(entriesNow, rows)
      return made.entries > 0
    },
    async pass({ full, proof, withheld, isListed, isGone, removed, figures }, rows) {
      const proven = [...removed]
      // A process that ended between writing the log and the rows may have left a current review in the log
      // that no row ever had.
      const stale = proof.complete ? [...standing.keys()].filter((id) => !isListed(id)) : []
      for (const source_id of stale) {
        const said = await isGone(source_id)
        if (said !== null) proven.push({ source_id, said })
      }
      const said = Object.keys(figures).length === 0 ? {} : { figures }
      const entriesNow = (): Entry[] => {
        const left = new Map(standing)
        for (const { source_id } of proven) left.delete(source_id)
        const after = { standing: left.size, digest: digestOfAll(left) }
        return [{ kind: 'pass', full, proof, withheld, ...asEntry(proven), ...after, ...said }]
      }
      await append(entriesNow, rows)
    },
  }
}

/** How often an entry is bound again because another process appended one first. */
const appendTriesMax = 10

/** Returns the entries of one page. */
function seenEntries(
  { reviews, restored, adopted }: SeenPart,
  standing: ReadonlyMap<string, string>,
): Entry[] {
  const news = reviews
    .map((review) => ({ digest: digestOf(review), review }))
    .filter(({ digest, review }) => standing.get(review.source_id) !== digest)
  const more = {
    ...(restored.length === 0 ? {} : { restored }),
    ...(adopted.length === 0 ? {} : { adopted }),
  }
  const entries: Entry[] = []
  for (let from = 0; from < news.length; from += chunk) {
    const part = news.slice(from, from + chunk)
    entries.push({ kind: 'seen', reviews: part, ...(from === 0 ? more : {}), logs_own: true })
  }
  if (news.length === 0 && Object.keys(more).length > 0)
    entries.push({ kind: 'seen', reviews: [], ...more, logs_own: true })
  return entries
}

/** Binds entries to the end of a log, each with the hash of the one before. */
function boundEntries(ctx: OwnerContext, chain: Chain, end: Head, entries: readonly Entry[]) {
  const at = ctx.now().toISOString()
  let { seq, hash } = end
  return entries.map((entry) => {
    const prev_hash = hash
    seq++
    hash = hashOf(prev_hash, { ...chainOf(chain), seq, at, entry })
    return { entry, row: { ...chain, seq, prev_hash, hash, at, entry: { ...entry } } }
  })
}

/** Notes where a log ended before a page whose rows may not all be stored. Only stores without transactions need it. */
async function noteOpen(ctx: OwnerContext, { location_id, source }: Chain, seq: number): Promise<void> {
  if (ctx.hasTransactions) return
  const [listing] = await ctx
    .rows(ReviewListing)
    .list({ where: where.eq('location_id', location_id), limit: 1 })
  if (!listing || listing.open_pages?.[source] !== undefined) return
  const open_pages = { ...listing.open_pages, [source]: seq }
  await ctx.rows(ReviewListing).update(listing.id, { open_pages })
}

/** What Renown itself did with a review, for its log. */
export interface OwnAct extends OwnNote {
  /** The review with its new reply, or without the deleted one. Left out if the reply stays. */
  readonly review?: SourceReview
}

/**
 * Whether the note of a log's end names this end. Only then may it move on with an entry that no sync appended: a sync that did
 * not end has logged figures that the location does not show, and `verify` tells that by the entries after the note.
 */
export const isNoted = (
  { heads }: Pick<Row<typeof ReviewListing>, 'heads'>,
  source: string,
  end: Head,
): boolean => (heads as Readonly<Record<string, Head | undefined>> | undefined)?.[source]?.hash === end.hash

/**
 * Appends what Renown itself did with a review, and stores its row. Stores only the row if the reviews of the location were never
 * read, such as those of a demo.
 */
export async function logOwn(
  ctx: OwnerContext,
  { workspace_id, location_id, source, source_id }: Chain & { readonly source_id: string },
  { review, ...note }: OwnAct,
  rows: Collect = () => {},
): Promise<void> {
  const chain = { workspace_id, location_id, source }
  const [listing] = await ctx
    .rows(ReviewListing)
    .list({ where: where.eq('location_id', location_id), limit: 1 })
  const reviews = review === undefined ? [] : [{ digest: digestOf(review), review }]
  const own = Object.keys(note).length === 0 ? {} : { own: { [source_id]: note } }
  const entry: Entry = { kind: 'seen', reviews, ...own, logs_own: true }
  for (let tries = 1; ; tries++) {
    const [last] = await newest(ctx, chain, 1)
    if (!last) return ctx.writeTogether(rows)
    const end = { seq: last.seq, hash: last.hash }
    const bound = boundEntries(ctx, chain, end, [entry])
    try {
      if (review !== undefined) await noteOpen(ctx, chain, end.seq)
      await ctx.writeTogether((batch) => {
        for (const { row } of bound) {
          batch.insert(ReviewObservation, row)
          const heads = { ...listing?.heads, [source]: { seq: row.seq, hash: row.hash } }
          if (listing && isNoted(listing, source, end)) batch.update(ReviewListing, listing.id, { heads })
        }
        rows(batch)
      })
      const known = remembered(ctx).get(keyOf(chain))
      if (known?.head.hash !== end.hash) return
      follow(known.standing, entry)
      for (const { row } of bound) remember(ctx, chain, { ...known, head: { seq: row.seq, hash: row.hash } })
      return
    } catch (error) {
      if (tries >= appendTriesMax || !isConflict(error)) throw error
    }
  }
}

const newest = (ctx: OwnerContext, chain: Chain, limit: number) =>
  ctx.rows(ReviewObservation).list({ where: ofChain(chain), sort: newestFirst, limit })

/** Whether an entry says nothing about reviews at the platform. */
const isOwnOnly = (entry: Entry) =>
  entry.kind === 'seen' && entry.own !== undefined && entry.reviews.length === 0
/** Number of such entries that are skipped at the end of a log. */
const ownSkipped = 100

/**
 * Returns the current reviews of a log. Takes them from the memory of this process, or from the rows if their
 * digest matches the head. Otherwise reads all entries.
 */
async function standingOf(
  ctx: OwnerContext,
  chain: Chain,
  listed: () => Promise<ReadonlyMap<string, string>>,
) {
  const ends = await newest(ctx, chain, ownSkipped)
  const [last] = ends
  const known = remembered(ctx).get(keyOf(chain))
  if (!last) return { standing: new Map<string, string>(), head: { seq: 0, hash: noHash }, figures: {} }
  const head = { seq: last.seq, hash: last.hash }
  if (known?.head.hash === last.hash) return { ...known, head }
  const entry = ends.map((row) => row.entry as unknown as Entry).find((one) => !isOwnOnly(one))
  if (entry?.kind === 'pass' && entry.figures) {
    const rows = await listed()
    if (entry.digest === digestOfAll(rows)) return { standing: new Map(rows), head, figures: entry.figures }
  }
  const standing = new Map<string, string>()
  let figures: Figures = {}
  for await (const row of entriesOf(ctx, chain)) {
    const each = row.entry as unknown as Entry
    follow(standing, each)
    if (each.kind === 'pass') figures = each.figures ?? figures
  }
  return { standing, head, figures }
}

interface Standing {
  readonly head: Head
  readonly standing: Map<string, string>
  readonly figures: Figures
}

const remembered = productState(() => new Map<string, Standing>())
/** Maximum reviews whose digests a process keeps in memory, about 200 bytes each. */
const rememberedMax = 200_000

/** Caches the current reviews of a log. Drops the least recently used logs. */
function remember(ctx: OwnerContext, chain: Chain, standing: Standing): void {
  const own = remembered(ctx)
  own.delete(keyOf(chain))
  own.set(keyOf(chain), standing)
  let reviews = [...own.values()].reduce((sum, one) => sum + one.standing.size, 0)
  for (const [key, one] of own) {
    if (reviews <= rememberedMax) break
    reviews -= one.standing.size
    own.delete(key)
  }
}

const keyOf = ({ location_id, source }: Chain) => `${location_id} ${source}`

/** Yields the entries of a log, first to last. */
export const entriesOf = (ctx: ReadableRows, chain: Chain, after = 0): AsyncGenerator<Observation> => {
  const wanted = after === 0 ? ofChain(chain) : where.and(ofChain(chain), where.gt('seq', after))
  return ctx.rows(ReviewObservation).each({ where: wanted, by: 'seq', size: pageSize })
}

/** Returns the ids of all reviews that an entry is about. */
export const idsIn = (entry: Entry): string[] => [
  ...(entry.kind === 'seen' ? entry.reviews.map(({ review }) => review.source_id) : entry.removed),
  ...(entry.kind === 'seen' ? Object.keys(entry.own ?? {}) : []),
  ...(entry.restored ?? []),
  ...(entry.adopted ?? []).flatMap(({ from, to }) => [from, to]),
]

/** Applies an entry to the current reviews of a log. */
export function follow(standing: Map<string, string>, entry: Entry): void {
  if (entry.kind === 'seen')
    for (const { digest, review } of entry.reviews) standing.set(review.source_id, digest)
  else for (const id of entry.removed) standing.delete(id)
  for (const { from } of entry.adopted ?? []) standing.delete(from)
}

const newestFirst = [{ field: 'seq', direction: 'desc' }] as const

/** Returns the parts of a log that its hashes cover. */
export const chainOf = ({ workspace_id, location_id, source }: Chain) => ({
  workspace_id,
  location_id,
  source,
})
const ofChain = ({ location_id, source }: Chain) =>
  where.and(where.eq('location_id', location_id), where.eq('source', source))
