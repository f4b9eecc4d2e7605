import type { MarkContext, ReadContext, ReadRows, WriteContext } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { Where } from '../contracts/where'
import { normaliseDomain } from '../kit/bare-domain'
import { oncePer } from '../kit/once-per'
import { nearest } from '../kit/suggest'
import type { Registry } from '../registry/registry'
import { type NamedValue, namedInFilter } from './named-in-filter'

const textMax = 200
const matchesMax = 50
const listedMax = 10

type Row = Readonly<Record<string, unknown>> & { readonly id: string }

/**
 * Returns the input of an operation with ids in place of names, domains and web addresses, also inside the filter `q`. Entities
 * declare in `namedIn` which arguments accept them. Throws if nothing or more than one row in the workspace has the name.
 */
export function withNamedIds(
  registry: Registry,
  ctx: Pick<ReadContext | MarkContext | WriteContext, 'rows'>,
  plugin: string,
  input: unknown,
): unknown | Promise<unknown> {
  if (input === null || typeof input !== 'object') return input
  const meant: Record<string, unknown> = { ...input }
  const named = argumentsOf(registry)
  const owner = registry.pluginOf('entity', String(meant.entity)) ?? plugin
  const entityNamed = (argument: string, text: string): AnyEntity | null => {
    const entities = named.get(argument)
    if (!entities || entities.some(({ idPrefix }) => text.startsWith(`${idPrefix}_`))) return null
    return entityOf(registry, entities, owner)
  }
  const places: NamedValue[] = []
  for (const argument of named.keys()) {
    const text = meant[argument]
    const entity = typeof text === 'string' ? entityNamed(argument, text) : null
    if (entity === null || typeof text !== 'string') continue
    places.push({ argument, entity, text, put: (id) => Object.assign(meant, { [argument]: id }) })
  }
  if (meant.q !== null && typeof meant.q === 'object') {
    const { filter, places: further } = namedInFilter(meant.q, entityNamed)
    if (further.length > 0) Object.assign(meant, { q: filter })
    places.push(...further)
  }
  // Most calls have ids, and wait for nothing here.
  return places.length === 0 ? input : resolved(ctx, meant, places)
}

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
  const named = argumentsOf(registry)
  const found: Candidates[] = []
  for (const argument of required) {
    const entity = entityOf(registry, named.get(argument) ?? [], plugin)
    if (entity === null) continue
    const fields = namingFields(entity)
    const list = await ctx.rows(entity).list({ fields, limit: listedMax })
    const rows = list as unknown as readonly Row[]
    const [only, ...others] = rows
    found.push({
      ...{ argument, only: only && others.length === 0 ? only.id : null },
      names: rows.map((row) => labelIn(fields, row)),
    })
  }
  return found
}

/** Several plugins may have the same argument. The plugin of the operation or of the listed entity is meant first. */
const entityOf = (registry: Registry, entities: readonly AnyEntity[], plugin: string): AnyEntity | null =>
  entities.find(({ name }) => registry.pluginOf('entity', name) === plugin) ?? entities[0] ?? null

const namingFields = ({ namedIn }: AnyEntity): string[] => [
  ...(namedIn?.names ?? []),
  ...(namedIn?.domains ?? []),
]

const labelIn = (fields: readonly string[], row: Row): string =>
  String(fields.map((field) => row[field]).find(Boolean) ?? '')

/** Returns the id that an argument means. Throws if no row of the workspace has this id or name. */
export async function existingId(
  registry: Registry,
  ctx: Pick<ReadContext, 'rows'>,
  argument: string,
  text: string,
): Promise<string> {
  const [entity] = argumentsOf(registry).get(argument) ?? []
  if (entity === undefined || (await ctx.rows(entity).get(text)) !== null) return text
  return idOf(ctx.rows(entity), entity, argument, text)
}

async function resolved(
  ctx: Pick<ReadContext | MarkContext | WriteContext, 'rows'>,
  meant: object,
  places: readonly NamedValue[],
): Promise<unknown> {
  for (const { argument, entity, text, put } of places)
    put(await idOf(ctx.rows(entity), entity, argument, text))
  return meant
}

/** Returns the record types that an argument may name. */
const argumentsOf = oncePer((registry: Registry) => {
  const found = new Map<string, AnyEntity[]>()
  for (const entity of registry.entities.values())
    for (const argument of entity.namedIn?.arguments ?? [])
      found.set(argument, [...(found.get(argument) ?? []), entity])
  return found
})

async function idOf(
  rows: ReadRows<AnyEntity>,
  entity: AnyEntity,
  argument: string,
  text: string,
): Promise<string> {
  const { names = [], domains = [] } = entity.namedIn ?? {}
  const fields = namingFields(entity)
  const list = async (where?: Where) =>
    (await rows.list({ fields, limit: matchesMax, ...(where ? { where } : {}) })) as unknown as readonly Row[]
  const name = folded(text)
  const domain = normaliseDomain(text)
  const near = (field: string, value: string): Where => ({ op: 'contains', field, value })
  const isNamed = (row: Row) =>
    names.some((field) => folded(row[field]) === name) ||
    (domain !== null && domains.some((field) => normaliseDomain(String(row[field] ?? '')) === domain))
  const candidates = [
    ...names.map((field) => near(field, text.trim())),
    ...(domain === null ? [] : domains.map((field) => near(field, domain))),
  ]
  const isTooLong = text.length > textMax || name === ''
  const found = isTooLong ? [] : (await list({ op: 'or', of: candidates })).filter(isNamed)
  const [only, ...others] = found
  if (only && others.length === 0) return only.id
  if (only) throw severalNamed(argument, found)
  throw noneNamed(
    argument,
    name,
    (await list()).map((row) => labelIn(fields, row)),
  )
}

const folded = (value: unknown): string =>
  typeof value === 'string' ? value.normalize('NFC').trim().toLowerCase() : ''

/** `q.location_id` → `/q/location_id`. */
const pointerOf = (argument: string) => `/${argument.replaceAll('.', '/')}`

function severalNamed(argument: string, rows: readonly Row[]): Refusal {
  const allowed = rows.slice(0, listedMax).map(({ id }) => id)
  const message = `names ${rows.length} records. Send one of these ids`
  return new Refusal('invalid_field', `\`${argument}\` ${message}: ${allowed.join(', ')}.`, {
    errors: [{ pointer: pointerOf(argument), code: 'ambiguous', message, allowed }],
  })
}

function noneNamed(argument: string, name: string, known: readonly string[]): Refusal {
  const allowed = known.slice(0, listedMax)
  const meant = nearest(name, known)
  const message = 'is not the id, name or domain of a record in this workspace'
  return new Refusal('not_found', `\`${argument}\` ${message}.`, {
    errors: [
      {
        ...{ pointer: pointerOf(argument), code: 'not_found', message, allowed },
        ...(meant === undefined ? {} : { did_you_mean: meant }),
      },
    ],
  })
}
