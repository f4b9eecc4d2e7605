import type { AnyEntity, Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/plugin'
import { where } from '../contracts/where'

const namedMax = 10

/**
 * Returns the record with this id, or the only one with this value in `field`. Null if there is none. Throws
 * if there are several.
 */
export async function findNamed<E extends AnyEntity>(
  ctx: OwnerContext,
  entity: E,
  field: string,
  text: string,
): Promise<Row<E> | null> {
  const rows = ctx.rows(entity)
  const known = await rows.get(text)
  if (known) return known
  const named = await rows.list({ where: where.eq(field, text), limit: namedMax })
  if (named.length < 2) return named[0] ?? null
  throw new Refusal(
    'conflict',
    `There are several: ${text}. Use an id: ${named.map(({ id }) => id).join(', ')}.`,
  )
}
