import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { hiddenFields } from '../fields'
import type { FindQuery } from '../stores/documents/port'
import type { Sources } from './sources'

/** The most rows that a filter may make a store look at inside the clamp. */
export const examinedMax = 100_000

/** Refuses a filter that would make the store look at too many rows; `view` is the entity as the caller sees it. */
export async function refuseTooBroad(
  sources: Sources,
  { entity, view }: { readonly entity: AnyEntity; readonly view: AnyEntity },
  query: FindQuery,
): Promise<void> {
  const examined = await sources.reader(entity).examined(query, examinedMax + 1)
  if (examined > examinedMax) throw tooBroad(sources, view)
}

function tooBroad(sources: Sources, view: AnyEntity): Refusal {
  const secret = new Set(hiddenFields(view))
  const narrowing = sources.narrowing(view).filter((name) => !secret.has(name))
  return new Refusal(
    'filter_too_broad',
    `The filter would examine more than ${examinedMax.toLocaleString('en')} rows. Narrow it by ${narrowing.join(', ')}.`,
    {
      errors: [
        { parameter: 'q', code: 'filter_too_broad', message: 'examines too many rows', allowed: narrowing },
      ],
    },
  )
}
