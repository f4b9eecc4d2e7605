import { Refusal, type Row } from 'renown'
import type { ActionContext } from 'renown/pages'
import * as v from 'valibot'
import { Mention } from '../records/Mention'
import { mentionsPath } from './mention-forms'

/** An optional hidden field. */
export const hiddenText = v.optional(v.pipe(v.string(), v.maxLength(2_000)), '')
/** Every form of the page contains the mention, the next one, and the query of the page. */
export const common = { mention: v.string(), following: hiddenText, search: hiddenText }
/** The values of these fields. */
export type FormMention = { readonly mention: string; readonly following: string; readonly search: string }

/** Redirects back to the page, with a notice. */
export function backTo({ search }: Pick<FormMention, 'search'>, more: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(more)) if (value !== '') query.set(name, value)
  return { to: `${mentionsPath}?${query}` }
}

/** Returns the mention of a form. It must be in the person's workspace. */
async function mentionOf(ctx: ActionContext, id: string): Promise<Row<typeof Mention>> {
  const mention = await ctx.rows(Mention).get(id)
  if (!mention) throw new Refusal('not_found', 'There is no such mention in this workspace.')
  return mention
}
