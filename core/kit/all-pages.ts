import { ServiceFault } from '../contracts/service-fault'

/** One page of a service's list, and how to request the next one. Null on the last page. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

const pagesMax = 200

/**
 * Reads a whole list, page by page. Throws a fault when the list repeats a page or does not end, so that a part never
 * counts as the whole.
 */
export async function allPages<T>(
  what: string,
  page: (token: string | null) => Promise<ListPage<T>>,
): Promise<T[]> {
  const seen = new Set<string>()
  const items: T[] = []
  let token: string | null = null
  for (;;) {
    const read: ListPage<T> = await page(token)
    items.push(...read.items)
    token = read.next
    if (token === null) return items
    if (seen.has(token) || seen.size >= pagesMax) {
      throw new ServiceFault(
        'transient',
        `The list of ${what} does not end: the same page was returned twice`,
        {
          code: 'looped',
        },
      )
    }
    seen.add(token)
  }
}
