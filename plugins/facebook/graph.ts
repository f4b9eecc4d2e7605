import { type ConnectionInfo, isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import type { ReviewedLocation } from 'renown/reviews'
import type { ProviderContext, ServiceRequest } from 'renown/sources'
import type { GenericSchema, InferOutput } from 'valibot'
import { type FacebookRequest, facebookFault, facebookRequest } from './graph-api'
import { facebookSettings } from './settings'

interface Asked<S extends GenericSchema>
  extends FacebookRequest,
    Pick<ServiceRequest<S>, 'what' | 'answer'> {}

/** Calls the Graph API with a token. */
export const askGraph = <S extends GenericSchema>(
  ctx: ProviderContext,
  token: string,
  { what, answer, ...asked }: Asked<S>,
): Promise<InferOutput<S>> =>
  ctx.outbound.ask({
    ...facebookRequest(facebookSettings.of(ctx), token, asked),
    what,
    answer,
    faultOf: facebookFault,
  })

/**
 * Calls the Graph API as the location's Page. An expired token breaks the connection, because page tokens are not
 * renewed.
 */
export async function askFacebook<S extends GenericSchema>(
  ctx: OwnerContext,
  location: ReviewedLocation,
  { what, answer, ...asked }: Asked<S>,
): Promise<InferOutput<S>> {
  const connection = await pageConnection(ctx, location)
  const token = await ctx.outbound.connections.token(connection.id)
  try {
    return await askGraph(ctx, token, { what, answer, ...asked })
  } catch (error) {
    if (isServiceFault(error) && error.kind === 'auth') {
      await ctx.outbound.connections.fail(connection.id, 'broken', error.message)
    }
    throw error
  }
}

/** The code of a fault: the location's Page is not connected. */
export const noConnectionCode = 'no_connection'

/** Returns the connection of the location's Page, in its workspace. */
export async function pageConnection(
  ctx: OwnerContext,
  { workspace_id, facebook_page_id }: ReviewedLocation,
): Promise<ConnectionInfo> {
  const known = await ctx.outbound.connections.list({ workspace_id, provider: 'facebook' })
  const own = known.find(({ account_id }) => account_id === facebook_page_id)
  if (own) return own
  throw new ServiceFault('auth', "The location's Facebook Page is not connected", { code: noConnectionCode })
}
