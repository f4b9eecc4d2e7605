import type { Entry } from './ledger'

/** What a log says about Renown's own acts and about removals, by the source ids of reviews. */
export interface ProvenOwn {
  /** Reviews whose automatic reply was sent. */
  readonly sent: ReadonlySet<string>
  /** Digest of the last analysis by a language model. */
  readonly judged: ReadonlyMap<string, string>
  /** Reviews that were new when the log already had what Renown itself does. */
  readonly sinceNew: ReadonlySet<string>
  /** Reviews whose last words were read when the log already had what Renown itself does. */
  readonly sinceWords: ReadonlySet<string>
  /** When entries removed a review. */
  readonly removedAt: ReadonlyMap<string, readonly string[]>
}

/** Follows the entries of a log, first to last. */
export function provenOwn(): ProvenOwn & { follow(entry: Entry, at: string): void } {
  const seen = new Set<string>()
  const sent = new Set<string>()
  const judged = new Map<string, string>()
  const sinceNew = new Set<string>()
  const sinceWords = new Set<string>()
  const removedAt = new Map<string, readonly string[]>()
  const sets = [seen, sent, sinceNew, sinceWords]
  const rename = (from: string, to: string) => {
    for (const ids of sets) if (ids.delete(from)) ids.add(to)
    const digest = judged.get(from)
    if (digest !== undefined) judged.set(to, digest)
  }
  return {
    sent,
    judged,
    sinceNew,
    sinceWords,
    removedAt,
    follow(entry, at) {
      for (const { from, to } of entry.adopted ?? []) rename(from, to)
      if (entry.kind === 'pass') {
        for (const id of entry.removed) removedAt.set(id, [...(removedAt.get(id) ?? []), at])
        return
      }
      for (const { review } of entry.reviews) {
        const { source_id: id } = review
        if (entry.logs_own && !seen.has(id)) sinceNew.add(id)
        if (entry.logs_own) sinceWords.add(id)
        else sinceWords.delete(id)
        seen.add(id)
      }
      for (const [id, note] of Object.entries(entry.own ?? {})) {
        if (note.sent) sent.add(id)
        if (note.judged !== undefined) judged.set(id, note.judged)
      }
    },
  }
}
