import * as v from 'valibot'
import type { ActAudit, ActRecord } from '../../contracts/act'
import { defineAct, defineCommand, field, type OwnerContext, Refusal, where } from '../../kit'
import { commandLine } from '../../tenancy/audit/audit'
import { auditActions } from '../../tenancy/audit/audit-actions'
import { findNamed } from '../../tenancy/find-named'
import { agencyInput, agencyOf, onAgency } from '../../tenancy/named-agency'
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
export const invitePerson = defineAct({
  name: 'person invite',
  summary: 'Invite a person; the sign-in link is shown once and works for 24 hours',
  on: onAgency,
  fields: {
    name: personName,
    role: v.optional(
      v.pipe(
        v.picklist(['member', 'owner']),
        v.description('owner: everything. member: only the given workspaces. Default member'),
      ),
      'member',
    ),
    workspace_ids: v.optional(field.texts('Workspaces that a member sees, separated by commas')),
  },
  positional: ['name'],
  secrets: ['sign_in_link'],
  only: 'owner',
  auth: 'recent',
  label: 'Invite a person',
  done: 'The person is invited.',
  undo: 'person deactivate',
  audit: { action: 'person.invite', what: 'Person invited', subject: (_, __, { name }) => name },
  async run(ctx, { row: { id: agencyId }, input: { name, role, workspace_ids = [] } }) {
    const members = membersOf(ctx)
    const access = { role, workspace_ids: await known(ctx, agencyId, workspace_ids) }
    const person = await members.invite(agencyId, name, access)
    return { answer: { name, role, user_id: person.id, ...(await linkOf(ctx, members, person)) } }
  },
})

const onPerson: ActRecord<typeof User> = {
  entity: User,
  field: 'user_id',
  called: 'person',
  hint: '`bun renown person list` shows all people.',
  inShell: {
    fields: { user_id: userId },
    find: (ctx, { user_id }) => findNamed(ctx, User, 'email', String(user_id)),
  },
}

const ofPeople = { only: 'owner', auth: 'recent' } as const

const named: Pick<ActAudit<typeof User, Record<never, never>>, 'subject'> = {
  subject: (_, { name, email, id }) => name ?? email ?? id,
}

/** Creates another sign-in link for a person who lost theirs. Earlier links stop working. */
export const linkPerson = defineAct({
  ...ofPeople,
  name: 'person link create',
  summary: 'Make a new sign-in link for a person; earlier links stop working',
  on: onPerson,
  secrets: ['sign_in_link'],
  label: 'Create new link',
  done: 'The link is created. Earlier links stop working.',
  audit: { ...named, action: 'person.link_made', what: 'One-time link created for somebody' },
  async run(ctx, { row: person }) {
    if (!mayHaveLink(person))
      throw new Refusal(
        'conflict',
        'This owner signs in with a password. Use `owner link create` to replace it.',
      )
    return { answer: { user_id: person.id, ...(await linkOf(ctx, membersOf(ctx), person)) } }
  },
})

/** Signs a person out everywhere and disconnects the apps that they allowed. */
export const deactivatePerson = defineAct({
  ...ofPeople,
  name: 'person deactivate',
  summary: 'Sign a person out everywhere and keep them from signing in',
  on: onPerson,
  label: 'Remove access',
  done: 'The person is signed out everywhere and cannot sign in.',
  undo: 'person activate',
  audit: { ...named, action: 'person.deactivate', what: 'Person deactivated' },
  async run(ctx, { row: person }) {
    if (person.is_active) await membersOf(ctx).deactivate(person)
    return {
      answer: { name: person.name, status: 'deactivated', user_id: person.id },
      isChanged: person.is_active,
    }
  },
})

/** Lets a deactivated person sign in again. */
export const activatePerson = defineAct({
  ...ofPeople,
  name: 'person activate',
  summary: 'Let a deactivated person sign in again',
  on: onPerson,
  label: 'Give access back',
  done: 'The person can sign in again.',
  undo: 'person deactivate',
  audit: { ...named, action: 'person.activate', what: 'Access given back' },
  async run(ctx, { row: person }) {
    if (!person.is_active) await membersOf(ctx).activate(person)
    return {
      answer: { name: person.name, status: statusOf({ ...person, is_active: true }), user_id: person.id },
      isChanged: !person.is_active,
    }
  },
})

/** What owners and operators do with the access of people. */
export const memberActs = [invitePerson, linkPerson, deactivatePerson, activatePerson]

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

/** Returns a new link. A person on a page gets it for the host where they are. */
async function linkOf(ctx: OwnerContext, members: Members, person: Person) {
  const origin = ctx.by && ctx.by.host !== commandLine ? ctx.by.host : ctx.apiUrl
  return { sign_in_link: `${origin}/app/link?token=${await members.link(person)}` }
}

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
    const action = 'app.person_left'
    await ctx.recordAudit({
      agency_id,
      action,
      what: auditActions[action],
      credential: id,
      subject,
      by: ctx.by,
    })
  }
}
