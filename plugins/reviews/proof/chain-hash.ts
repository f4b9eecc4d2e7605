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

/** Returns the hash of an entry, which covers the entry before it. */
export const hashOf = (prev: string, body: object) => sha256(`${prev}\n${canonical(body)}`)

/** Returns JSON with sorted keys, so that a store that reorders keys cannot change the hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  const parts = entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`)
  return `{${parts.join(',')}}`
}
