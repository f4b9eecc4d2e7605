import type { AnyEntity } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import { where } from '../../contracts/where'
import type { Document, Documents } from '../../stores/documents/port'
import type { Wanted } from '../../tenancy/rights/matcher'
import { createMatcher, marksOf, type PersonMatcher } from '../../tenancy/rights/matcher'
import { isAbout, pagesOf, personRowsOf, unpacked, valuesAt, withoutPerson } from './rows'

/** What a search has found so far. */
export interface SearchFindings {
  /** Ids of rows about the person, by record type. */
  readonly about: Map<string, Set<string>>
  /** Ids of rows in which a text names the person, by record type. */
  readonly named: Map<string, Set<string>>
  readonly marks: Set<string>
}

/** What a search needs. */
export interface SearchDeps {
  readonly documents: Documents
  readonly entities: readonly AnyEntity[]
  /** The ids by which rows belong to the agency. */
  readonly scopes: readonly string[]
  readonly wanted: Wanted
  /** Ids of rows about somebody else. */
  readonly kept: ReadonlySet<string>
}

/** More rows than one person has. A search that finds more is about a word, not about a person. */
export const idsMax = 20_000
const marksMax = 100_000
/** Ids in one query. */
const idsAtOnce = 200
/** Rows are about a person through rows that are, at most this often. */
const throughMax = 5

/** Finds the rows about a person by their own fields, and the words of the person. */
export async function searchPeople(
  deps: SearchDeps,
  found: SearchFindings,
  entity: AnyEntity,
): Promise<void> {
  const { documents, scopes, wanted } = deps
  const rows = personRowsOf(entity)
  if (!rows?.who) return
  const matcher = createMatcher(wanted)
  for await (const page of pagesOf(documents.collection(entity), scopes))
    for (const row of page) if (isAbout(rows, row, matcher)) noteAbout(deps, found, entity, row)
}

/** Finds rows that are about the person because they belong to a row that is. */
export async function searchThrough(deps: SearchDeps, found: SearchFindings): Promise<void> {
  const { documents, entities, kept } = deps
  for (let round = 0; round < throughMax; round++) {
    const before = sizeOf(found.about)
    for (const entity of entities) {
      for (const { field, entity: parent } of personRowsOf(entity)?.through ?? []) {
        const ids = [...(found.about.get(parent) ?? [])].filter((id) => !kept.has(id))
        for (let from = 0; from < ids.length; from += idsAtOnce) {
          const some = where.in(field, ids.slice(from, from + idsAtOnce))
          const rows = await documents.collection(entity).find({ where: some, limit: idsMax + 1 })
          for (const row of rows) noteAbout(deps, found, entity, row)
        }
      }
    }
    if (sizeOf(found.about) === before) return
  }
}

/** Finds the rows of a record type in which a text names the person, or quotes their words. */
export async function searchTexts(deps: SearchDeps, found: SearchFindings, entity: AnyEntity): Promise<void> {
  const { documents, scopes, wanted } = deps
  const matcher = createMatcher({ ...wanted, marks: [...found.marks] })
  const about = found.about.get(entity.name)
  for await (const page of pagesOf(documents.collection(entity), scopes)) {
    for (const row of page) {
      if (about?.has(row.id) || !isNamed(entity, row, matcher)) continue
      add(found.named, entity.name, row.id)
      mustBeFew(found.named)
    }
  }
}

/** Whether a text of a row names the person. */
export const isNamed = (
  entity: AnyEntity,
  row: Document,
  { redact }: Pick<PersonMatcher, 'redact'>,
): boolean => Object.keys(withoutPerson(entity, row, redact)).length > 0

function noteAbout(
  { wanted, kept }: SearchDeps,
  found: SearchFindings,
  entity: AnyEntity,
  row: Document,
): void {
  add(found.about, entity.name, row.id)
  mustBeFew(found.about)
  if (kept.has(row.id)) return
  const rows = personRowsOf(entity)
  const plain = unpacked(rows, row)
  for (const path of rows?.words ?? [])
    for (const text of valuesAt(plain, path))
      for (const mark of marksOf(wanted.salt, text)) if (found.marks.size < marksMax) found.marks.add(mark)
}

const add = (all: Map<string, Set<string>>, name: string, id: string) =>
  all.set(name, (all.get(name) ?? new Set()).add(id))

const sizeOf = (all: ReadonlyMap<string, ReadonlySet<string>>) =>
  [...all.values()].reduce((sum, { size }) => sum + size, 0)

function mustBeFew(all: ReadonlyMap<string, ReadonlySet<string>>): void {
  if (sizeOf(all) > idsMax)
    throw new Refusal(
      'conflict',
      `More than ${idsMax.toLocaleString('en')} records match. Search by an e-mail address, a profile or a full name.`,
    )
}
