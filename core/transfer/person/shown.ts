import type { AnyEntity } from '../../contracts/entity'
import type { OwnerContext } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import type { Document } from '../../stores/documents/port'
import { createMatcher, mapTexts, type PersonMatcher } from '../../tenancy/rights/matcher'
import type { PersonRequestRow } from '../../tenancy/rights/PersonRequest'
import { identifiersIn, personRowsOf, unpacked, withoutPerson } from './rows'

/** Record types by name. */
export type Entities = ReadonlyMap<string, AnyEntity>

/** One row that a search found. */
export interface FoundRow {
  readonly record_type: string
  readonly id: string
  /** Whether the row is about the person. If not, a text of it names them. */
  readonly is_about: boolean
  readonly created_date: string
  /** Who the row is about, or the texts that name the person. */
  readonly shown: string
}

/** Characters around a place that names the person. */
const excerptSize = 160

/** Returns the first rows that a search found. */
export async function foundRows(
  ctx: Pick<OwnerContext, 'rows'>,
  entities: Entities,
  request: PersonRequestRow,
  limit: number,
): Promise<FoundRow[]> {
  const found: FoundRow[] = []
  for await (const { entity, row, isAbout, matcher } of rowsOf(ctx, entities, request)) {
    if (found.length === limit) break
    const { id, created_date } = row
    const own = Object.values(identifiersIn(personRowsOf(entity) ?? { erase: {} }, row)).join(', ')
    const shown = isAbout && own !== '' ? own : Object.values(namingTexts(entity, row, matcher)).join(' … ')
    found.push({
      record_type: entity.name,
      id,
      is_about: isAbout,
      created_date,
      shown: shown.slice(0, excerptSize),
    })
  }
  return found
}

/** Everything about one person, as they may get it. Rows that only name them show no more than the text around that place. */
export interface PersonExport {
  readonly renown_person_export: 1
  readonly made_at: string
  readonly records: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  readonly named_in: readonly {
    readonly record_type: string
    readonly id: string
    readonly created_date: string
    readonly texts: Readonly<Record<string, string>>
  }[]
}

/** Returns everything that a search found, without secrets. */
export async function exportOf(
  ctx: Pick<OwnerContext, 'rows' | 'now'>,
  entities: Entities,
  request: PersonRequestRow,
): Promise<PersonExport> {
  const records: Record<string, Record<string, unknown>[]> = {}
  const named: PersonExport['named_in'][number][] = []
  for await (const { entity, row, isAbout, matcher } of rowsOf(ctx, entities, request)) {
    const { id, created_date } = row
    if (!isAbout) {
      named.push({ record_type: entity.name, id, created_date, texts: namingTexts(entity, row, matcher) })
      continue
    }
    const secret = new Set<string>([...(entity.sealed ?? []), ...(entity.hidden ?? [])])
    const own = Object.entries(unpacked(personRowsOf(entity), row)).filter(([field]) => !secret.has(field))
    records[entity.name] = [...(records[entity.name] ?? []), Object.fromEntries(own)]
  }
  return { renown_person_export: 1, made_at: ctx.now().toISOString(), records, named_in: named }
}

/** Returns an export as text that people can read. */
export function readableExport({ made_at, records, named_in }: PersonExport): string {
  const lines = [`Data about one person, made at ${made_at}`, '']
  for (const [name, rows] of Object.entries(records)) {
    lines.push(`# ${name}`, '')
    for (const row of rows) {
      for (const [field, value] of Object.entries(row))
        lines.push(`${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      lines.push('')
    }
  }
  if (named_in.length > 0) lines.push('# Named in other records', '')
  for (const { record_type, id, created_date, texts } of named_in)
    lines.push(
      `${record_type} ${id}, ${created_date}`,
      ...Object.entries(texts).map(([field, text]) => `${field}: ${text}`),
      '',
    )
  return lines.join('\n')
}

/** The rows that a search found, as they are now. */
async function* rowsOf(ctx: Pick<OwnerContext, 'rows'>, entities: Entities, request: PersonRequestRow) {
  const matcher = createMatcher(request)
  for (const [ids, isAbout] of [
    [request.about, true],
    [request.named, false],
  ] as const) {
    for (const [name, own] of Object.entries(ids)) {
      const entity = entities.get(name)
      if (!entity) continue
      for (const id of own) {
        const [row] = await ctx.rows(entity).list({ where: where.eq('id', id), limit: 1 })
        if (row) yield { entity, row: row as Document, isAbout, matcher }
      }
    }
  }
}

/** Returns the texts of a row that name the person, each with what is around that place, by field. */
function namingTexts(entity: AnyEntity, row: Document, matcher: PersonMatcher): Record<string, string> {
  const plain = unpacked(personRowsOf(entity), row)
  const found: Record<string, string> = {}
  for (const field of Object.keys(withoutPerson(entity, row, matcher.redact))) {
    const texts: string[] = []
    mapTexts(plain[field], (text) => {
      const place = matcher.placeOf(text)
      if (place !== null) texts.push(text.slice(Math.max(0, place - excerptSize / 2), place + excerptSize))
      return text
    })
    found[field] = texts.join(' … ').slice(0, 4 * excerptSize)
  }
  return found
}
