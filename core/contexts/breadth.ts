import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { hiddenFields } from '../kit/fields'
import type { FindQuery } from '../stores/documents/port'
import { TimedOutError } from '../work/scope'
import type { Reader, Sources } from './sources'

/** Maximum rows that a store may examine for one filter. */
export const examinedMax = 100_000

/** An entity, and its view for the caller. */
interface Seen {
  readonly entity: AnyEntity
  readonly view: AnyEntity
  /** The reader of the rows, if already known. */
  readonly reader?: Pick<Reader, 'examined'>
}

/** Reads with a caller's filter. Refuses a filter that examines too many rows or takes too long. */
export async function readNarrow<T>(
  sources: Sources,
  { entity, view, reader = sources.reader(entity) }: Seen,
  query: FindQuery,
  read: () => Promise<T>,
): Promise<T> {
  const readFew = async () => {
    const examined = await reader.examined(query, examinedMax + 1)
    if (examined <= examinedMax) return read()
    throw tooBroad(sources, view, `would examine more than ${examinedMax.toLocaleString('en')} rows`)
  }
  return readFew().catch((error: unknown) => {
    throw isLateRead(error)
      ? tooBroad(sources, view, 'takes longer to read than a request is allowed')
      : error
  })
}

const isLateRead = (error: unknown): boolean => error instanceof TimedOutError && error.wasReading

function tooBroad(sources: Sources, view: AnyEntity, why: string): Refusal {
  const secret = new Set(hiddenFields(view))
  const narrowing = sources.narrowing(view).filter((name) => !secret.has(name))
  return new Refusal('filter_too_broad', `The filter ${why}. Narrow it by ${narrowing.join(', ')}.`, {
    errors: [{ parameter: 'q', code: 'filter_too_broad', message: why, allowed: narrowing }],
  })
}
