import { isServiceFault, type OwnerContext } from 'renown'

/** Makes a call with the token of a connected account. If the service refuses the token, it is renewed and the call repeated once. */
export async function withToken<T>(
  ctx: Pick<OwnerContext, 'outbound'>,
  connection: string,
  call: (token: string) => Promise<T>,
): Promise<T> {
  const once = async (renew: boolean) => call(await ctx.outbound.connections.token(connection, { renew }))
  try {
    return await once(false)
  } catch (error) {
    const isRefused = isServiceFault(error) && error.kind === 'auth' && error.delivery === 'refused'
    if (!isRefused) throw error
    return once(true)
  }
}
