import { ServiceFault } from 'renown'
import type { MentionSource, SourceReading } from '../sources/source'

/** Pages in a row of which every post was on an earlier page. One or two are usual while posts arrive. */
const repeatedMax = 5
/** Pages in a row without any post. A source can leave out many posts of its own accord. */
const emptyMax = 500
/** Posts that are remembered of the pages so far. */
const rememberedMax = 200_000

/** The pages of one target since it was last read to the end. */
export interface PagesSoFar {
  readonly cursors: Set<string>
  readonly posts: Set<string>
  /** Pages in a row that brought nothing. */
  barren: number
}

/** Returns the pages of a target that was not read yet. */
export const noPages = (): PagesSoFar => ({ cursors: new Set(), posts: new Set(), barren: 0 })

/**
 * Adds a page, and returns whether the source sends the reader in a circle: it names a page that was read already, as in
 * 100, 200, 100, or names new pages with old posts. Such a reading would never end.
 */
export function addPage(
  pages: PagesSoFar,
  asked: string | null,
  { cursor, posts, isMore }: Pick<SourceReading, 'cursor' | 'posts' | 'isMore'>,
): boolean {
  if (!isMore) return false
  pages.cursors.add(keyOf(asked))
  const next = keyOf(cursor)
  if (pages.cursors.has(next)) return true
  pages.cursors.add(next)
  if (pages.posts.size > rememberedMax) pages.posts.clear()
  const isNew = posts.some(({ source_id }) => !pages.posts.has(source_id))
  for (const { source_id } of posts) pages.posts.add(source_id)
  pages.barren = isNew ? 0 : pages.barren + 1
  return pages.barren >= (posts.length === 0 ? emptyMax : repeatedMax)
}

const keyOf = (cursor: string | null) => cursor ?? ''

/** The fault of a source that sends the reader in a circle. */
export const loopFault = ({ label }: Pick<MentionSource, 'label'>): ServiceFault =>
  new ServiceFault(
    'transient',
    `${label} repeats its pages, so later posts cannot be read. Renown begins again with the first page.`,
    { code: 'page_loop' },
  )
