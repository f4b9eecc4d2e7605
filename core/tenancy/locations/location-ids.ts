import {
  type Fault,
  fieldOfId,
  idIn,
  idKeyIn,
  type OwnerContext,
  type PlatformId,
  type PlatformIdField,
  type PlatformIdPart,
  type PlatformIds,
  platformIdFields,
  platformIdsOf,
  Refusal,
  storedForms,
  where,
} from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import type { LocationRow } from './find-location'

type Given = Partial<Pick<LocationRow, PlatformIdField | 'source' | 'added_via' | 'website' | 'country'>>
type Ctx = Pick<OwnerContext, 'extensions'>

/**
 * Returns the ids in the form in which they are stored, the platform, and how the business was added: as given, or else
 * derived from the ids. Throws if an id is invalid or fields contradict each other. `changed` are the ids to check.
 */
export function origins(
  ctx: Ctx,
  given: Given,
  changed: readonly PlatformIdField[] = platformIdFields,
): Given {
  const ids = platformIdsOf(ctx)
  refuseMalformed(ids, given, changed)
  const told = inOneForm(ids, given)
  const present = ids.filter((id) => idIn(id, told) !== undefined)
  const source = present[0]?.source ?? told.source
  const added_via =
    told.added_via ??
    (present[0] ? present[0].added?.via : told.website === undefined ? undefined : 'website')
  const faults = [
    ...exclusions(present),
    ...(told.source === undefined || told.source === source
      ? []
      : [faultOf('source', 'invalid', `these ids belong to the source ${source}`)]),
    ...missingParts(present, told),
    ...missingFor(ids, added_via, told),
  ]
  const errors = faults.filter(
    ({ pointer }, place) => faults.findIndex((one) => one.pointer === pointer) === place,
  )
  if (errors.length > 0) {
    const names = errors.map(({ pointer = '' }) => pointer.slice(1)).join(', ')
    throw new Refusal('invalid_field', `These fields cannot be used together: ${names}.`, { errors })
  }
  return {
    ...told,
    ...(source === undefined ? {} : { source }),
    ...(added_via === undefined ? {} : { added_via }),
  }
}

const faultOf = (name: string, code: string, message: string): Fault => ({
  pointer: `/${name}`,
  code,
  message,
})

/** Throws if an id is not written as its platform writes it, or if no loaded plugin knows it. */
function refuseMalformed(
  ids: readonly PlatformId[],
  given: Given,
  changed: readonly PlatformIdField[],
): void {
  const errors = malformed(ids, given, changed)
  if (errors.length === 0) return
  const words = errors.map(({ pointer = '', message }) => `${pointer.slice(1)}: ${message}`)
  throw new Refusal('invalid_field', `${words.join('. ')}.`, { errors })
}

/** Returns the faults of ids in the typed input of a command. An empty text removes a field. */
export function malformedIds(ctx: Ctx, typed: unknown): Fault[] {
  if (typeof typed !== 'object' || typed === null) return []
  const texts = Object.entries(typed).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
  )
  return malformed(platformIdsOf(ctx), Object.fromEntries(texts), platformIdFields)
}

function malformed(
  ids: readonly PlatformId[],
  given: PlatformIds,
  changed: readonly PlatformIdField[],
): Fault[] {
  return changed.flatMap((field) => {
    if (given[field] === undefined) return []
    const [id] = ids.filter((one) => fieldOfId(one) === field && idIn(one, given) !== undefined)
    const form = id ?? partsOf(ids).find((part) => part.field === field)
    if (form === undefined) return [faultOf(field, 'invalid', unknownWords(ids, field))]
    const value = id === undefined ? given[field] : idIn(id, given)
    return form.pattern.test(value ?? '') ? [] : [faultOf(field, 'invalid', form.example)]
  })
}

function unknownWords(ids: readonly PlatformId[], field: PlatformIdField): string {
  const examples = ids.flatMap((id) =>
    id.field === undefined ? [`${id.name}: with ${id.example} behind it`] : [],
  )
  if (field !== 'platform_id' || examples.length === 0) return 'no loaded plugin knows this id'
  return `begins with the platform: ${examples.join(', or ')}`
}

const partsOf = (ids: readonly PlatformId[]): readonly PlatformIdPart[] =>
  ids.flatMap(({ parts = [] }) => parts)

/** A location has one listing. The platform's page and the listing on a map of one business are two locations. */
function exclusions(present: readonly PlatformId[]): Fault[] {
  const [first, ...others] = present.filter(({ isListing }) => isListing)
  if (!first) return []
  return others.map((id) =>
    faultOf(
      fieldOfId(id),
      'exclusive',
      `cannot be combined with ${fieldOfId(first)}: add the ${id.label} and the ${first.label} of a business as two locations`,
    ),
  )
}

const missingParts = (present: readonly PlatformId[], told: Given): Fault[] =>
  present.flatMap((id) =>
    requiredParts(id).flatMap(({ field, label }) =>
      told[field] === undefined
        ? [faultOf(field, 'required', `required with ${fieldOfId(id)}: the ${label}`)]
        : [],
    ),
  )

const requiredParts = ({ parts = [] }: PlatformId) => parts.filter(({ isRequired }) => isRequired)

/** What a location needs that was added in a way without an id. */
const otherNeeds = {
  website: ['website', 'it was added by its website'],
  dfs_keyword: ['country', 'it was found by a search within a country'],
} as const satisfies Partial<
  Record<NonNullable<Given['added_via']>, readonly ['website' | 'country', string]>
>

function missingFor(ids: readonly PlatformId[], via: Given['added_via'], told: Given): Fault[] {
  if (via === 'website' || via === 'dfs_keyword') {
    const [name, why] = otherNeeds[via]
    return told[name] === undefined ? [faultOf(name, 'required', `required: ${why}`)] : []
  }
  const id = ids.find(({ added }) => added?.via === via && via !== undefined)
  if (!id) return []
  const needed = [...requiredParts(id).map(({ field }) => field), fieldOfId(id)]
  return needed.flatMap((name) =>
    told[name] === undefined
      ? [faultOf(name, 'required', `required: it was added from ${id.added?.from}`)]
      : [],
  )
}

/** Returns each id in the form in which it is stored. */
function inOneForm(ids: readonly PlatformId[], given: Given): Given {
  const told: { -readonly [Field in keyof Given]: Given[Field] } = { ...given }
  for (const id of ids) {
    const value = idIn(id, given)
    for (const { field, normal } of id.parts ?? []) {
      const part = normal === undefined ? told[field] : normal(told[field], value)
      if (part !== undefined) told[field] = part
    }
    const key = idKeyIn(id, given)
    if (key !== undefined) told[fieldOfId(id)] = storedForms(id, key)[0]
  }
  return told
}

/** Throws if another location of the workspace has the same platform id. Call it under the agency's lock. */
export async function refuseTwin(
  ctx: OwnerContext,
  workspaceId: string,
  told: Given,
  ownId?: string,
): Promise<void> {
  const others = ownId === undefined ? [] : [where.ne('id', ownId)]
  for (const id of platformIdsOf(ctx)) {
    const key = idKeyIn(id, told)
    if (key === undefined) continue
    const same = where.in(fieldOfId(id), storedForms(id, key))
    const inside = where.and(where.eq('workspace_id', workspaceId), same, ...others)
    const [twin] = await ctx.rows(BusinessLocation).list({ where: inside, limit: 1 })
    if (twin) throw twinRefusal(id, twin)
  }
}

function twinRefusal(id: PlatformId, twin: LocationRow): Refusal {
  const hint = twin.is_prospect
    ? `It is a prospect: \`location sign ${twin.id}\` makes it a client.`
    : twin.is_active
      ? `\`location update ${twin.id}\` changes it.`
      : `\`location activate ${twin.id}\` resumes it.`
  return new Refusal('conflict', `${twin.business_name} (${twin.id}) already has the same ${id.label}.`, {
    hint,
    extra: { location_id: twin.id },
    errors: [faultOf(fieldOfId(id), 'taken', `already used by ${twin.business_name} (${twin.id})`)],
  })
}
