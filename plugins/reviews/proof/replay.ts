import type { SourceReview } from '../contract'
import { digestOfAll, hashOf, noHash } from './chain-hash'
import { isDigestOf } from './digest'
import {
  type Chain,
  chainOf,
  type Entry,
  entriesOf,
  type Figures,
  follow,
  type Head,
  type PassEntry,
  type ReadableRows,
} from './ledger'
import { removalFault, unstated } from './removalProof'

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
  /** Called with every entry, its time and its position, in order. */
  readonly onEntry?: (entry: Entry, at: string, seq: number) => void
}

/**
 * Returns the reviews that the observation log proves, with their digests, and whether the log is intact. A
 * log that was cut off at its end, or replaced completely, looks intact by itself. Only the noted head
 * reveals it.
 */
export async function replay(
  ctx: ReadableRows,
  chain: Chain,
  { head: noted, onSeen, onHash, onEntry }: Noted = {},
) {
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
    onEntry?.(entry, row.at, seq)
    if (seq === noted?.seq && hash !== noted.hash) say('it differs from the noted one')
    if (hashOf(row.prev_hash, { ...chainOf(chain), seq, at: row.at, entry }) !== hash) say('it was changed')
    const isOther = ({ digest, content, review }: (typeof entry & { kind: 'seen' })['reviews'][number]) =>
      content === undefined && !isDigestOf(digest, review)
    if (entry.kind === 'seen' && entry.reviews.some(isOther)) {
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
