import * as v from 'valibot'
import { defineCommand, field, type OwnerContext, Refusal, where } from '../../kit'
import { auditOf, commandLine } from '../../tenancy/audit/audit'
import type { AuditAction } from '../../tenancy/audit/audit-actions'
import { findNamed } from '../../tenancy/find-named'
import { agencyInput, agencyOf } from '../../tenancy/named-agency'
import { User } from '../../tenancy/User'
import { Workspace } from '../../tenancy/Workspace'
import { endGrant } from '../oauth/grants/grants'
import { OAuthGrant } from '../oauth/grants/OAuthGrant'
import { Session } from '../Session'
import type { Person } from '../sessions'
import { createMembers, type Members, mayHaveLink, personName } from './members'
import { OwnerLink } from './OwnerLink'
import { replaceLink } from './owner-link'
import { SignInStep } from './SignInStep'

const userId = field.text('Id or e-mail address of the person. `person list` shows both')

/** Lists the people of an agency. */
export const listPeople = defineCommand({
  name: 'person list',
  summary: 'List the people of an agency',
  input: v.strictObject({ agency_id: agencyInput }),
  async run(ctx, { agency_id }) {
    const people = await membersOf(ctx).list(await agencyOf(ctx, agency_id))
    return {
      people: people.map(({ id, name, email, role, is_active, password_hash, workspace_ids }) => ({
        name,
        email,
        role,
        status: statusOf({ is_active, password_hash }),
        workspaces: role === 'owner' ? 'all' : (workspace_ids ?? []).length,
        user_id: id,
      })),
    }
  },
})

function statusOf({ is_active, password_hash }: Pick<Person, 'is_active' | 'password_hash'>): string {
  if (!is_active) return 'deactivated'
  return password_hash === undefined ? 'invited' : 'active'
}

/** Adds a person, and creates their first sign-in link. */
export const invitePerson = defineCommand({
  name: 'person invite',
  summary: 'Invite a person; the sign-in link is shown once and works for 24 hours',
  input: v.strictObject({
    name: personName,
    agency_id: agencyInput,
    role: v.optional(
      v.pipe(
        v.picklist(['member', 'owner']),
        v.description('owner: everything. member: only the given workspaces. Default member'),
      ),
      'member',
    ),
    workspace_ids: v.optional(field.texts('Workspaces that a member sees, separated by commas')),
  }),
  positional: ['name'],
  secrets: ['sign_in_link'],
  async run(ctx, { name, agency_id, role, workspace_ids = [] }) {
    const agencyId = await agencyOf(ctx, agency_id)
    const members = membersOf(ctx)
    const person = await members.invite(agencyId, name, {
      role,
      workspace_ids: await known(ctx, agencyId, workspace_ids),
    })
    await record(ctx, person, 'person.invite')
    return { name, role, user_id: person.id, ...(await linkOf(ctx, members, person)) }
  },
})

/** Creates another sign-in link for a person who lost theirs. Earlier links stop working. */
export const linkPerson = defineCommand({
  name: 'person link create',
  summary: 'Make a new sign-in link for a person; earlier links stop working',
  input: v.strictObject({ user_id: userId }),
  positional: ['user_id'],
  secrets: ['sign_in_link'],
  async run(ctx, { user_id }) {
    const person = await find(ctx, user_id)
    if (!mayHaveLink(person))
      throw new Refusal(
        'conflict',
        'This owner signs in with a password. Use `owner link create` to replace it.',
      )
    const link = await linkOf(ctx, membersOf(ctx), person)
    await record(ctx, person, 'person.link_made')
    return { user_id: person.id, ...link }
  },
})

/** Signs a person out everywhere and disconnects the apps that they allowed. */
export const deactivatePerson = defineCommand({
  name: 'person deactivate',
  summary: 'Sign a person out everywhere and keep them from signing in',
  input: v.strictObject({ user_id: userId }),
  positional: ['user_id'],
  async run(ctx, { user_id }) {
    const person = await find(ctx, user_id)
    if (person.is_active) {
      await membersOf(ctx).deactivate(person)
      await record(ctx, person, 'person.deactivate')
    }
    return { name: person.name, status: 'deactivated', user_id: person.id }
  },
})

/** Lets a deactivated person sign in again. */
export const activatePerson = defineCommand({
  name: 'person activate',
  summary: 'Let a deactivated person sign in again',
  input: v.strictObject({ user_id: userId }),
  positional: ['user_id'],
  async run(ctx, { user_id }) {
    const person = await find(ctx, user_id)
    if (!person.is_active) {
      await membersOf(ctx).activate(person)
      await record(ctx, person, 'person.activate')
    }
    return { name: person.name, status: statusOf({ ...person, is_active: true }), user_id: person.id }
  },
})

async function find(ctx: OwnerContext, id: string): Promise<Person> {
  const person = await findNamed(ctx, User, 'email', id)
  if (person) return person
  throw new Refusal('not_found', `There is no person ${id}.`, {
    hint: '`bun renown person list` shows all people.',
  })
}

/**
 * Returns the given workspaces. Throws an `invalid_field` Refusal that names those that the agency does not
 * have.
 */
async function known(
  ctx: OwnerContext,
  agencyId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const id of ids) {
    const workspace = await ctx.rows(Workspace).get(id)
    if (workspace?.agency_id !== agencyId) missing.push(id)
  }
  if (missing.length === 0) return ids
  throw new Refusal('invalid_field', `The agency has no workspace ${missing.join(', ')}.`, {
    errors: [
      { pointer: '/workspace_ids', code: 'not_found', message: `no such workspace: ${missing.join(', ')}` },
    ],
    hint: '`workspace list` shows the ids of all workspaces.',
  })
}

async function linkOf(ctx: OwnerContext, members: Members, person: Person) {
  return { sign_in_link: `${ctx.apiUrl}/app/link?token=${await members.link(person)}` }
}

const record = (ctx: OwnerContext, person: Person, action: AuditAction): Promise<void> =>
  auditOf(ctx).record({
    agency_id: person.agency_id,
    action,
    host: commandLine,
    subject: person.name ?? person.email ?? person.id,
  })

/** Returns the functions of the page People, over the rows of the system context. */
const membersOf = (ctx: OwnerContext): Members =>
  createMembers({
    owner: ctx,
    sessions: { endAll: (id) => ctx.rows(Session).removeWhere(where.eq('user_id', id)) },
    steps: { endAll: async (id) => void (await ctx.rows(SignInStep).removeWhere(where.eq('user_id', id))) },
    links: {
      make: (person) => replaceLink(ctx.rows(OwnerLink), person, ctx.now()),
      end: ({ id }) => ctx.rows(OwnerLink).removeWhere(where.eq('user_id', id)),
    },
    oauth: { disconnectAllOf: (person) => endGrantsOf(ctx, person) },
  })

async function endGrantsOf(ctx: OwnerContext, person: { readonly id: string; readonly agency_id: string }) {
  const rows = ctx.rows(OAuthGrant)
  const theirs = where.and(where.eq('user_id', person.id), where.eq('is_revoked', false))
  for await (const { id } of rows.each({ where: theirs })) {
    const ended = await endGrant(rows, id, 'person_left', ctx.now())
    if (!ended) continue
    const { agency_id, client_name: subject } = ended
    await auditOf(ctx).record({
      agency_id,
      host: commandLine,
      credential: id,
      subject,
      action: 'app.person_left',
    })
  }
}
