import { nullIfConflict, type OwnerContext, Refusal, refusedField, where } from 'renown'
import { channelOf, sealedAt } from '../content/post-channel'
import { targetOf } from '../publishing/destination'
import { endDoubt } from '../publishing/doubt'
import type { PostPlatform } from '../records/content'
import { type ChannelRow, PostChannel } from '../records/PostChannel'
import { ownLocation } from './edit'

/** What a person enters to connect a location with a target. */
export interface NewChannel {
  readonly location_id: string
  readonly platform: PostPlatform
  readonly address?: string | undefined
  readonly account?: string | undefined
  readonly secret?: string | undefined
}

/** Connects a location with a target. Connecting it again replaces the credential. Checks it with the target first. */
export async function connectChannel(ctx: OwnerContext, given: NewChannel): Promise<ChannelRow> {
  const location = await ownLocation(ctx, given.location_id)
  const { target, form, entered } = checked(ctx, given)
  const known = await channelOf(ctx, location, given.platform)
  const id = known?.id ?? ctx.newId(PostChannel)
  const public_id = form.hasPublicId ? (known?.public_id ?? (await publicId(ctx))) : ''
  // Refuses a credential that does not work before it is stored.
  await target.open(ctx, { location, channel: { ...entered, public_id } })
  const row = stored(ctx, { id, workspace_id: location.workspace_id }, { ...entered, public_id })
  const connected = known
    ? await ctx.rows(PostChannel).update(id, row)
    : await ctx
        .rows(PostChannel)
        .insert({
          ...withoutUndefined(row),
          id,
          workspace_id: location.workspace_id,
          location_id: location.id,
          platform: given.platform,
        })
        .catch(nullIfConflict)
  if (!connected) throw new Refusal('conflict', 'Somebody else is connecting this location at the same time.')
  return connected
}

function checked(ctx: OwnerContext, { platform, address, account, secret }: NewChannel) {
  const target = targetOf(ctx, platform)
  if (!target) throw new Refusal('not_found', `No loaded plugin publishes to ${platform}.`)
  const form = target.channel
  if (form === null) {
    throw new Refusal(
      'conflict',
      `${target.label} needs no channel. Connect the account under Settings, Connections.`,
    )
  }
  const entered = {
    address: address ?? form.address?.default ?? '',
    account: account ?? '',
    secret: secret ?? '',
  }
  for (const name of ['address', 'account', 'secret'] as const) {
    const isWanted = form[name] !== undefined
    if (isWanted === (entered[name] !== '')) continue
    const message = isWanted
      ? `${target.label} needs ${name}: ${form[name]?.label}.`
      : `${target.label} takes no ${name}.`
    throw refusedField(name, message)
  }
  const why = form.refusal?.(entered) ?? null
  if (why !== null) throw new Refusal('invalid_field', why)
  return { target, form, entered }
}

const publicId = async (ctx: OwnerContext) => (await ctx.newToken('')).token.slice(0, 32)

function stored(
  ctx: OwnerContext,
  row: Pick<ChannelRow, 'id' | 'workspace_id'>,
  { address, account, secret, public_id }: Record<'address' | 'account' | 'secret' | 'public_id', string>,
) {
  const sealed = secret === '' ? undefined : ctx.outbound.secrets.seal(secret, sealedAt(row))
  return {
    address: address || undefined,
    account: account || undefined,
    secret: sealed,
    public_id: public_id || undefined,
    // A person looked at the account when connecting it.
    in_doubt: undefined,
    doubt_about_id: undefined,
  }
}

const withoutUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** Gives a target with a public address a new one. The old address no longer works. */
export async function renewChannel(
  ctx: OwnerContext,
  { location_id, platform }: Pick<NewChannel, 'location_id' | 'platform'>,
): Promise<ChannelRow> {
  const location = await ownLocation(ctx, location_id)
  const target = targetOf(ctx, platform)
  const channel = await channelOf(ctx, location, platform)
  if (!channel) throw new Refusal('not_found', `This location is not connected to ${platform}.`)
  if (!target?.channel?.hasPublicId)
    throw new Refusal('conflict', `${target?.label ?? platform} has no public address at this installation.`)
  const renewed = await ctx.rows(PostChannel).update(channel.id, { public_id: await publicId(ctx) })
  if (!renewed) throw new Refusal('not_found', `This location is not connected to ${platform}.`)
  return renewed
}

/** Ends the doubt about a target, because a person looked at the account. What waits is published. */
export async function confirmTarget(
  ctx: OwnerContext,
  { location_id, platform }: Pick<NewChannel, 'location_id' | 'platform'>,
): Promise<void> {
  const location = await ownLocation(ctx, location_id)
  const channel = await channelOf(ctx, location, platform)
  if (channel?.in_doubt === undefined) throw new Refusal('conflict', `${platform} is not in doubt.`)
  await endDoubt(ctx, channel)
}

/** Removes a channel and its credential. Scheduled posts of the platform then fail. */
export async function disconnectChannel(
  ctx: OwnerContext,
  { location_id, platform }: Pick<NewChannel, 'location_id' | 'platform'>,
): Promise<void> {
  const location = await ownLocation(ctx, location_id)
  const channel = await channelOf(ctx, location, platform)
  if (!channel) throw new Refusal('not_found', `This location is not connected to ${platform}.`)
  await ctx.rows(PostChannel).removeWhere(where.eq('id', channel.id))
}
