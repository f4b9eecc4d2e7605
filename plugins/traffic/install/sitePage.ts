import { Refusal, where } from 'renown'
import { type ActionContext, defineAction, definePage, shownDomain } from 'renown/pages'
import { normaliseDomain } from 'renown/sources'
import type { SiteSignals } from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { siteDomain } from '../sites/commands'
import { noteSite } from '../sites/note-site'
import { removeSite } from '../sites/removeSite'
import { renameSite } from '../sites/renameSite'
import { bodyFaults, lineCounts, lineFaults } from './line-words'

/** The counted period of a site. */
export interface SiteCounts {
  readonly days: number
  readonly hits: number
  readonly visits: number
  /** First and last day with counts. Null if there are none. */
  readonly first: string | null
  readonly last: string | null
}

export interface SiteData {
  readonly id: string
  /** The stored form, in ASCII. */
  readonly domain: string
  readonly name: string
  readonly timezone: string
  readonly is_active: boolean
  readonly counts: SiteCounts
  /** Outcomes of the lines of its log since the ingest started, and faults. Null if no lines came. */
  readonly lines: { readonly counts: string; readonly faults: readonly string[] } | null
  /** Whether the domain may change. It may until something is counted for the site. */
  readonly may_rename: boolean
  readonly may_change: boolean
}

/** The forms contain the site twice: `site` selects the workspace, and `id` is the input of the action. */
const id = v.pipe(v.string(), v.maxLength(100))

/** Renames a site for which nothing is counted yet, like the command. */
const rename = defineAction({
  input: v.strictObject({ id, domain: siteDomain }),
  auth: 'session',
  only: 'owner',
  refusesDemo: true,
  done: 'The site was renamed.',
  async run(ctx, input) {
    const { id } = await ownSite(ctx, input.id)
    await renameSite.run(ctx.owner, { site_id: id, domain: input.domain })
  },
})

/** Stops counting. Existing counts stay. */
const stop = defineAction({
  input: v.strictObject({ id }),
  auth: 'session',
  only: 'owner',
  refusesDemo: true,
  done: 'Counting stopped.',
  async run(ctx, input) {
    const own = await ownSite(ctx, input.id)
    await ctx.owner.rows(AiTrafficSite).update(own.id, { is_active: false })
    ctx.owner.changed('sites')
    await noteSite(ctx.owner, own, 'change')
  },
})

/** Deletes a switched-off site with all of its counts. The person types its domain to confirm. */
const remove = defineAction({
  input: v.strictObject({ id, confirm: v.pipe(v.string(), v.maxLength(300)) }),
  auth: 'recent',
  only: 'owner',
  refusesDemo: true,
  async run(ctx, input) {
    const own = await ownSite(ctx, input.id)
    if (normaliseDomain(input.confirm) !== own.domain) {
      const message = `Type ${shownDomain(own.domain)} to delete this site.`
      throw new Refusal('invalid_field', message, {
        errors: [{ pointer: '/confirm', code: 'invalid', message }],
      })
    }
    if (own.is_active) throw new Refusal('conflict', 'Stop counting this site before you delete it.')
    const { status } = await removeSite.run(ctx.owner, { site_id: own.id, delete_counts: true })
    if (status !== 'deleted')
      throw new Refusal('conflict', 'Counting stopped less than a minute ago. Try again in a minute.')
    return { to: '/app/sites?done=removed' }
  },
})

/** One site: its domain, and how to delete it. */
export const sitePage = definePage<typeof AiTrafficSite, SiteData>({
  path: '/app/sites/one',
  title: 'Site',
  module: new URL('./site.tsx', import.meta.url),
  isStatic: true,
  record: { entity: AiTrafficSite, param: 'site' },
  titleOf: ({ name }) => name,
  async load(ctx, _, { row, mayChange }) {
    const [sums] = await ctx.rows(AiTrafficDaily).group({
      where: where.eq('site_id', row.id),
      by: [],
      measures: [
        { as: 'days', fn: 'count' },
        { as: 'hits', fn: 'sum', field: 'crawler_hits' },
        { as: 'visits', fn: 'sum', field: 'referral_visits' },
        { as: 'first', fn: 'min', field: 'date' },
        { as: 'last', fn: 'max', field: 'date' },
      ],
    })
    const signals = await ctx.counter?.signals(row.id)
    const days = Number(sums?.days ?? 0)
    const dayOf = (value: unknown) => (days === 0 ? null : String(value).slice(0, 10))
    return {
      id: row.id,
      domain: row.domain,
      name: shownDomain(row.domain),
      timezone: row.timezone,
      is_active: row.is_active,
      counts: {
        days,
        hits: Number(sums?.hits ?? 0),
        visits: Number(sums?.visits ?? 0),
        first: dayOf(sums?.first),
        last: dayOf(sums?.last),
      },
      lines: signals && hasAny(signals) ? linesOf(signals) : null,
      may_rename: days === 0 && !row.last_beacon_at && !row.last_log_at,
      may_change: mayChange,
    }
  },
  actions: { rename, stop, remove },
})

const hasAny = ({ lines: { accepted, ignored, rejected, duplicate }, refused_bodies = [] }: SiteSignals) =>
  accepted + ignored + rejected + duplicate + refused_bodies.length > 0

const linesOf = (signals: SiteSignals) => ({
  counts: lineCounts(signals.lines),
  faults: [...lineFaults(signals.lines), ...bodyFaults(signals)],
})

async function ownSite(ctx: ActionContext, id: string) {
  const found = await ctx.rows(AiTrafficSite).get(id)
  if (found) return found
  throw new Refusal('not_found', 'This site is not in the workspace.')
}
