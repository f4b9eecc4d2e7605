import type { Extensions } from '../contracts/extension'
import {
  type PlatformId,
  type PlatformIdField,
  type PlatformIds,
  platformId,
  platformIdFields,
  type TypedId,
} from '../contracts/platform-id'

type Ctx = { readonly extensions: Extensions }

/** Returns the ids that locations may have, in their order. */
export const platformIdsOf = (ctx: Ctx): readonly PlatformId[] =>
  ctx.extensions(platformId).toSorted((a, b) => a.order - b.order)

/** Returns the field in which an id is stored. */
export const fieldOfId = ({ field }: PlatformId): PlatformIdField => field ?? 'platform_id'

/** Returns an id as the platform writes it. Undefined if the location has none. */
export function idIn(id: PlatformId, ids: PlatformIds): string | undefined {
  if (id.field !== undefined) return ids[id.field]
  const start = `${id.name}:`
  return ids.platform_id?.startsWith(start) ? ids.platform_id.slice(start.length) : undefined
}

/** Returns the part of an id that identifies the business, or undefined if the location has none. */
export function idKeyIn(id: PlatformId, ids: PlatformIds): string | undefined {
  const value = idIn(id, ids)
  return value === undefined ? undefined : (id.keyOf?.(value) ?? value)
}

/** Returns every way in which an id may be stored in its field. New ids are stored in the first. */
export function storedForms(id: PlatformId, key: string): readonly string[] {
  const forms = id.storedAs?.(key) ?? [key]
  return id.field === undefined ? forms.map((form) => `${id.name}:${form}`) : forms
}

/** Whether a location is read with a connected account of its platform. */
export const isConnectedLocation = (
  ctx: Ctx,
  location: PlatformIds & { readonly added_via?: string | undefined },
): boolean =>
  platformIdsOf(ctx).some(
    (id) => idIn(id, location) !== undefined && (id.isConnected?.(location) ?? id.isListing),
  )

/** Returns what identifies the business of a location on platforms, by field. Compare the values of two locations. */
export const idKeysOf = (ctx: Ctx, ids: PlatformIds): Readonly<Record<string, string>> =>
  Object.fromEntries(
    platformIdsOf(ctx).flatMap((id) => {
      const key = idKeyIn(id, ids)
      return key === undefined ? [] : [[fieldOfId(id), id.field === undefined ? `${id.name}:${key}` : key]]
    }),
  )

/** Returns the ids of a location with their names for people, in the order of the fields. */
export function shownIds(ctx: Ctx, ids: PlatformIds): readonly { label: string; value: string }[] {
  const all = platformIdsOf(ctx)
  return platformIdFields.flatMap((field) => {
    const id = all.find((one) => fieldOfId(one) === field && idIn(one, ids) !== undefined)
    const named = id ?? all.flatMap(({ parts = [] }) => parts).find((part) => part.field === field)
    const value = id === undefined ? ids[field] : idIn(id, ids)
    return value === undefined ? [] : [{ label: named?.label ?? field, value }]
  })
}

/** An input for the id of a location on a platform. */
export interface TypedIdInput extends TypedId {
  readonly field: PlatformIdField
  readonly label: string
}

/** Returns the inputs for ids where people add or edit a location. */
export const typedIds = (ctx: Ctx): readonly TypedIdInput[] =>
  platformIdsOf(ctx).flatMap(({ field, label, typed }) =>
    field === undefined || typed === undefined ? [] : [{ ...typed, field, label }],
  )
