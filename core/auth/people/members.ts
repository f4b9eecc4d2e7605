import { Refusal } from '../../contracts/errors'
import type { OwnerContext } from '../../contracts/plugin'
import { typedName } from '../../contracts/typed-name'
import { where } from '../../contracts/where'
import { User } from '../../tenancy/User'
import { Workspace } from '../../tenancy/Workspace'
import type { OAuth } from '../oauth/index'
import type { Person, Sessions } from '../sessions'
import type { createOwnerLinks } from './owner-link'
import type { createSteps } from './steps'

export type Role = Person['role']

/** What a person may do and see. Owners have no list of workspaces, because they see all. */
export interface MemberAccess {
  readonly role: Role
  readonly workspace_ids: readonly string[]
}

/** The people of an agency, as its owners manage them. */
export interface Members {
  list(agencyId: string): Promise<readonly Person[]>
  /** Returns a person of the agency. Throws a `not_found` Refusal for anybody else. */
  find(agencyId: string, id: string): Promise<Person>
  /** Creates a person who signs in with a link. Throws a `conflict` Refusal if there are too many people. */
  invite(agencyId: string, name: string, access: MemberAccess): Promise<Person>
  /**
   * Returns the token of a new one-time link. Not for owners with a password, who can choose a new one
   * themselves.
   */
  link(person: Person): Promise<string>
  /** Changes the role or the workspaces. Throws a `conflict` Refusal if no owner would remain. */
  change(person: Person, access: MemberAccess): Promise<void>
  /** Ends all access of the person. Throws a `conflict` Refusal if no owner would remain. */
  deactivate(person: Person): Promise<void>
  activate(person: Person): Promise<void>
}

interface MembersDeps {
  readonly owner: OwnerContext
  readonly sessions: Pick<Sessions, 'endAll'>
  readonly steps: Pick<ReturnType<typeof createSteps>, 'endAll'>
  readonly links: Pick<ReturnType<typeof createOwnerLinks>, 'make' | 'end'>
  readonly oauth: Pick<OAuth, 'disconnectAllOf'>
}

const peopleMax = 1_000
const nameMax = 100

/** The name of a person, as somebody types it. */
export const personName = typedName('Name of the person', { max: nameMax })

/** What a page says about a name that cannot be used. */
export const nameFault = `Enter a name of at most ${nameMax} letters.`

/** Whether a sign-in link may be created for a person. Not for an owner who already signs in. */
export const mayHaveLink = ({ role, password_hash, is_active }: Person): boolean =>
  is_active && (role === 'member' || password_hash === undefined)

export function createMembers({ owner, sessions, steps, links, oauth }: MembersDeps): Members {
  const rows = owner.rows(User)
  const mustBeOwned = async ({ agency_id }: Person, undo: Parameters<typeof rows.update>) => {
    const owners = where.and(
      where.eq('agency_id', agency_id),
      where.eq('role', 'owner'),
      where.eq('is_active', true),
    )
    // Checked after the change, so that two owners who remove each other at the same time cannot both
    // succeed.
    if ((await rows.count(owners)) > 0) return
    await rows.update(...undo)
    throw new Refusal(
      'conflict',
      'An agency needs an owner who can sign in. Make another person an owner first.',
    )
  }
  const ownOf = async (agencyId: string, { role, workspace_ids }: MemberAccess) => {
    if (role === 'owner') return undefined
    const own = where.and(where.eq('agency_id', agencyId), where.in('id', [...workspace_ids]))
    const found = await owner.rows(Workspace).list({ where: own, limit: workspace_ids.length + 1 })
    return found.map(({ id }) => id)
  }
  return {
    list: (agencyId) =>
      rows.list({
        where: where.eq('agency_id', agencyId),
        sort: [{ field: 'created_date', direction: 'asc' }],
        limit: peopleMax,
      }),
    async find(agencyId, id) {
      const person = await rows.get(id)
      if (person?.agency_id === agencyId) return person
      throw new Refusal('not_found', 'This agency has no such person.')
    },
    async invite(agencyId, name, access) {
      if ((await rows.count(where.eq('agency_id', agencyId))) >= peopleMax)
        throw new Refusal('conflict', `An agency has at most ${peopleMax} people.`)
      const workspace_ids = await ownOf(agencyId, access)
      return rows.insert({
        workspace_id: agencyId,
        agency_id: agencyId,
        name,
        role: access.role,
        is_active: true,
        ...(workspace_ids ? { workspace_ids } : {}),
      })
    },
    async link(person) {
      if (!mayHaveLink(person))
        throw new Refusal('conflict', 'Links cannot be made for an owner who signs in with a password.')
      return (await links.make(person)).token
    },
    async change(person, access) {
      const workspace_ids = await ownOf(person.agency_id, access)
      await rows.update(person.id, { role: access.role, workspace_ids })
      if (person.role === access.role) return
      await mustBeOwned(person, [person.id, { role: person.role, workspace_ids: person.workspace_ids }])
      // Members cannot connect apps, so the apps that this person connected as an owner end.
      if (access.role === 'member') await oauth.disconnectAllOf(person, 'person_left')
    },
    async deactivate(person) {
      await rows.update(person.id, { is_active: false })
      if (person.role === 'owner') await mustBeOwned(person, [person.id, { is_active: true }])
      await Promise.all([links.end(person), steps.endAll(person.id), sessions.endAll(person.id)])
      await oauth.disconnectAllOf(person, 'person_left')
    },
    async activate({ id }) {
      await rows.update(id, { is_active: true })
    },
  }
}
