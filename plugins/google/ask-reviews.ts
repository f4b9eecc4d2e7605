import { googleFault, isServiceFault, type OwnerContext, ServiceFault, type ServiceRequest } from 'renown'
import type { ReviewedLocation } from 'renown/reviews'
import type { GenericSchema, InferOutput } from 'valibot'

interface Asked<S extends GenericSchema>
  extends Pick<ServiceRequest<S>, 'method' | 'json' | 'signal' | 'isUrgent' | 'what' | 'answer'> {
  /** Below the address of the reviews' API. */
  readonly path: string
}

const refusedToken = 'Google refuses a token that it just gave'
/** Told by a fault of this code when the last try is over, the connection is broken. */
export const refusedTokenCode = 'refused_token'

/** Asks Google's reviews API as the location's account. A token that Google refuses is renewed once. */
export async function askGoogle<S extends GenericSchema>(
  ctx: OwnerContext,
  location: ReviewedLocation,
  asked: Asked<S>,
): Promise<InferOutput<S>> {
  const connection = await connectionOf(ctx, location)
  try {
    return await askWith(ctx, await ctx.outbound.connections.token(connection), asked)
  } catch (error) {
    if (!isRefusedToken(error)) throw error
  }
  try {
    return await askWith(ctx, await ctx.outbound.connections.token(connection, { renew: true }), asked)
  } catch (error) {
    // A fresh token that is refused once may be a hiccup; the queue says when it is the end of the connection.
    if (isRefusedToken(error)) {
      throw new ServiceFault('transient', refusedToken, { code: refusedTokenCode })
    }
    throw error
  }
}

/** Google says with 401 that it does not take the token. A connection that is broken already says `auth` without a status. */
const isRefusedToken = (error: unknown) => isServiceFault(error) && error.code === '401'

const askWith = <S extends GenericSchema>(
  { outbound, settings }: OwnerContext,
  token: string,
  { path, ...asked }: Asked<S>,
): Promise<InferOutput<S>> =>
  outbound.ask({
    ...asked,
    ...{ url: `${settings.GOOGLE_REVIEWS_URL}/${path}`, headers: { authorization: `Bearer ${token}` } },
    ...{ secrets: [token], faultOf: googleFault },
  })

/** The account that the location names, among those of its workspace. */
export async function connectionOf(ctx: OwnerContext, location: ReviewedLocation): Promise<string> {
  const { workspace_id, google_account_id } = location
  const known = await ctx.outbound.connections.list({ workspace_id, provider: 'google' })
  const bare = (id: string) => id.replace(/^accounts\//, '')
  const own = known.find(({ account_id }) => bare(account_id) === bare(google_account_id ?? ''))
  if (own) return own.id
  throw new ServiceFault('auth', 'No Google account is connected that holds this location', {
    code: 'no_connection',
  })
}
