import * as v from 'valibot'
import { instant } from './values'

/**
 * What an outside service said about one field: a value, that there is none, or nothing that can be concluded. A field that is
 * missing in an answer is `unknown`, unless the documentation of the service says that it then has no value.
 */
export type Said<T> =
  | { readonly is: 'value'; readonly value: T }
  | { readonly is: 'none' }
  | { readonly is: 'unknown'; readonly because: string }

/** Makes the three answers. */
export const said = {
  value: <T>(value: T): Said<T> => ({ is: 'value', value }),
  none: { is: 'none' } as Said<never>,
  unknown: (because: string): Said<never> => ({ is: 'unknown', because }),
} as const

/**
 * Something about which Renown has contradicting or incomplete answers. While a record is in doubt, nothing that cannot be undone
 * is done for it.
 */
export const doubt = v.pipe(
  v.object({
    since: v.pipe(instant(), v.description('When the doubt began')),
    about: v.pipe(v.string(), v.description('What is in doubt, such as `replies`')),
    why: v.pipe(v.string(), v.description('What was seen, for people')),
  }),
  v.description(
    'Set while Renown has contradicting answers about this record. Until then nothing is done that cannot be undone. Absent without doubt',
  ),
)
/** A doubt about a record: since when, about what, and why. */
export type Doubt = v.InferOutput<typeof doubt>
