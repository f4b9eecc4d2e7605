import { googleFault, type OwnerContext, ServiceFault, type ServiceRequest } from 'renown'
import type { ReviewedLocation } from './source'

interface Asked extends Pick<ServiceRequest, 'method' | 'json' | 'signal'> {
  /** Below the address of the reviews' API. */
  readonly path: string
}

const refusedToken = 'Google refuses a token that it just gave'
/** Told by a fault of this code when the last try is over, the connection is broken. */
export const refusedTokenCode = 'refused_token'

/** Asks Google's reviews API as the location's account; a token that is refused is renewed once. */
export async function askGoogle(
  ctx: OwnerContext,
  location: ReviewedLocation,
  asked: Asked,
): Promise<unknown> {
  const connection = await connectionOf(ctx, location)
  const first = await askWith(ctx, await ctx.outbound.connections.token(connection), asked)
  if (first.status !== 401) return judgedGoogle(first)
  const renewed = await ctx.outbound.connections.token(connection, { renew: true })
  const second = await askWith(ctx, renewed, asked)
  // A fresh token that is refused once may be a hiccup; the queue says when it is the end of the connection.
  if (second.status === 401) throw new ServiceFault('transient', refusedToken, { code: refusedTokenCode })
  return judgedGoogle(second)
}

async function askWith(ctx: OwnerContext, token: string, { path, ...asked }: Asked) {
  return ctx.outbound.ask({
    ...asked,
    url: `${ctx.settings.GOOGLE_REVIEWS_URL}/${path}`,
    headers: { authorization: `Bearer ${token}` },
    secrets: [token],
  })
}

/** The answer of an API of Google's, or the fault that it means. `keyName` is the setting that holds what it was asked with. */
export function judgedGoogle(answer: Awaited<ReturnType<typeof askWith>>, keyName?: string): unknown {
  const fault = googleFault(answer, keyName)
  if (fault === null) return answer.json
  throw fault
}

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
