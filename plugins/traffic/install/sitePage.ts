import { where } from 'renown'
import { actForm, actsOnPage, definePage, shownDomain } from 'renown/pages'
import type { SiteSignals } from 'renown/traffic'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { removeSite } from '../sites/removeSite'
import { renameSite } from '../sites/renameSite'
import { stopSite } from '../sites/site-acts'
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

const { actions, notices } = actsOnPage({ rename: renameSite, stop: stopSite })

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
  actions: {
    ...actions,
    remove: actForm(removeSite, 'removed', { to: (_, word) => `/app/sites?done=${word}` }),
  },
  notices,
})

const hasAny = ({ lines: { accepted, ignored, rejected, duplicate }, refused_bodies = [] }: SiteSignals) =>
  accepted + ignored + rejected + duplicate + refused_bodies.length > 0

const linesOf = (signals: SiteSignals) => ({
  counts: lineCounts(signals.lines),
  faults: [...lineFaults(signals.lines), ...bodyFaults(signals)],
})
