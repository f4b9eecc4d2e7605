import { Refusal } from '../contracts/errors'

/** Rows that can be read by id, such as `ctx.rows(Lead)`. */
interface RowsById<Found> {
  get(id: string): Promise<Found | null>
}

/**
 * Returns the row with this id. Throws a `not_found` Refusal with the noun and the id, such as `There is no lead 7.`, and
 * with the hint.
 */
export async function requireRow<Found>(
  rows: RowsById<Found>,
  noun: string,
  id: string,
  hint?: string,
): Promise<Found> {
  const row = await rows.get(id)
  if (row) return row
  throw new Refusal('not_found', `There is no ${noun} ${id}.`, hint === undefined ? {} : { hint })
}
