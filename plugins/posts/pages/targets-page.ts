import { type AnyAct, where } from 'renown'
import { actForm, actsOnPage, definePage, type PageContext } from 'renown/pages'
import * as v from 'valibot'
import { channelActs, requireApproval } from '../acts/channel-acts'
import { type ChannelForm, postTarget } from '../contract'
import { feedAddress } from '../feed/feed-posts'
import { PostChannel } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { needsApproval } from '../records/PostRules'
import { locationChoices } from './location-choices'
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
const onPage = actsOnPage({ ...channelActs, rules: requireApproval })

/** Returns a form of a target. The page then shows the location of the form. */
const staying = (act: AnyAct) =>
  actForm(act, '', {
    fields: { location: v.string() },
    to: ({ location }, done) => `${path}?${new URLSearchParams({ location, done })}`,
  })

const actions = {
  connect: staying(channelActs.connect),
  disconnect: staying(channelActs.disconnect),
  renew: staying(channelActs.renew),
  confirm: staying(channelActs.confirm),
  rules: onPage.actions.rules,
}

/** The page on which owners connect a location with the targets of its posts. */
export const targetsPage = definePage<TargetsData>({
  path,
  title: 'Post targets',
  module: new URL('./TargetsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadTargets,
  actions,
  notices: onPage.notices,
  style: postsStyle,
})

async function loadTargets(ctx: PageContext, query: URLSearchParams): Promise<TargetsData> {
  const [locations, needed] = await Promise.all([
    locationChoices(ctx),
    needsApproval(ctx.system, ctx.workspace.id),
  ])
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
