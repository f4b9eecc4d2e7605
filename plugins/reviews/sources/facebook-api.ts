import {
  type ConnectionInfo,
  type FacebookAsked,
  facebookFault,
  facebookRequest,
  type OwnerContext,
  ServiceFault,
} from 'renown'
import type { ReviewedLocation } from './source'

/** Asks the Graph API as the location's Page. A token that is dead breaks the connection: page tokens are not renewed. */
export async function askFacebook(
  ctx: OwnerContext,
  location: ReviewedLocation,
  asked: FacebookAsked,
): Promise<unknown> {
  const connection = await pageConnection(ctx, location)
  const token = await ctx.outbound.connections.token(connection.id)
  const answer = await ctx.outbound.ask(facebookRequest(ctx.settings, token, asked))
  const fault = facebookFault(answer)
  if (fault === null) return answer.json
  if (fault.kind === 'auth') await ctx.outbound.connections.fail(connection.id, 'broken', fault.message)
  throw fault
}

/** The connection of the location's Page, among those of its workspace. */
export async function pageConnection(
  ctx: OwnerContext,
  { workspace_id, facebook_page_id }: ReviewedLocation,
): Promise<ConnectionInfo> {
  const known = await ctx.outbound.connections.list({ workspace_id, provider: 'facebook' })
  const own = known.find(({ account_id }) => account_id === facebook_page_id)
  if (own) return own
  throw new ServiceFault('auth', "The location's Facebook Page is not connected", { code: 'no_connection' })
}
