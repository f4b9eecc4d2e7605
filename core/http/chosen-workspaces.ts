import type { RecordsContext } from '../contexts/records'
import { Refusal } from '../contracts/errors'
import { type NamedWorkspace, namedWorkspace } from '../tenancy/named-workspaces'

/** Maximum workspaces that one call reads. */
export const workspacesMax = 250
/** Names are looked up among this many workspaces. */
export const namesMax = 1_000

/**
 * Returns the workspaces with these ids or names, or with `*` all that the credential reads. Throws if one of them cannot be read,
 * also beside `*`.
 */
export async function chosenWorkspaces(
  ctx: RecordsContext,
  wanted: readonly string[],
): Promise<readonly NamedWorkspace[]> {
  const all = await ctx.workspaces(namesMax)
  const chosen = wanted.flatMap((one, place) =>
    one === '*' ? [] : [namedWorkspace(all, one, { pointer: `/workspaces/${place}` })],
  )
  if (wanted.includes('*')) {
    if (all.length <= workspacesMax) return all
    const message = `reads at most ${workspacesMax} workspaces at once. Name them`
    throw new Refusal('invalid_field', `The field workspaces ${message}.`, {
      errors: [{ pointer: '/workspaces', code: 'too_many', message }],
    })
  }
  return [...new Map(chosen.map((one) => [one.id, one])).values()]
}
