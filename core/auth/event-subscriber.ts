import type { AnyEntity, Row } from '../contracts/entity'
import type { EventSubscriber } from '../contracts/event-delivery'
import { isAllowedCallback } from '../events/callback-hosts'
import { Agency } from '../tenancy/Agency'
import { User } from '../tenancy/User'
import { Workspace } from '../tenancy/Workspace'
import { AgentKey } from './AgentKey'
import { OAuthGrant } from './oauth/grants/OAuthGrant'

interface Reads {
  rows<E extends AnyEntity>(entity: E): { get(id: string): Promise<Row<E> | null> }
  now(): Date
}

const keyPrefix = 'agent_key:'
const appPrefix = 'oauth:'

/** Returns who subscribes with a credential. Null if the credential ended in the meantime. */
export async function subscriberOf(
  ctx: Reads,
  credential: string,
  { agency_id, workspace_id }: Pick<EventSubscriber, 'agency_id' | 'workspace_id'>,
): Promise<EventSubscriber | null> {
  const subscriber = { agency_id, workspace_id, credential }
  if (credential.startsWith(appPrefix)) {
    const grant = await ctx.rows(OAuthGrant).get(credential.slice(appPrefix.length))
    return grant && { ...subscriber, client: grant.client_id }
  }
  if (!credential.startsWith(keyPrefix)) return subscriber
  const key = await ctx.rows(AgentKey).get(agency_id)
  return key?.is_active ? { ...subscriber, key_minted_at: key.minted_at } : null
}

/**
 * Returns why a credential may no longer have events sent to a callback, or null. Read again before each message, so
 * that nothing is sent after a person took the permission away.
 */
export async function subscriberFault(
  ctx: Reads,
  { url, ...subscriber }: EventSubscriber & { readonly url: string },
): Promise<string | null> {
  const { agency_id, workspace_id, credential } = subscriber
  const [agency, workspace] = await Promise.all([
    ctx.rows(Agency).get(agency_id),
    ctx.rows(Workspace).get(workspace_id),
  ])
  if (!agency?.is_active) return 'The agency is not active.'
  if (workspace?.agency_id !== agency_id) return 'The workspace was deleted.'
  if (!isAllowedCallback(url, agency.event_hosts ?? []))
    return 'The owner removed the host of the callback from the allowed ones.'
  return credential.startsWith(appPrefix)
    ? appFault(ctx, subscriber, credential.slice(appPrefix.length))
    : keyFault(ctx, subscriber)
}

/** Whether the owner allows the host of a callback now. */
export async function mayCallBack(
  ctx: Reads,
  { agency_id, url }: Pick<EventSubscriber, 'agency_id'> & { readonly url: string },
): Promise<boolean> {
  const agency = await ctx.rows(Agency).get(agency_id)
  return agency?.is_active === true && isAllowedCallback(url, agency.event_hosts ?? [])
}

async function keyFault(ctx: Reads, { agency_id, key_minted_at }: EventSubscriber): Promise<string | null> {
  const key = await ctx.rows(AgentKey).get(agency_id)
  return key?.is_active && key.minted_at === key_minted_at ? null : 'The agent key was revoked or rotated.'
}

async function appFault(
  ctx: Reads,
  { agency_id, workspace_id }: EventSubscriber,
  grantId: string,
): Promise<string | null> {
  const grant = await ctx.rows(OAuthGrant).get(grantId)
  if (!grant || grant.is_revoked || grant.agency_id !== agency_id) return 'The app was disconnected.'
  if (grant.expires_at <= ctx.now().toISOString()) return 'The connection of the app expired.'
  if (!grant.scopes.includes('write')) return 'The app may only read.'
  if (grant.workspace_ids && !grant.workspace_ids.includes(workspace_id))
    return 'The app may no longer read the workspace.'
  const person = await ctx.rows(User).get(grant.user_id)
  if (!person?.is_active || person.agency_id !== agency_id)
    return 'The person who connected the app was removed.'
  return null
}
