import { type Row, where } from 'renown'
import { definePage, type PageContext } from 'renown/pages'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import { leadsSource } from '../sources/source'
import { type SourceState, sourceStates } from './look-state'
import { mentionsStyle } from './mentions-style'

/** A tracker in the list. */
export interface ListedTracker {
  readonly id: string
  readonly name: string
  readonly location: string
  readonly keywords: string
  readonly state: 'active' | 'paused' | 'archived'
  readonly mentions: number
  readonly last_run_at: string | null
}

/** A source in the list. */
export interface ListedSource {
  readonly name: string
  readonly label: string
  readonly state: SourceState['state']
  /** The missing settings, or why a reading failed. */
  readonly why: string | null
  readonly attribution: string | null
  readonly may_reply: boolean
  readonly terms_url: string
}

/** The data of the page. */
export interface TrackersData {
  readonly trackers: readonly ListedTracker[]
  readonly sources: readonly ListedSource[]
  readonly has_location: boolean
  readonly may_change: boolean
}

const trackersMax = 500

async function load(ctx: PageContext): Promise<TrackersData> {
  const [trackers, locations] = await Promise.all([
    ctx.rows(BrandTracker).list({
      sort: [{ field: 'created_date', direction: 'asc' }],
      limit: trackersMax,
    }),
    ctx.rows(BusinessLocation).list({
      where: where.eq('is_prospect', false),
      limit: trackersMax,
      fields: ['business_name'],
    }),
  ])
  const states = await sourceStates(ctx, trackers)
  const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
  return {
    trackers: trackers.map((tracker) => listed(tracker, names.get(tracker.location_id) ?? '')),
    sources: ctx.system.extensions(leadsSource).map((source) => ({
      name: source.name,
      label: source.label,
      ...(states.get(source.name) ?? { state: 'unused', why: null }),
      attribution: source.policy.attribution,
      may_reply: source.policy.may_reply !== 'never',
      terms_url: source.policy.terms_url,
    })),
    has_location: locations.length > 0,
    may_change: ctx.person.role === 'owner' && !ctx.isDemo,
  }
}

const listed = (tracker: Row<typeof BrandTracker>, location: string): ListedTracker => ({
  id: tracker.id,
  name: tracker.name,
  location,
  keywords: tracker.keywords.join(' · ').slice(0, 300),
  state: tracker.is_active ? 'active' : tracker.archived_at === undefined ? 'paused' : 'archived',
  mentions: tracker.mentions_total,
  last_run_at: tracker.last_run_at ?? null,
})

/** The trackers of a workspace, and the sources that they can search. */
export const trackersPage = definePage<TrackersData>({
  path: '/app/mentions/trackers',
  title: 'Trackers of mentions',
  module: new URL('./TrackersPage.tsx', import.meta.url),
  isStatic: true,
  load,
  style: mentionsStyle,
})
