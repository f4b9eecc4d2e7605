import type { AnyEntity } from '../../contracts/entity'
import { type FieldPath, type IdentifierKind, identifierKinds, type PersonRows } from '../../contracts/people'
import { where } from '../../contracts/where'
import type { Collection, Document, Documents } from '../../stores/documents/port'
import { erasedText, type PersonMatcher } from '../../tenancy/rights/matcher'
import { Workspace } from '../../tenancy/Workspace'

/** Rows that are read at once. */
const pageRows = 200

/** Returns the ids by which rows belong to an agency: its own, and those of its workspaces. */
export async function scopesOf(documents: Documents, agencyId: string): Promise<string[]> {
  const own = await documents
    .collection(Workspace)
    .find({ where: where.eq('agency_id', agencyId), fields: ['id'], limit: 100_000 })
  return [agencyId, ...own.map(({ id }) => id)]
}

/** Yields the rows of an agency, page by page, in the order of their ids. */
export async function* pagesOf(
  collection: Collection,
  scopes: readonly string[],
): AsyncGenerator<readonly Document[]> {
  for (const scope of scopes) {
    for (let after = ''; ; ) {
      const page = await collection.find({
        where: where.and(where.eq('workspace_id', scope), where.gt('id', after)),
        sort: [{ field: 'id', direction: 'asc' }],
        limit: pageRows,
      })
      if (page.length > 0) yield page
      if (page.length < pageRows) break
      after = page.at(-1)?.id ?? ''
    }
  }
}

/** What a record type says of people. `nobody` if it says nothing. */
export const personRowsOf = ({ people = 'nobody' }: Pick<AnyEntity, 'people'>): PersonRows | null =>
  people === 'nobody' ? null : people

/** Whether a row is about the person, by its own fields. */
export function isAbout(
  { who = {} }: PersonRows,
  row: Document,
  matcher: Pick<PersonMatcher, 'has'>,
): boolean {
  return identifierKinds.some((kind) =>
    (who[kind] ?? []).some((path) => valuesAt(row, path).some((value) => matcher.has(kind, value))),
  )
}

/** The identifiers of a row, for people who compare rows. */
export function identifiersIn(
  { who = {} }: PersonRows,
  row: Document,
): Partial<Record<IdentifierKind, string>> {
  const found = identifierKinds.flatMap((kind) => {
    const [value] = (who[kind] ?? []).flatMap((path) => valuesAt(row, path))
    return value === undefined || value === '' ? [] : [[kind, value] as const]
  })
  return Object.fromEntries(found)
}

/** Returns the texts of a field. Parts of one value are joined by spaces. */
export function valuesAt(row: Document, path: FieldPath): string[] {
  if (typeof path !== 'string') {
    const parts = path.flatMap((one) => valuesAt(row, one)).filter((part) => part !== '')
    return parts.length === 0 ? [] : [parts.join(' ')]
  }
  return textsOf(path.split('.').reduce<unknown>(within, row))
}

function within(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => within(item, key))
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.flatMap(textsOf) : []
}

/** Returns a row with its compressed fields as their JSON. */
export function unpacked(rows: PersonRows | null, row: Document): Document {
  const fields = rows?.packed ?? []
  if (fields.length === 0) return row
  const plain = fields.flatMap((field) => {
    const text = unpackedText(row[field])
    return text === null ? [] : [[field, text] as const]
  })
  return { ...row, ...Object.fromEntries(plain) }
}

function unpackedText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  try {
    return Buffer.from(Bun.zstdDecompressSync(Buffer.from(value, 'base64'))).toString()
  } catch {
    return null
  }
}

/** Fields that core sets, and that are never texts of people. */
const baseFields = new Set(['id', 'workspace_id', 'created_date', 'updated_date'])

/** Returns the fields of a row that name the person, with values that do not. */
export function withoutPerson(
  { sealed = [], people }: Pick<AnyEntity, 'sealed' | 'people'>,
  row: Document,
  redact: PersonMatcher['redact'],
): Readonly<Record<string, unknown>> {
  const rows = personRowsOf({ people })
  const plain = unpacked(rows, row)
  const packed = new Set(rows?.packed)
  const changes: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(plain)) {
    if (baseFields.has(field) || (sealed as readonly string[]).includes(field)) continue
    const redacted = redact(value)
    if (redacted === value) continue
    changes[field] = packed.has(field) ? packedText(String(redacted)) : redacted
  }
  return changes
}

const packedText = (text: string) => Buffer.from(Bun.zstdCompressSync(text)).toString('base64')

/** Returns the changes that a declaration names, as a patch. Values of `$erased` are the mark, which differs for each row. */
export function erasureOf(erase: Readonly<Record<string, unknown>>, { id }: Document) {
  const set: Record<string, unknown> = {}
  const unset: string[] = []
  for (const [field, value] of Object.entries(erase)) {
    if (value === null) unset.push(field)
    else set[field] = value === '$id' ? `${erasedText} ${id}` : value
  }
  return { set, unset }
}
