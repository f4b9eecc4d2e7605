import { type AnyEntity, type OwnerContext, productState, type ReadRows, type Row, where } from 'renown'
import type { GoneStatement, SourceReview } from '../contract'
import { ReviewObservation } from '../records/ReviewObservation'
import { digestOfAll, hashOf, noHash } from './chain-hash'
import { digestOf, isDigestOf } from './digest'
import type { Proof } from './pass'
import { asEntry, type ProvenRemoval, type RemovalEntry, removalFault, unstated } from './removalProof'

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
  readonly reviews: readonly { readonly digest: string; readonly review: SourceReview }[]
  /** Ids of reviews that were marked as removed and are shown again. */
  readonly restored?: readonly string[]
  /** Reviews that have a new id from then on. */
  readonly adopted?: readonly { readonly from: string; readonly to: string }[]
}

/** A platform's figures over all reviews. */
export interface Figures {
  readonly average?: number
  readonly total?: number
}

/** The end of a sync: what it proves, and which removals followed. */
interface PassEntry extends RemovalEntry {
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
  /** Appends new or changed reviews in full. Returns whether there were any. */
  seen(part: SeenPart): Promise<boolean>
  /** Appends the end of a sync. */
  pass(part: PassPart): Promise<void>
}

/**
 * Opens the log of a location. Each page is appended before its rows change. After a crash in between, the
 * log still says what was found, and the next attempt continues there. `listed` returns the digests of all
 * visible rows by source id.
 */
export async function openChain(
  ctx: OwnerContext,
  chain: Chain,
  listed: () => Promise<ReadonlyMap<string, string>>,
): Promise<OpenChain> {
  const { standing, head: known, figures: noted } = await standingOf(ctx, chain, listed)
  let head = known
  let figures = noted
  const append = async (entry: Entry) => {
    const at = ctx.now().toISOString()
    const [seq, prev_hash] = [head.seq + 1, head.hash]
    const hash = hashOf(prev_hash, { ...chainOf(chain), seq, at, entry })
    await ctx.rows(ReviewObservation).insert({ ...chain, seq, prev_hash, hash, at, entry: { ...entry } })
    follow(standing, entry)
    head = { seq, hash }
    figures = (entry.kind === 'pass' ? entry.figures : undefined) ?? figures
    remember(ctx, chain, { standing, head, figures })
  }
  return {
    get head() {
      return head
    },
    get figures() {
      return figures
    },
    async seen({ reviews, restored, adopted }) {
      const news = reviews
        .map((review) => ({ digest: digestOf(review), review }))
        .filter(({ digest, review }) => standing.get(review.source_id) !== digest)
      const more = {
        ...(restored.length === 0 ? {} : { restored }),
        ...(adopted.length === 0 ? {} : { adopted }),
      }
      for (let from = 0; from < news.length; from += chunk) {
        await append({ kind: 'seen', reviews: news.slice(from, from + chunk), ...(from === 0 ? more : {}) })
      }
      if (news.length === 0 && Object.keys(more).length > 0)
        await append({ kind: 'seen', reviews: [], ...more })
      return news.length > 0 || Object.keys(more).length > 0
    },
    async pass({ full, proof, withheld, isListed, isGone, removed, figures }) {
      const proven = [...removed]
      // A process that ended between writing the log and the rows may have left a current review in the log
      // that no row ever had.
      const stale = proof.complete ? [...standing.keys()].filter((id) => !isListed(id)) : []
      for (const source_id of stale) {
        const said = await isGone(source_id)
        if (said !== null) proven.push({ source_id, said })
      }
      const left = new Map(standing)
      for (const { source_id } of proven) left.delete(source_id)
      const after = { standing: left.size, digest: digestOfAll(left) }
      const said = Object.keys(figures).length === 0 ? {} : { figures }
      await append({ kind: 'pass', full, proof, withheld, ...asEntry(proven), ...after, ...said })
    },
  }
}

/**
 * Returns the current reviews of a log. Takes them from the memory of this process, or from the rows if their
 * digest matches the head. Otherwise reads all entries.
 */
async function standingOf(
  ctx: OwnerContext,
  chain: Chain,
  listed: () => Promise<ReadonlyMap<string, string>>,
) {
  const [last] = await ctx
    .rows(ReviewObservation)
    .list({ where: ofChain(chain), sort: newestFirst, limit: 1 })
  const known = remembered(ctx).get(keyOf(chain))
  if (!last) return { standing: new Map<string, string>(), head: { seq: 0, hash: noHash }, figures: {} }
  const head = { seq: last.seq, hash: last.hash }
  if (known?.head.hash === last.hash) return { ...known, head }
  const entry = last.entry as unknown as Entry
  if (entry.kind === 'pass' && entry.figures) {
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

/** The first error in a log. */
export interface ChainFault {
  readonly seq: number
  readonly fault: string
}

/** Notes about a log that are stored outside it. */
interface Noted {
  /** The noted end of the log. */
  readonly head?: Head | undefined
  /** Called for every review in the log, in order. */
  readonly onSeen?: (review: SourceReview) => void
  /** Called with the hash of every entry. */
  readonly onHash?: (hash: string) => void
}

/**
 * Returns the reviews that the observation log proves, with their digests, and whether the log is intact. A
 * log that was cut off at its end, or replaced completely, looks intact by itself. Only the noted head
 * reveals it.
 */
export async function replay(ctx: ReadableRows, chain: Chain, { head: noted, onSeen, onHash }: Noted = {}) {
  const standing = new Map<string, string>()
  /** Digests of reviews that were removed, or that have a new id since. */
  const past = new Map<string, string>()
  let figures: Figures = {}
  let seq = 0
  let hash = noHash
  let last: PassEntry | null = null
  let whole: PassEntry | null = null
  let fault: ChainFault | null = null
  /** Reviews that entries of the first versions removed, and that have not returned. */
  const unproven = new Set<string>()
  const say = (text: string) => {
    fault ??= { seq, fault: text }
  }
  for await (const row of entriesOf(ctx, chain)) {
    seq++
    if (row.seq !== seq) say(`entry ${seq} is missing`)
    seq = row.seq
    if (row.prev_hash !== hash) say('it does not follow from the previous entry')
    const entry = row.entry as unknown as Entry
    hash = row.hash
    onHash?.(hash)
    if (seq === noted?.seq && hash !== noted.hash) say('it differs from the noted one')
    if (hashOf(row.prev_hash, { ...chainOf(chain), seq, at: row.at, entry }) !== hash) say('it was changed')
    if (entry.kind === 'seen' && entry.reviews.some(({ digest, review }) => !isDigestOf(digest, review))) {
      say('a review does not match its digest')
    }
    // A process that ended between writing the log and the rows removes the same review again.
    for (const id of leaving(entry)) past.set(id, standing.get(id) ?? past.get(id) ?? '')
    follow(standing, entry)
    if (entry.kind === 'seen') {
      for (const { review } of entry.reviews) {
        onSeen?.(review)
        unproven.delete(review.source_id)
      }
      continue
    }
    last = entry
    figures = entry.figures ?? figures
    for (const id of unstated(entry)) unproven.add(id)
    if (entry.full) whole = entry
    if (entry.digest !== digestOfAll(standing)) say('the current reviews are not those that it names')
    const wrong = removalFault(entry)
    if (wrong !== null) say(wrong)
  }
  if (seq < (noted?.seq ?? 0)) say(`the chain ends before entry ${noted?.seq}, which was noted`)
  const found = { standing, past, figures, unproven, entries: seq, head: hash, last, whole }
  return { ...found, fault: fault as ChainFault | null }
}

/** Returns the ids that an entry removes. */
const leaving = (entry: Entry): string[] => [
  ...(entry.kind === 'pass' ? entry.removed : []),
  ...(entry.adopted ?? []).map(({ from }) => from),
]

const entriesOf = (ctx: ReadableRows, chain: Chain): AsyncGenerator<Observation> =>
  ctx.rows(ReviewObservation).each({ where: ofChain(chain), by: 'seq', size: pageSize })

function follow(standing: Map<string, string>, entry: Entry): void {
  if (entry.kind === 'seen')
    for (const { digest, review } of entry.reviews) standing.set(review.source_id, digest)
  else for (const id of entry.removed) standing.delete(id)
  for (const { from } of entry.adopted ?? []) standing.delete(from)
}

const newestFirst = [{ field: 'seq', direction: 'desc' }] as const

const chainOf = ({ workspace_id, location_id, source }: Chain) => ({ workspace_id, location_id, source })
const ofChain = ({ location_id, source }: Chain) =>
  where.and(where.eq('location_id', location_id), where.eq('source', source))
