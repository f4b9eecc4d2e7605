import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { Where } from '../contracts/where'
import { normaliseDomain } from '../kit/bare-domain'
import type { FindQuery } from '../stores/documents/port'

const textMax = 200
/** How many rows whose names contain a text are compared with it. */
const matchesMax = 1_000

/** A row with the fields that name it. */
export type NamedRow = Readonly<Record<string, unknown>> & { readonly id: string }

/** Lists rows in the workspaces that are searched. */
export type ListNamed = (
  query: Omit<FindQuery, 'where'> & { readonly where?: Where },
) => Promise<readonly NamedRow[]>

/** Returns the fields that may name a row of this type. */
export const namingFields = ({ namedIn }: AnyEntity): string[] => [
  ...(namedIn?.names ?? []),
  ...(namedIn?.domains ?? []),
]

/** Returns the first of the fields that a row has. */
export const labelOf = (fields: readonly string[], row: NamedRow): string =>
  String(fields.map((field) => row[field]).find(Boolean) ?? '')

/** Returns the rows that a name, a domain or a web address means. */
export async function rowsNamed(
  list: ListNamed,
  entity: AnyEntity,
  text: string,
): Promise<readonly NamedRow[]> {
  const { names = [], domains = [] } = entity.namedIn ?? {}
  const name = folded(text)
  if (text.length > textMax || name === '' || names.length + domains.length === 0) return []
  const domain = normaliseDomain(text)
  const near = (field: string, value: string): Where => ({ op: 'contains', field, value })
  const candidates = [
    ...names.map((field) => near(field, text.trim())),
    ...(domain === null ? [] : domains.map((field) => near(field, domain))),
  ]
  const isNamed = (row: NamedRow) =>
    names.some((field) => folded(row[field]) === name) ||
    (domain !== null && domains.some((field) => normaliseDomain(String(row[field] ?? '')) === domain))
  const fields = [...namingFields(entity), 'workspace_id']
  const found = await list({ fields, limit: matchesMax, where: { op: 'or', of: candidates } })
  // Behind the last of them there may be more that have exactly this name.
  if (found.length >= matchesMax) throw tooMany(entity)
  return found.filter(isNamed)
}

/** Returns rows that a caller may have meant: some with names, or the newest. */
export function candidatesAmong(list: ListNamed, entity: AnyEntity): Promise<readonly NamedRow[]> {
  const fields = namingFields(entity)
  if (fields.length > 0) return list({ fields, limit: matchesMax })
  const shown = entity.namedIn?.shown ?? []
  if (shown.length === 0) return Promise.resolve([])
  return list({ fields: shown, limit: newestMax, sort: [{ field: 'created_date', direction: 'desc' }] })
}

const tooMany = (entity: AnyEntity) =>
  new Refusal(
    'filter_too_broad',
    `Too many records of ${entity.name} have names with this text. Pass the id.`,
  )

const newestMax = 5

const folded = (value: unknown): string =>
  typeof value === 'string' ? value.normalize('NFC').trim().toLowerCase() : ''
