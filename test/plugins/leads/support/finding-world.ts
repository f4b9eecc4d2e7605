import { definePlugin } from 'renown'
import {
  type FoundPost,
  leadsSource,
  type MentionSource,
  type ReadingRequest,
  type Recheck,
  type SourcePolicy,
  type SourceReading,
} from 'renown/leads'
import type { Row } from '../../../../core/contracts/entity'
import { corePlugins } from '../../../../core/product/core-plugins'
import type { Documents } from '../../../../core/stores/documents/port'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import leads from '../../../../plugins/leads'
import { applyPolicies } from '../../../../plugins/leads/finding/applyPolicies'
import { readBack } from '../../../../plugins/leads/finding/readBack'
import { readSources } from '../../../../plugins/leads/finding/readSources'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { SourceTarget } from '../../../../plugins/leads/records/SourceTarget'
import { type Workbench, workbench } from '../../../support/workbench'

type Reader = (request: ReadingRequest) => Partial<SourceReading> | Promise<Partial<SourceReading>>

/** A source whose readings are the test's. */
export interface ScriptedSource {
  readonly name: string
  readonly asked: ReadingRequest[]
  read: Reader
  recheck: (ids: readonly string[]) => readonly Recheck[]
  needs: string[]
  /** The host whose posts it can look at, whoever found them. */
  knows: string | null
  /** Maximum readings an hour. */
  perHour: number
}

const open: SourcePolicy = {
  retention_days: null,
  recheck_days: null,
  delete_with_source: false,
  may_store_author: true,
  may_link_identity: true,
  may_extract_contact: true,
  may_reply: 'person',
  attribution: null,
  terms_url: 'https://terms.example/',
}

const scripted = (
  name: string,
  shape: Pick<MentionSource, 'reach' | 'channels'> & Partial<MentionSource>,
  policy: Partial<SourcePolicy> = {},
): { readonly script: ScriptedSource; readonly source: MentionSource } => {
  const script: ScriptedSource = {
    name,
    asked: [],
    read: () => ({}),
    recheck: () => [],
    needs: [],
    knows: null,
    perHour: 1_000_000,
  }
  const looks: Pick<MentionSource, 'recheck' | 'postId'> = {
    recheck: async (_, ids) => script.recheck(ids),
    postId: ({ hostname, pathname }) =>
      script.knows !== null && hostname === script.knows ? pathname.slice(1) : null,
  }
  return {
    script,
    source: {
      name,
      label: name,
      everyMs: 5 * 60_000,
      ...shape,
      policy: { ...open, ...policy },
      needs: () => script.needs,
      perHour: () => script.perHour,
      async read(_, request) {
        script.asked.push(request)
        return { posts: [], unread: [], cursor: null, isMore: false, ...(await script.read(request)) }
      },
      ...(shape.reach === 'search' ? looks : {}),
    },
  }
}

/** Trackers over a search with this policy, a feed and a stream whose readings are the test's, under its clock. */
export async function findingWorld(policy: Partial<SourcePolicy> = {}, documents?: Documents) {
  const search = scripted('searching', { reach: 'search', channels: ['forum', 'web'] }, policy)
  const feed = scripted('feeding', {
    reach: 'feed',
    channels: ['news', 'blog', 'bluesky', 'reddit'],
    isPreselected: true,
    takes: ({ hostname }) => hostname === 'feeds.example',
  })
  const stream = scripted('streaming', { reach: 'everything', channels: ['bluesky'] })
  const sources = definePlugin({
    name: 'sources',
    summary: 'Sources of the test',
    renown: '^1.0.0',
    needs: ['leads'],
    provides: [search, feed, stream].map(({ source }) => leadsSource.with(source)),
  })
  const bench: Workbench = await workbench(
    [...corePlugins, leads, sources],
    {},
    documents ? { documents } : {},
  )
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const location = async (more: Partial<Row<typeof BusinessLocation>> = {}) =>
    owner.rows(BusinessLocation).insert({
      workspace_id,
      business_name: 'Acme Plumbing',
      source: 'google',
      added_via: 'website',
      is_active: true,
      is_prospect: false,
      billing_exempt: false,
      auto_response_enabled: false,
      is_verified: false,
      ...more,
    })
  return {
    bench,
    owner,
    workspace_id,
    location,
    search: search.script,
    feed: feed.script,
    stream: stream.script,
    async tracker(keywords: string[], more: Partial<Row<typeof BrandTracker>> = {}) {
      const location_id = more.location_id ?? (await location()).id
      return owner.rows(BrandTracker).insert({
        workspace_id,
        location_id,
        name: 'Acme',
        keywords,
        required_keywords: [],
        excluded_keywords: [],
        sources: [],
        languages: [],
        countries: [],
        is_active: true,
        mentions_total: 0,
        ...more,
      })
    },
    /** Runs the reading job once, after `minutes`. */
    async read(minutes = 0) {
      bench.now = new Date(bench.now.getTime() + minutes * 60_000)
      await readSources.run(owner, new AbortController().signal)
    },
    async applyPolicies(days: number) {
      bench.now = new Date(bench.now.getTime() + days * 86_400_000)
      await applyPolicies.run(owner, new AbortController().signal)
    },
    async readBack(days: number) {
      bench.now = new Date(bench.now.getTime() + days * 86_400_000)
      await readBack.run(owner, new AbortController().signal)
    },
    mentions: () =>
      owner.rows(Mention).list({ sort: [{ field: 'source_id', direction: 'asc' }], limit: 1_000 }),
    targets: () => owner.rows(SourceTarget).list({ sort: [{ field: 'source', direction: 'asc' }] }),
    stop: () => bench.stop(),
  }
}
export type FindingWorld = Awaited<ReturnType<typeof findingWorld>>

/** A post of an invented forum. */
export const post = (source_id: string, body: string, more: Partial<FoundPost> = {}): FoundPost => ({
  source_id,
  channel: 'forum',
  url: `https://forum.example/${source_id}`,
  body,
  author: { handle: 'sam' },
  posted_at: '2026-03-15T09:00:00.000Z',
  language: 'en',
  ...more,
})
