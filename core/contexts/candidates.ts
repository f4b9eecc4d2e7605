import type { ReadContext } from '../contracts/context'
import { entityNamed } from '../registry/references'
import type { Registry } from '../registry/registry'
import { labelOf, type NamedRow, namingFields } from './named-rows'

const listedMax = 10

/** Records that a call may mean by an argument that it left out. */
export interface Candidates {
  readonly argument: string
  /** The id, if the workspace has one such record and no more. */
  readonly only: string | null
  /** Their names, at most ten. */
  readonly names: readonly string[]
}

/** Returns which records the arguments of a call can name that it left out. Only those of `required` are looked for. */
export async function candidatesFor(
  registry: Registry,
  ctx: Pick<ReadContext, 'rows'>,
  plugin: string,
  required: readonly string[],
): Promise<Candidates[]> {
  const found: Candidates[] = []
  for (const argument of required) {
    const entity = entityNamed(registry, argument, plugin)
    const fields = entity === null ? [] : namingFields(entity)
    if (entity === null || fields.length === 0) continue
    const list = await ctx.rows(entity).list({ fields, limit: listedMax })
    const rows = list as unknown as readonly NamedRow[]
    const [only, ...others] = rows
    found.push({
      argument,
      only: only && others.length === 0 ? only.id : null,
      names: rows.map((row) => labelOf(fields, row)),
    })
  }
  return found
}
