import type { RecordsContext } from '../contexts/records'
import { Refusal } from '../contracts/errors'
import { type NamedWorkspace, namedWorkspace } from '../tenancy/named-workspaces'

/** Maximum workspaces that one call names. */
export const workspacesMax = 250
/** Maximum workspaces that `*` stands for. Names are looked up among as many. */
export const namesMax = 10_000

/**
 * Returns the workspaces with these ids or names, or with `*` all that the credential reads. Throws if one of them cannot be read,
 * also beside `*`.
 */
export async function chosenWorkspaces(
  ctx: RecordsContext,
  wanted: readonly string[],
): Promise<readonly NamedWorkspace[]> {
  const all = await ctx.workspaces(namesMax + 1)
  const chosen = wanted.flatMap((one, place) =>
    one === '*' ? [] : [namedWorkspace(all, one, { pointer: `/workspaces/${place}` })],
  )
  if (wanted.includes('*')) {
    if (all.length <= namesMax) return all
    const message = `reads at most ${namesMax.toLocaleString('en')} workspaces at once. Name them`
    throw new Refusal('invalid_field', `The field workspaces ${message}.`, {
      errors: [{ pointer: '/workspaces', code: 'too_many', message }],
    })
  }
  return [...new Map(chosen.map((one) => [one.id, one])).values()]
}
