import { randomBytes } from 'node:crypto'
import type { AnyEntity } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import type { IdentifierKind } from '../../contracts/people'
import type { OwnerContext } from '../../contracts/plugin'
import { dayMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { productState } from '../../kit/product-state'
import { refusedField } from '../../kit/refused-field'
import { newId } from '../../process/ids'
import type { Documents } from '../../stores/documents/port'
import { auditOf } from '../../tenancy/audit/audit'
import { keysOf } from '../../tenancy/rights/identifiers'
import { PersonRequest, type PersonRequestRow } from '../../tenancy/rights/PersonRequest'
import { User } from '../../tenancy/User'
import type { NotedErasure } from './note'
import { digestOf, type PersonRightsDeps, workOn } from './steps'

/** What a person is searched by. */
export type TypedPerson = Readonly<Partial<Record<IdentifierKind, readonly string[]>>>

/** Who asked. */
export interface RequestOrigin {
  readonly user_id?: string | undefined
  readonly host: string
}

/** Finds and erases one person in the data of an agency. Every step can be interrupted, and continues. */
export interface PersonRights {
  /** All record types, by name. */
  readonly entities: ReadonlyMap<string, AnyEntity>
  /** Stores a search. Only digests of the identifiers are stored. */
  begin(agencyId: string, typed: TypedPerson, by: RequestOrigin): Promise<PersonRequestRow>
  /** Continues a search or an erasure to its end. */
  work(id: string, signal?: AbortSignal): Promise<PersonRequestRow>
  /** Starts the erasure of what was found, without the rows that a person excluded. */
  erase(row: PersonRequestRow, kept: readonly string[], by: RequestOrigin): Promise<PersonRequestRow>
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

/** Characters of an identifier. Longer ones are none of a person. */
const identifierMax = 300
/** Days after which a search that nobody followed up is removed. */
const searchDays = 30

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
          const own = text.length > identifierMax ? [] : keysOf(salt, kind as IdentifierKind, text)
          if (own.length === 0)
            throw refusedField(kind, `This is not a valid ${kindWords[kind as IdentifierKind]}.`)
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
