import type { AnyEntity } from '../../../core/contracts/entity'
import type { ColumnsStore } from '../../../core/stores/columns/port'
import type { Document } from '../../../core/stores/documents/port'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Workspace } from '../../../core/tenancy/Workspace'
import { Mention } from '../../../plugins/leads/records/Mention'
import { Review } from '../../../plugins/reviews/records/Review'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { VisibilityPrompt } from '../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../plugins/visibility/records/VisibilityTracker'
import type { Gate } from '../../support/harness'
import { dailyColumns, dailyRow } from '../reads/daily-row'

const dayMs = 86_400_000
const zones = ['UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Tokyo']
const sentiments = ['positive', 'positive', 'mixed', 'negative', 'neutral']
const engines = ['chatgpt', 'claude', 'gemini', 'perplexity']

/** What a whole client has. */
const whole = { locations: 3, reviews: 1_500, reviewDays: 1_095, mentions: 300, answers: 1_000, days: 365 }

interface Seed {
  readonly gate: Gate
  readonly columns: ColumnsStore
  /** What a client has is divided by it. */
  readonly part: number
}

/** The name of a client in the bench. */
export const clientName = (n: number): string => `Client ${String(n).padStart(5, '0')}`

const idOf = (prefix: string, ...parts: number[]) =>
  `${prefix}_${parts
    .map((one) => String(one).padStart(8, '0'))
    .join('')
    .padStart(26, '0')}`

/** Writes clients straight into the stores, in bulk. */
export function createClients({ gate, columns, part }: Seed) {
  const now = gate.clock.now().getTime()
  const at = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString()
  const some = (count: number) => Math.max(1, Math.round(count / part))
  const workspaceOf = (n: number) => idOf('wsp', n)
  const insert = async (entity: AnyEntity, rows: readonly Readonly<Record<string, unknown>>[]) => {
    const dated = rows.map((row) => ({ created_date: at(1), updated_date: at(1), ...row }))
    await gate.documents.collection(entity).insertMany(dated as readonly unknown[] as readonly Document[])
  }
  const times = <T>(count: number, make: (place: number) => T): T[] =>
    Array.from({ length: count }, (_, place) => make(place))

  const addOne = async (n: number) => {
    const workspace_id = workspaceOf(n)
    const base = { workspace_id }
    const locationOf = (place: number) => idOf('loc', n, place % whole.locations)
    await insert(Workspace, [
      {
        ...base,
        id: workspace_id,
        name: clientName(n),
        agency_id: gate.tenant.agencyId,
        is_home: false,
        timezone: zones[n % zones.length] ?? 'UTC',
        locale: 'en',
        plan: 'bench',
        locations_count: whole.locations,
        active_locations_count: whole.locations,
        is_active: true,
      },
    ])
    await insert(
      BusinessLocation,
      times(whole.locations, (place) => ({
        ...base,
        id: locationOf(place),
        business_name: `Business ${n} ${place}`,
        is_active: true,
        is_prospect: false,
        auto_response_enabled: false,
        last_full_review_sync_at: at(1),
      })),
    )
    const reviews = some(whole.reviews)
    await insert(
      Review,
      times(reviews, (place) => {
        const written = at(((place + 0.5) * whole.reviewDays) / reviews)
        const isWaiting = place % 20 === 0
        return {
          ...base,
          id: idOf('rev', n, place),
          created_date: written,
          location_id: locationOf(place),
          source: 'google',
          source_id: `${n} ${place}`,
          star_rating: 1 + ((place * 7 + n) % 5),
          sentiment: sentiments[place % 5],
          key_topics: ['coffee', 'staff'],
          needs_response: isWaiting,
          priority: 'low',
          is_read: true,
          review_created_at: written,
          reviewer_name: `Customer ${place}`,
          review_text: 'We came twice and would come again. '.repeat(4),
          ...(isWaiting ? {} : { reply_text: 'Thank you.', reply_created_at: written }),
        }
      }),
    )
    const mentions = some(whole.mentions)
    await insert(
      Mention,
      times(mentions, (place) => ({
        ...base,
        id: idOf('men', n, place),
        location_id: locationOf(place),
        tracker_id: idOf('trk', n),
        source: 'reddit',
        source_id: `post ${n} ${place}`,
        url: `https://forum.example/p/${n}-${place}`,
        title: 'Who can fix a roof this week?',
        body: 'The roof leaks.',
        excerpt: 'The roof leaks.',
        language: 'en',
        author: { handle: `user_${place}` },
        posted_at: at((place * 365) / mentions),
        discovered_at: at((place * 365) / mentions),
        matched_keywords: ['roof'],
        sentiment: sentiments[place % 5],
        relevance: 'relevant',
        is_lead: false,
        status: 'new',
        is_read: true,
        is_archived: false,
        tags: [],
      })),
    )
    await addAnswers(n)
    if (n % 2 === 0) await addSite(n)
  }

  const addAnswers = async (n: number) => {
    const base = { workspace_id: workspaceOf(n), location_id: idOf('loc', n, 0), tracker_id: idOf('vtr', n) }
    const prompts = 10
    await insert(VisibilityTracker, [
      {
        ...base,
        id: base.tracker_id,
        name: 'Acme',
        brand_name: 'Acme',
        brand_aliases: [],
        competitors: [],
        engines,
        is_active: true,
        provider: 'recorded',
        run_frequency_hours: 24,
      },
    ])
    const promptOf = (place: number) => idOf('vpr', n, place % prompts)
    await insert(
      VisibilityPrompt,
      times(prompts, (place) => ({
        ...base,
        id: promptOf(place),
        text: `Who is good at ${place}?`,
        language: 'en',
        country: 'GB',
        tags: [],
        intent: 'local',
        status: 'active',
        source: 'user',
      })),
    )
    const answers = some(whole.answers)
    await insert(
      VisibilityRun,
      times(answers, (place) => ({
        ...base,
        id: idOf('vrn', n, place),
        prompt_id: promptOf(place),
        engine: engines[Math.floor(place / prompts) % engines.length],
        provider: 'direct',
        access: 'api',
        country: 'GB',
        started_at: at((place * 180) / answers),
        local_day: at((place * 180) / answers).slice(0, 10),
        status: 'ok',
        answer_text: 'Acme',
        search_queries: [],
        brand_mentioned: place % 3 === 0,
        brand_cited: false,
        batch_id: 'job_1',
        competitor_mentions: [],
        citations: [],
        definition_version: 'visibility@2',
      })),
    )
  }

  const addSite = async (n: number) => {
    const site_id = idOf('sit', n)
    const workspace_id = workspaceOf(n)
    await insert(AiTrafficSite, [
      {
        id: site_id,
        workspace_id,
        location_id: idOf('loc', n, 0),
        domain: `${n}.example`,
        timezone: 'UTC',
        site_key: site_id,
        is_active: true,
        count_search_engines: false,
        respect_dnt: true,
        forwarder_token_last4: 'abcd',
        forwarder_token_hash: site_id,
        last_log_at: at(0),
      },
    ])
    const rows = times(some(whole.days), (day) => {
      const date = at(day).slice(0, 10)
      return { ...dailyRow({ number: n, day, site_id, workspace_id }), id: `${site_id}:${date}`, date }
    })
    await columns.insert(
      dailyTable.name,
      dailyColumns,
      rows.map((row) => dailyColumns.map((column) => row[column])),
    )
  }
  return {
    workspaceOf,
    async add(from: number, to: number) {
      for (let n = from; n < to; n++) await addOne(n)
    },
  }
}
