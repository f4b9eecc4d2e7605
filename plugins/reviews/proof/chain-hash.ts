import { canonicalJson } from 'renown/sources'
import { sha256 } from './digest'

/** The hash before the first entry of a log. */
export const noHash = '0'.repeat(64)

/** Returns the digest of all reviews that a log shows, by their ids. */
export const digestOfAll = (standing: ReadonlyMap<string, string>) =>
  sha256(
    [...standing]
      .map(([id, digest]) => `${id} ${digest}`)
      .sort()
      .join('\n'),
  )

/**
 * Returns the hash of an entry, which covers the entry before it. The keys are sorted, so that a store that reorders them
 * cannot change the hash.
 */
export const hashOf = (prev: string, body: object) => sha256(`${prev}\n${canonicalJson(body)}`)
