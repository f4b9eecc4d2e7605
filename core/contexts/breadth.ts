import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { hiddenFields } from '../kit/fields'
import type { FindQuery } from '../stores/documents/port'
import { TimedOutError } from '../work/scope'
import type { Reader, Sources } from './sources'

/** Maximum rows that a store may examine for one filter. */
export const examinedMax = 100_000

/** A store examines this number of rows in well under a second. So if such a read takes too long, the store is slow. */
const quickMax = 10_000

/** An entity, and its view for the caller. */
interface Seen {
  readonly entity: AnyEntity
  readonly view: AnyEntity
  /** The reader of the rows, if already known. */
  readonly reader?: Pick<Reader, 'examined'>
}

/**
 * Reads with a caller's filter. Refuses a filter that examines too many rows, and one that examines many and takes too long. A slow
 * store is not the filter's fault, so that a short read which takes too long stays a {@link TimedOutError}.
 */
export async function readNarrow<T>(
  sources: Sources,
  { entity, view, reader = sources.reader(entity) }: Seen,
  query: FindQuery,
  read: () => Promise<T>,
): Promise<T> {
  const examined = await reader.examined(query, examinedMax + 1)
  if (examined > examinedMax)
    throw tooBroad(sources, view, `would examine more than ${examinedMax.toLocaleString('en')} rows`)
  try {
    return await read()
  } catch (error) {
    if (examined <= quickMax || !isLateRead(error)) throw error
    throw tooBroad(sources, view, 'takes longer to read than a request is allowed')
  }
}

const isLateRead = (error: unknown): boolean => error instanceof TimedOutError && error.wasReading

function tooBroad(sources: Sources, view: AnyEntity, why: string): Refusal {
  const secret = new Set(hiddenFields(view))
  const narrowing = sources.narrowing(view).filter((name) => !secret.has(name))
  return new Refusal('filter_too_broad', `The filter ${why}. Narrow it by ${narrowing.join(', ')}.`, {
    errors: [{ parameter: 'q', code: 'filter_too_broad', message: why, allowed: narrowing }],
  })
}
