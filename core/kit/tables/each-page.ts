/** A page of a list, and the cursor of the next one. Null on the last page. */
export interface CursorPage<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

/**
 * Yields the pages of a list, from the first to the last. `load` gets the cursor of a page, and an empty text for the
 * first one. Throws if a cursor comes twice, so that a list that does not end cannot fill a file.
 */
export async function* eachPage<Page extends CursorPage<unknown>>(
  load: (after: string) => Promise<Page>,
): AsyncGenerator<Page> {
  const seen = new Set<string>()
  for (let after = ''; ; ) {
    const page = await load(after)
    yield page
    if (page.next === null) return
    if (seen.has(page.next)) throw new Error('The list does not end: the same page came twice')
    seen.add(page.next)
    after = page.next
  }
}
