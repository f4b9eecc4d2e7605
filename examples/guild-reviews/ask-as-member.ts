import { isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import { idKeyIn } from 'renown/records'
import type { ReviewedLocation } from 'renown/reviews'
import type * as v from 'valibot'
import { askGuild, type GuildRequest } from './ask-guild'
import { guildShopId } from './shop-id'

/** A request about a shop. Its path begins below the address of the shop. */
type ShopRequest<S extends v.GenericSchema> = Omit<GuildRequest<S>, 'token'>

/** Asks the Guild about the shop of a location, as the connected member who has the shop. */
export async function askAsMember<S extends v.GenericSchema>(
  ctx: OwnerContext,
  location: ReviewedLocation,
  { path, ...asked }: ShopRequest<S>,
): Promise<v.InferOutput<S>> {
  const [member = '', shop = ''] = (idKeyIn(guildShopId, location) ?? '').split('/')
  const { connections } = ctx.outbound
  const accounts = await connections.list({ workspace_id: location.workspace_id, provider: 'guild' })
  const account = accounts.find(({ account_id }) => account_id === member)
  if (!account) throw new ServiceFault('auth', `Connect ${member} of the Guild.`, { code: 'no_connection' })
  const request = { ...asked, path: `shops/${encodeURIComponent(shop)}/${path}` }
  const askOnce = async (renew: boolean) =>
    askGuild(ctx, { ...request, token: await connections.token(account.id, { renew }) })
  try {
    return await askOnce(false)
  } catch (error) {
    // A token can end before its time. A new one tells whether the connection has ended.
    if (isServiceFault(error) && error.code === 'invalid_token') return askOnce(true)
    throw error
  }
}
