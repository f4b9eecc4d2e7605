import { ServiceFault } from '../contracts/service-fault'

/** One page of a service's list, and how the next one is asked for; null at the end. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

const pagesMax = 200

/** All of a list, page by page. One that leads back to a page of before, or has no end, is a fault: a part would pass for all. */
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
