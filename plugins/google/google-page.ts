import { jsonObject } from 'renown/sources'
import * as v from 'valibot'

/** The position of a page, and whether `{}` is a valid answer for it. */
export interface PageLocation {
  readonly token: string | null
  /** Whether the list may be empty. Google omits empty fields, so a list without entries is `{}`. */
  readonly mayBeEmpty: boolean
}

/**
 * Creates the schema of one page of a Google list. A page has its list or a token for the next page. `{}`
 * counts as an empty list only as the first page of a list that may be empty. After another page it means
 * that the answer was lost.
 */
export const googlePage = <N extends string, S extends v.GenericSchema>(
  name: N,
  row: S,
  { token, mayBeEmpty }: PageLocation,
) =>
  v.pipe(
    jsonObject,
    v.check((page) => {
      const isEmpty = Object.keys(page).length === 0
      return name in page || 'nextPageToken' in page || (isEmpty && mayBeEmpty && token === null)
    }, 'neither a list nor the token of a next page'),
    v.object({ nextPageToken: v.optional(v.string(), ''), [name]: v.optional(v.array(row), []) } as {
      nextPageToken: v.OptionalSchema<v.StringSchema<undefined>, ''>
    } & Record<N, v.OptionalSchema<v.ArraySchema<S, undefined>, []>>),
    v.transform((page) => {
      const read = page as { nextPageToken: string } & Record<N, v.InferOutput<S>[]>
      return { items: read[name], next: read.nextPageToken || null }
    }),
  )
