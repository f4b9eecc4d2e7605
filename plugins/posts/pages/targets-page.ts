import { field, requireRow, where } from 'renown'
import { type ActionContext, defineAction, definePage, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import { confirmTarget, connectChannel, disconnectChannel, renewChannel } from '../acts/channels'
import { setNeedsApproval } from '../acts/rules'
import { type ChannelForm, postTarget } from '../contract'
import { feedAddress } from '../feed/feed-posts'
import { postPlatforms } from '../records/content'
import { PostChannel } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { needsApproval } from '../records/PostRules'
import { choices } from './load-calendar'
import { postsStyle } from './posts-style'

/** A target of a location, and how it is connected. */
export interface ShownTarget {
  readonly platform: string
  readonly label: string
  /** The labels of what people enter. Null if the target uses an account under Connections. */
  readonly form: Readonly<Partial<Record<'address' | 'account' | 'secret', string>>> | null
  readonly is_connected: boolean
  readonly address: string | null
  readonly account: string | null
  /** The public addresses of the feed. */
  readonly feeds: { readonly rss: string; readonly json: string } | null
  /** Why posts of the location cannot be published there. */
  readonly why: string | null
  /** What Renown cannot explain. Nothing is published there until a person confirms it. */
  readonly doubt: { readonly since: string; readonly why: string } | null
}

export interface TargetsData {
  readonly locations: readonly (readonly [id: string, name: string])[]
  /** The chosen location. Null without locations. */
  readonly location: { readonly id: string; readonly name: string } | null
  readonly targets: readonly ShownTarget[]
  /** The target whose form is open. */
  readonly connect: string
  readonly needs_approval: boolean
  readonly may_change: boolean
}

const path = '/app/posts/targets'
const given = {
  location: v.string(),
  platform: field.oneOf(postPlatforms, 'The target'),
}
const line = v.pipe(v.optional(v.string(), ''), v.trim(), v.maxLength(10_000, 'at most 10,000 characters'))
const own = { only: 'owner', refusesDemo: true } as const

const chosen = async (
  ctx: ActionContext,
  { location, platform }: { location: string; platform: (typeof postPlatforms)[number] },
) => ({
  location_id: (await requireRow(ctx.rows(PostedLocation), 'location', location)).id,
  platform,
})

const backTo = (location: string, done: string) => ({
  to: `${path}?${new URLSearchParams({ location, done })}`,
})

const connect = defineAction({
  ...own,
  auth: 'recent',
  input: v.strictObject({ ...given, address: line, account: line, secret: line }),
  async run(ctx, { address, account, secret, ...rest }) {
    const entered = {
      address: address || undefined,
      account: account || undefined,
      secret: secret || undefined,
    }
    await connectChannel(ctx.owner, { ...(await chosen(ctx, rest)), ...entered })
    return backTo(rest.location, 'connected')
  },
})

const disconnect = defineAction({
  ...own,
  auth: 'session',
  input: v.strictObject(given),
  async run(ctx, rest) {
    await disconnectChannel(ctx.owner, await chosen(ctx, rest))
    return backTo(rest.location, 'disconnected')
  },
})

const renew = defineAction({
  ...own,
  auth: 'session',
  input: v.strictObject(given),
  async run(ctx, rest) {
    await renewChannel(ctx.owner, await chosen(ctx, rest))
    return backTo(rest.location, 'renewed')
  },
})

const confirm = defineAction({
  ...own,
  auth: 'session',
  input: v.strictObject(given),
  async run(ctx, rest) {
    await confirmTarget(ctx.owner, await chosen(ctx, rest))
    return backTo(rest.location, 'confirmed')
  },
})

const rules = defineAction({
  ...own,
  auth: 'session',
  done: 'The rule is saved.',
  input: v.strictObject({ needed: field.oneOf(['on', 'off'], 'Whether posts need an approval') }),
  run: (ctx, { needed }) =>
    setNeedsApproval(ctx.owner, { workspace_id: ctx.workspace.id, needs_approval: needed === 'on' }),
})

/** The page on which owners connect a location with the targets of its posts. */
export const targetsPage = definePage<TargetsData>({
  path,
  title: 'Post targets',
  module: new URL('./TargetsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadTargets,
  actions: { connect, disconnect, renew, confirm, rules },
  notices: {
    connected: 'The target is connected.',
    disconnected: 'The target is disconnected.',
    confirmed: 'The target is confirmed. Renown publishes there again.',
    renewed: 'The feed has a new address. The old one no longer works.',
  },
  style: postsStyle,
})

async function loadTargets(ctx: PageContext, query: URLSearchParams): Promise<TargetsData> {
  const [locations, needed] = await Promise.all([choices(ctx), needsApproval(ctx.system, ctx.workspace.id)])
  const asked = (query.get('location') ?? '').slice(0, 100)
  const [id = ''] = locations.find(([one]) => one === asked) ?? locations[0] ?? []
  const location = id === '' ? null : await ctx.rows(PostedLocation).get(id)
  const common = {
    locations,
    needs_approval: needed,
    connect: (query.get('connect') ?? '').slice(0, 40),
    may_change: ctx.person.role === 'owner' && !ctx.isDemo && location?.is_demo !== true,
  }
  if (!location) return { ...common, location: null, targets: [] }
  const rows = await ctx.rows(PostChannel).list({ where: where.eq('location_id', id), limit: 100 })
  const targets = ctx.extensions(postTarget).toSorted((a, b) => a.order - b.order)
  const shown = targets.map(async ({ platform, label, channel: form, refusal }): Promise<ShownTarget> => {
    const row = rows.find((one) => one.platform === platform)
    const url =
      row?.public_id === undefined
        ? null
        : await feedAddress({ apiUrl: ctx.apiUrl, rows: ctx.system.rows }, ctx.workspace.id, row.public_id)
    const why = refusal?.(location) ?? null
    return {
      platform,
      label,
      form: form && labelsOf(form),
      why,
      is_connected: form === null ? why === null : row !== undefined,
      address: row?.address ?? null,
      account: row?.account ?? null,
      doubt: row?.in_doubt ?? null,
      feeds: url === null ? null : { rss: `${url}/rss.xml`, json: `${url}/feed.json` },
    }
  })
  return { ...common, location: { id, name: location.business_name }, targets: await Promise.all(shown) }
}

const labelsOf = ({ address, account, secret }: ChannelForm) => ({
  ...(address ? { address: address.label } : {}),
  ...(account ? { account: account.label } : {}),
  ...(secret ? { secret: secret.label } : {}),
})
