import * as v from 'valibot'
import { mentionsPath } from './mention-forms'

/** An optional hidden field. */
const hiddenText = v.optional(v.pipe(v.string(), v.maxLength(2_000)), '')
/** Every form of the page contains the mention, the next one, and the query of the page. */
export const common = { mention: v.string(), following: hiddenText, search: hiddenText }
/** The values of these fields. */
export type FormMention = { readonly mention: string; readonly following: string; readonly search: string }

/** Returns the address of the page, with a notice. */
export function backTo(
  { search }: Pick<FormMention, 'search'>,
  more: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(more)) if (value !== '') query.set(name, value)
  return `${mentionsPath}?${query}`
}
