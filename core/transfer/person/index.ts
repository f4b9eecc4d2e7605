import { randomBytes } from 'node:crypto'
import type { AnyEntity } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import type { IdentifierKind } from '../../contracts/people'
import type { OwnerContext, TableDeclaration } from '../../contracts/plugin'
import { dayMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { productState } from '../../kit/product-state'
import type { Clock } from '../../process/clock'
import { newId } from '../../process/ids'
import type { Registry } from '../../registry/registry'
import type { ColumnsStore } from '../../stores/columns/port'
import type { Documents } from '../../stores/documents/port'
import { AuditEntry } from '../../tenancy/audit/AuditEntry'
import { auditOf } from '../../tenancy/audit/audit'
import { blockedKind } from '../../tenancy/rights/erased-people'
import { digestsOf, keysOf } from '../../tenancy/rights/identifiers'
import { createMatcher, type Matcher } from '../../tenancy/rights/matcher'
import { type FoundIds, PersonRequest, type PersonRequestRow } from '../../tenancy/rights/PersonRequest'
import { User } from '../../tenancy/User'
import type { Among } from '../table-part'
import { amongOf } from '../workspace'
import { eraseRow } from './erase-rows'
import { addToNote, type NotedErasure, noteInBackups } from './note'
import { scopesOf } from './rows'
import { type Findings, type SearchDeps, searchPeople, searchTexts, searchThrough } from './search'
import { eraseValues, namedValues } from './tables'

/** What a person is searched by. */
export type TypedPerson = Readonly<Partial<Record<IdentifierKind, readonly string[]>>>

/** Who asked. */
export interface AskedBy {
  readonly user_id?: string | undefined
  readonly host: string
}

export interface PersonRightsDeps {
  readonly registry: Pick<Registry, 'entities' | 'tables'>
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly owner: OwnerContext
  readonly clock: Clock
  /** The data folder. Null if there is none. */
  readonly folder: string | null
}

/** Finds and erases one person in the data of an agency. Every step can be interrupted, and continues. */
export interface PersonRights {
  /** All record types, by name. */
  readonly entities: ReadonlyMap<string, AnyEntity>
  /** Stores a search. Only digests of the identifiers are stored. */
  begin(agencyId: string, typed: TypedPerson, by: AskedBy): Promise<PersonRequestRow>
  /** Continues a search or an erasure to its end. */
  work(id: string, signal?: AbortSignal): Promise<PersonRequestRow>
  /** Starts the erasure of what was found, without the rows that a person excluded. */
  erase(row: PersonRequestRow, kept: readonly string[], by: AskedBy): Promise<PersonRequestRow>
  /** Continues everything that was interrupted. */
  resume(signal: AbortSignal): Promise<void>
  /** Starts erasures again that the data folder notes, and the documents do not know. Returns how many. */
  applyNote(erasures: readonly NotedErasure[]): Promise<number>
}

/** The rights of people in this product. Set once it has opened its stores. */
const personRights = productState<{ current?: PersonRights }>(() => ({}))

/** Sets the rights of people in a product, unless they are set. */
export function setPersonRights(deps: PersonRightsDeps): PersonRights {
  const state = personRights(deps.owner)
  state.current ??= createPersonRights(deps)
  return state.current
}

/** Returns the rights of people in the product of a context. */
export function personRightsOf(ctx: Pick<OwnerContext, 'product'>): PersonRights {
  const { current } = personRights(ctx)
  if (!current) throw new Refusal('unavailable', 'This process cannot search for people.')
  return current
}

/** Days after which a search that nobody followed up is removed. */
const searchDays = 30
/** Rows that came while others were erased are found by another round. */
const roundsMax = 3

export function createPersonRights(deps: PersonRightsDeps): PersonRights {
  const { documents, clock, owner } = deps
  const requests = documents.collection(PersonRequest)
  const running = new Map<string, Promise<PersonRequestRow>>()
  const stamp = () => clock.now().toISOString()
  const rights: PersonRights = {
    entities: deps.registry.entities,
    async begin(agency_id, typed, { user_id, host }) {
      const salt = randomBytes(24).toString('base64url')
      const keys = Object.entries(typed).flatMap(([kind, texts]) =>
        texts.flatMap((text) => {
          const own = keysOf(salt, kind as IdentifierKind, text)
          if (own.length === 0)
            throw new Refusal('invalid_field', `This is not a valid ${kindWords[kind as IdentifierKind]}.`)
          return own
        }),
      )
      if (keys.length === 0)
        throw new Refusal(
          'invalid_field',
          'Give at least one identifier of the person, such as an e-mail address.',
        )
      const now = stamp()
      const row: PersonRequestRow = {
        id: newId(PersonRequest.idPrefix, clock.now()),
        workspace_id: agency_id,
        agency_id,
        ...fresh,
        state: 'searching',
        salt,
        keys,
        requested_by: user_id ?? host,
        host,
        expires_at: new Date(clock.now().getTime() + searchDays * dayMs).toISOString(),
        created_date: now,
        updated_date: now,
      }
      await requests.insert(row)
      await auditOf(owner).record({
        agency_id,
        user_id,
        host,
        action: 'person.search',
        subject: digestOf(row),
        record_id: row.id,
      })
      return row
    },
    work(id, signal) {
      const known = running.get(id)
      if (known) return known
      const work = workOn(deps, id, signal).finally(() => running.delete(id))
      running.set(id, work)
      return work
    },
    async erase(row, kept, { user_id, host }) {
      if (row.state === 'erased' || row.state === 'erasing') return row
      if (row.state === 'searching') throw new Refusal('conflict', 'The search has not ended yet.')
      await mustLeaveAnOwner(documents, row, kept)
      const found = await requests.updateOne(where.and(where.eq('id', row.id), where.eq('state', 'found')), {
        set: {
          ...fresh,
          state: 'erasing',
          kept: [...kept],
          requested_by: user_id ?? host,
          host,
          updated_date: stamp(),
        },
        unset: ['expires_at'],
      })
      return found ?? row
    },
    async resume(signal) {
      const open = where.in('state', ['searching', 'erasing'])
      for (const { id } of await requests.find({ where: open, limit: 1_000 })) {
        if (signal.aborted) return
        await rights.work(id, signal)
      }
    },
    async applyNote(erasures) {
      let applied = 0
      for (const { erased_at, ...one } of erasures) {
        const known = await requests.get(one.id)
        if (known?.state === 'erased' || known?.state === 'erasing') continue
        if (known) await requests.remove(where.eq('id', one.id))
        await requests.insert({
          ...fresh,
          ...one,
          workspace_id: one.agency_id,
          keys: one.keys,
          state: 'erasing',
          requested_by: noteHost,
          host: noteHost,
          created_date: erased_at,
          updated_date: stamp(),
        })
        applied++
      }
      return applied
    },
  }
  return rights
}

/** The host of erasures that a restored backup applies again. */
const noteHost = 'restored backup'

const kindWords: Readonly<Record<IdentifierKind, string>> = {
  email: 'e-mail address',
  phone: 'telephone number',
  name: 'name',
  profile: 'address of a profile',
  handle: 'name on a platform',
}

/** The fields of a request before its first step. */
const fresh = {
  step: 'people' as const,
  rounds: 0,
  about: {},
  named: {},
  tables: {},
  marks: [],
  blocked: [],
  kept: [],
  done: [],
  found: {},
  noted_in: [],
  missing_in: [],
} satisfies Partial<PersonRequestRow>

/** The name of a request in the audit log, without the person. */
export const digestOf = ({ keys }: Pick<PersonRequestRow, 'keys'>): string =>
  `sha256:${keys[0]?.digest.slice(0, 16)}`

/** An agency without an owner could not be used any more. */
async function mustLeaveAnOwner(documents: Documents, row: PersonRequestRow, kept: readonly string[]) {
  const leaving = new Set(row.about[User.name]?.filter((id) => !kept.includes(id)))
  if (leaving.size === 0) return
  const owners = await documents.collection(User).find({
    where: where.and(
      where.eq('agency_id', row.agency_id),
      where.eq('role', 'owner'),
      where.eq('is_active', true),
    ),
    limit: 1_000,
  })
  if (owners.some(({ id }) => !leaving.has(id))) return
  throw new Refusal(
    'conflict',
    'This person is the last owner of the agency. Make somebody else an owner first.',
  )
}

/** Does the steps of a request until it waits for a person, or is done. */
async function workOn(deps: PersonRightsDeps, id: string, signal?: AbortSignal): Promise<PersonRequestRow> {
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
  readonly found: Findings
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

const matcherOf = ({ row, found }: StepDeps): Matcher =>
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
  const own = where.and(
    where.eq('workspace_id', agency_id),
    where.eq('record_id', id),
    where.eq('action', 'person.erase'),
  )
  if ((await owner.rows(AuditEntry).count(own)) > 0) return
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
