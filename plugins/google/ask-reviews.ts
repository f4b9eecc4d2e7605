import { type OwnerContext, ServiceFault } from 'renown'
import type { ReviewedLocation } from 'renown/reviews'
import type { GenericSchema, InferOutput } from 'valibot'
import { askGoogleAs, type GoogleRequest, isRefusedToken } from './ask'
import { googleSettings } from './settings'

interface Asked<S extends GenericSchema> extends Omit<GoogleRequest<S>, 'url'> {
  /** Path below the address of the reviews API. */
  readonly path: string
}

/** The code of a fault: no connected account contains the location. */
export const noConnectionCode = 'no_connection'
const refusedToken = 'Google refuses a token that it has just issued'
/** The code of a fault: Google refused the token. After the last attempt, the connection counts as broken. */
export const refusedTokenCode = 'refused_token'

/** Calls Google's reviews API with the location's account. A refused token is renewed once. */
export async function askGoogle<S extends GenericSchema>(
  ctx: OwnerContext,
  location: ReviewedLocation,
  asked: Asked<S>,
): Promise<InferOutput<S>> {
  const { path, ...request } = asked
  const connection = await connectionOf(ctx, location)
  try {
    const url = `${googleSettings.of(ctx).GOOGLE_REVIEWS_URL}/${path}`
    return await askGoogleAs(ctx, connection, { ...request, url })
  } catch (error) {
    // A fresh token that is refused once may be a temporary problem. The last attempt of the job decides
    // whether the connection has ended.
    if (isRefusedToken(error)) {
      throw new ServiceFault('transient', refusedToken, { code: refusedTokenCode, delivery: 'refused' })
    }
    throw error
  }
}

/** Returns the connected account of the location. Throws a fault with the code `no_connection` if there is none. */
export async function connectionOf(
  ctx: Pick<OwnerContext, 'outbound'>,
  location: Pick<ReviewedLocation, 'workspace_id' | 'google_account_id'>,
): Promise<string> {
  const { workspace_id, google_account_id } = location
  const known = await ctx.outbound.connections.list({ workspace_id, provider: 'google' })
  const bare = (id: string) => id.replace(/^accounts\//, '')
  const own = known.find(({ account_id }) => bare(account_id) === bare(google_account_id ?? ''))
  if (own) return own.id
  throw new ServiceFault('auth', 'No connected Google account manages this location', {
    code: noConnectionCode,
  })
}
