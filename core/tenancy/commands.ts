import * as v from 'valibot'
import {
  defineAct,
  defineOperatorCommand,
  field,
  type OwnerContext,
  Refusal,
  timezone,
  typedName,
  where,
} from '../kit'
import { Agency } from './Agency'
import { servedDomain } from './domains/workspaces'
import { onAgency } from './named-agency'
import { User } from './User'
import { Workspace } from './Workspace'

const locale = v.pipe(
  v.string(),
  v.check(isLocale, 'a BCP 47 language tag such as en or pt-BR'),
  v.description('BCP 47 language tag of the workspace. Default en'),
)

const zone = timezone('IANA time zone in which the days of its figures begin. Default UTC')

/** Creates an agency, its home workspace and its owner. It belongs to the installation, because no agency was there before. */
export const createAgency = defineOperatorCommand({
  name: 'agency create',
  summary: 'Create an agency with its home workspace and its owner',
  input: v.strictObject({
    name: typedName('Name of the agency, and of its home workspace unless --workspace says otherwise'),
    workspace: v.optional(typedName('Name of the home workspace')),
    timezone: v.optional(zone, 'UTC'),
    locale: v.optional(locale, 'en'),
    owner_name: v.optional(typedName('Name of the owner')),
    owner_email: v.optional(
      v.pipe(v.string(), v.trim(), v.toLowerCase(), v.email(), v.description('Address of the owner')),
    ),
    platform: v.optional(field.flag('Its credentials may read entities in any workspace'), false),
  }),
  positional: ['name'],
  async run(ctx, input) {
    await refuseTaken(ctx, input.owner_email)
    const id = ctx.newId(Agency)
    const agency = await ctx.rows(Agency).insert({
      id,
      workspace_id: id,
      name: input.name,
      is_platform: input.platform,
      is_active: true,
    })
    const workspace = await insertWorkspace(ctx, agency.id, true, {
      ...input,
      name: input.workspace ?? input.name,
    })
    const user = await ctx.rows(User).insert({
      workspace_id: agency.id,
      agency_id: agency.id,
      role: 'owner',
      is_active: true,
      ...(input.owner_name === undefined ? {} : { name: input.owner_name }),
      ...(input.owner_email === undefined ? {} : { email: input.owner_email }),
    })
    return { agency_id: agency.id, workspace_id: workspace.id, user_id: user.id }
  },
})

/** Throws if another person has this address, because people sign in with it. */
async function refuseTaken(ctx: OwnerContext, email: string | undefined): Promise<void> {
  if (email === undefined || (await ctx.rows(User).count(where.eq('email', email))) === 0) return
  const fault = { pointer: '/owner_email', code: 'taken', message: 'somebody already signs in with it' }
  throw new Refusal('conflict', `Another person already signs in with ${email}.`, { errors: [fault] })
}

/** Creates a workspace. The first workspace of an agency becomes its home. */
export const createWorkspace = defineAct({
  name: 'workspace create',
  summary: 'Create a workspace of an agency',
  on: onAgency,
  fields: {
    name: typedName('Name of the workspace'),
    timezone: v.optional(zone, 'UTC'),
    locale: v.optional(locale, 'en'),
  },
  positional: ['name'],
  shellFields: ['locale'],
  only: 'owner',
  label: 'Add client',
  done: 'The client was added.',
  undo: 'workspace archive',
  audit: { action: 'workspace.add', what: 'Workspace added', subject: (_, __, { name }) => name },
  async run(ctx, { row: { id: agency_id }, input }) {
    const homes = where.and(where.eq('agency_id', agency_id), where.eq('is_home', true))
    const isHome = (await ctx.rows(Workspace).count(homes)) === 0
    const { id: workspace_id, is_home } = await insertWorkspace(ctx, agency_id, isHome, input)
    return { answer: { workspace_id, agency_id, is_home } }
  },
})

async function insertWorkspace(
  ctx: OwnerContext,
  agencyId: string,
  isHome: boolean,
  { name, timezone, locale }: { name: string; timezone: string; locale: string },
) {
  const id = ctx.newId(Workspace)
  const white_label_domain = await servedDomain(ctx, agencyId)
  return ctx.rows(Workspace).insert({
    id,
    workspace_id: id,
    name,
    agency_id: agencyId,
    ...(white_label_domain === undefined ? {} : { white_label_domain }),
    is_home: isHome,
    timezone,
    locale,
    plan: 'self_hosted',
    locations_count: 0,
    active_locations_count: 0,
    is_active: true,
  })
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
