import type { AnyEntity } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import type { OwnerContext, TableDeclaration } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import type { Registry } from '../../registry/registry'
import type { ColumnsStore } from '../../stores/columns/port'
import type { Documents } from '../../stores/documents/port'
import { auditOf } from '../../tenancy/audit/audit'
import { blockedKind } from '../../tenancy/rights/erased-people'
import { digestsOf } from '../../tenancy/rights/identifiers'
import { createMatcher, type PersonMatcher } from '../../tenancy/rights/matcher'
import { type FoundIds, PersonRequest, type PersonRequestRow } from '../../tenancy/rights/PersonRequest'
import type { Among } from '../table-part'
import { amongOf } from '../workspace'
import { eraseRow } from './erase-rows'
import { addToNote, type NotedErasure, noteInBackups } from './note'
import { scopesOf } from './rows'
import { type SearchDeps, type SearchFindings, searchPeople, searchTexts, searchThrough } from './search'
import { eraseValues, namedValues } from './tables'

/** What finds and erases people. */
export interface PersonRightsDeps {
  readonly registry: Pick<Registry, 'entities' | 'tables'>
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly owner: OwnerContext
  readonly clock: Clock
  /** The data folder. Null if there is none. */
  readonly folder: string | null
}

/** Rows that came while others were erased are found by another round. */
const roundsMax = 3

/** The name of a request in the audit log, without the person. */
export const digestOf = ({ keys }: Pick<PersonRequestRow, 'keys'>): string =>
  `sha256:${keys[0]?.digest.slice(0, 16)}`

/** Does the steps of a request until it waits for a person, or is done. */
export async function workOn(
  deps: PersonRightsDeps,
  id: string,
  signal?: AbortSignal,
): Promise<PersonRequestRow> {
  const requests = deps.documents.collection(PersonRequest)
  for (;;) {
    const row = await requests.get(id)
    if (!row) throw new Refusal('not_found', `There is no search ${id}.`)
    if (row.state === 'found' || row.state === 'erased' || signal?.aborted) return row
    await steps[row.step](await stepDeps(deps, row))
  }
}

interface StepDeps extends PersonRightsDeps {
  readonly row: PersonRequestRow
  readonly entities: readonly AnyEntity[]
  readonly scopes: readonly string[]
  readonly kept: ReadonlySet<string>
  readonly found: SearchFindings
  /** Stores progress, if no other process has moved on. */
  save(set: Partial<PersonRequestRow>, unset?: readonly (keyof PersonRequestRow & string)[]): Promise<void>
}

async function stepDeps(deps: PersonRightsDeps, row: PersonRequestRow): Promise<StepDeps> {
  const { registry, documents, clock } = deps
  const requests = documents.collection(PersonRequest)
  const same = where.and(where.eq('id', row.id), where.eq('step', row.step), where.eq('state', row.state))
  return {
    ...deps,
    row,
    entities: [...registry.entities.values()].filter(
      ({ store, name }) => store === 'documents' && name !== PersonRequest.name,
    ),
    scopes: await scopesOf(documents, row.agency_id),
    kept: new Set(row.kept),
    found: {
      about: setsOf(row.about),
      named: setsOf(row.named),
      marks: new Set(row.marks),
    },
    async save(set, unset = []) {
      await requests.updateOne(same, { set: { ...set, updated_date: clock.now().toISOString() }, unset })
    },
  }
}

const setsOf = (ids: FoundIds) => new Map(Object.entries(ids).map(([name, own]) => [name, new Set(own)]))
const idsOf = (sets: ReadonlyMap<string, ReadonlySet<string>>): FoundIds =>
  Object.fromEntries([...sets].map(([name, own]) => [name, [...own]]))

const searchOf = ({ documents, entities, scopes, row, kept }: StepDeps): SearchDeps => ({
  documents,
  entities,
  scopes,
  kept,
  wanted: { salt: row.salt, keys: row.keys },
})

const matcherOf = ({ row, found }: StepDeps): PersonMatcher =>
  createMatcher({ salt: row.salt, keys: row.keys, marks: [...found.marks] })

/** Record types without a finding after which progress is stored. */
const savedEvery = 16

const steps: Readonly<Record<PersonRequestRow['step'], (deps: StepDeps) => Promise<void>>> = {
  async people(deps) {
    const { entities, found, row, save } = deps
    const done = [...row.done]
    for (const entity of entities) {
      if (done.includes(entity.name)) continue
      await searchPeople(searchOf(deps), found, entity)
      done.push(entity.name)
      if (found.about.has(entity.name) || done.length % savedEvery === 0)
        await save({ about: idsOf(found.about), marks: [...found.marks], done })
    }
    await searchThrough(searchOf(deps), found)
    await save({ about: idsOf(found.about), marks: [...found.marks], done: [], step: 'texts' })
  },
  async texts(deps) {
    const { entities, found, row, kept, save } = deps
    const done = [...row.done]
    for (const entity of entities) {
      if (done.includes(entity.name)) continue
      await searchTexts(searchOf(deps), found, entity)
      done.push(entity.name)
      if (found.named.has(entity.name) || done.length % savedEvery === 0)
        await save({ named: idsOf(found.named), done })
    }
    const tables = await countTables(deps)
    const isFirst = row.state === 'searching' || row.rounds === 0
    const counts = isFirst ? { found: countsOf(deps), tables } : {}
    const isLeft = [...found.about.values(), ...found.named.values()].some((ids) =>
      [...ids].some((id) => !kept.has(id)),
    )
    const hasTables = Object.keys(tables).length > 0
    if (row.state === 'searching') return save({ ...counts, done: [], state: 'found', step: 'people' })
    const isOver = row.rounds > 0 && (row.rounds >= roundsMax || !(isLeft || hasTables))
    await save({ ...counts, done: [], step: isOver ? 'end' : 'rows' })
  },
  async rows(deps) {
    const { documents, owner, clock, entities, found, row, kept, save } = deps
    const blocked = new Set(row.blocked)
    const { digest } = digestsOf(row.salt)
    const block = async (key: string) => {
      blocked.add(digest(blockedKind, key))
      await save({ blocked: [...blocked] })
    }
    const erasure = { documents, owner, clock, matcher: matcherOf(deps), block }
    const done = [...row.done]
    for (const entity of entities) {
      if (done.includes(entity.name)) continue
      for (const [ids, isAbout] of [
        [found.about.get(entity.name) ?? [], true],
        [found.named.get(entity.name) ?? [], false],
      ] as const)
        for (const id of ids) if (!kept.has(id)) await eraseRow(erasure, entity, id, isAbout)
      done.push(entity.name)
      if (found.about.has(entity.name) || found.named.has(entity.name)) await save({ done })
    }
    await save({ done: [], step: 'tables' })
  },
  async tables(deps) {
    const { columns, owner, row, save } = deps
    await owner.flushHits()
    for (const { table, among } of await tablesOf(deps))
      await eraseValues(columns, table, among, matcherOf(deps))
    await save({ step: 'people', rounds: row.rounds + 1, about: {}, named: {}, done: [] })
  },
  async end(deps) {
    const { documents, clock, owner, folder, row, save } = deps
    await documents.purge?.()
    const erased_at = clock.now().toISOString()
    const note = noteOf(row, erased_at)
    if (folder !== null) addToNote(folder, [note])
    const places = folder === null ? { noted_in: [], missing_in: [] } : noteInBackups(folder, [note])
    await auditOnce(owner, row)
    await save({ ...places, state: 'erased', erased_at, marks: [], about: {}, named: {}, done: [] })
  },
}

const noteOf = (
  { id, agency_id, salt, keys, blocked, kept }: PersonRequestRow,
  erased_at: string,
): NotedErasure => ({
  id,
  agency_id,
  salt,
  keys,
  blocked,
  kept,
  erased_at,
})

/** Records the erasure once, also if it was interrupted after the entry. */
async function auditOnce(owner: OwnerContext, row: PersonRequestRow): Promise<void> {
  const { agency_id, id, host, requested_by } = row
  const { entries } = await auditOf(owner).list(agency_id, { record_id: id, limit: 100 })
  if (entries.some(({ action }) => action === 'person.erase')) return
  const user = requested_by === host ? {} : { user_id: requested_by }
  await auditOf(owner).record({
    agency_id,
    host,
    ...user,
    action: 'person.erase',
    subject: digestOf(row),
    record_id: id,
  })
}

function countsOf({ found }: StepDeps) {
  const names = [...new Set([...found.about.keys(), ...found.named.keys()])].sort()
  return Object.fromEntries(
    names.map((name) => [
      name,
      { about: found.about.get(name)?.size ?? 0, named: found.named.get(name)?.size ?? 0 },
    ]),
  )
}

async function countTables(deps: StepDeps): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, among } of await tablesOf(deps)) {
    const { length } = await namedValues(deps.columns, table, among, matcherOf(deps))
    if (length > 0) counts[table.name] = length
  }
  return counts
}

/** Returns the tables with texts, and the condition for the rows of the agency. */
async function tablesOf(deps: StepDeps): Promise<{ table: TableDeclaration; among: Among }[]> {
  const found: { table: TableDeclaration; among: Among }[] = []
  for (const table of deps.registry.tables.values()) {
    if ((table.people ?? []).length === 0) continue
    const parts = await Promise.all(deps.scopes.map((scope) => amongOf(deps, table, scope)))
    const [first] = parts.flatMap((part) => part ?? [])
    const values = parts.flatMap((part) => part?.values ?? [])
    if (first && values.length > 0) found.push({ table, among: { column: first.column, values } })
  }
  return found
}
