import {
  type DemoBusiness,
  type DemoDeclaration,
  type DemoRandom,
  type DemoRow,
  type DemoWorld,
  dayMs,
  demoLoggedDays,
  demoRows,
  demoRowsOf,
  hourMs,
} from 'renown'
import { preparedMove } from '../dispatch/proposedMove'
import { BrandTracker } from '../records/BrandTracker'
import { leadCreated, leadEvent } from '../records/events'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { leadOf } from './demo-leads'
import { people, voices } from './demo-texts'

type Found = DemoRow<typeof Mention>
type Tracker = DemoRow<typeof BrandTracker>

const days = 730
const perBusiness = 84
const hosts: Readonly<Record<Found['source'], string>> = {
  reddit: 'reddit',
  youtube: 'videos',
  x: 'x',
  facebook: 'facebook',
  instagram: 'instagram',
  tiktok: 'clips',
  hackernews: 'hackernews',
  bluesky: 'bluesky',
  mastodon: 'mastodon',
  forum: 'forum',
  news: 'news',
  blog: 'blog',
  web: 'web',
  podcast: 'podcast',
}
const sources = Object.keys(hosts) as Found['source'][]

/** Two trackers for each business, two years of mentions from every source, and leads in every stage. */
export const leadsDemo: DemoDeclaration = {
  rows(world) {
    const mentions = world.businesses.flatMap((business) => mentionsOf(world, business))
    return [
      demoRows(
        BrandTracker,
        world.businesses.flatMap((business) => trackersOf(world, business)),
      ),
      demoRows(Mention, mentions),
      demoRows(
        Lead,
        mentions.flatMap((mention, place) => (mention.is_lead ? [leadOf(world, mention, place)] : [])),
      ),
    ]
  },
  events: (world, rows) =>
    demoRowsOf(rows, Lead)
      .filter(({ created_date }) => created_date >= world.at(demoLoggedDays, 0))
      .map((lead) => ({ type: leadCreated, event: leadEvent(lead), at: lead.created_date })),
  proposals(world) {
    const [business] = world.businesses
    const mentions = business ? mentionsOf(world, business) : []
    const leads = mentions.flatMap((mention, place) =>
      mention.is_lead ? [leadOf(world, mention, place)] : [],
    )
    const [first, second] = leads.filter(({ stage, is_archived }) => stage === 'new' && !is_archived)
    const [moved, found] = leads.filter(({ stage }) => stage === 'qualified')
    const other = leads.find(({ stage }) => stage === 'contacted')
    const samples = [
      [first, 'open'] as const,
      [second, 'declined'] as const,
      [moved, 'done'] as const,
      [other, 'outdated'] as const,
      [found, 'unknown'] as const,
    ]
    const reason = 'The author asked for an appointment this week and named the service.'
    return samples.flatMap(([lead, state]) => {
      if (!lead) return []
      const { id: lead_id, workspace_id } = lead
      const prepared = preparedMove({ ...lead, stage: 'new' }, { lead_id, stage: 'qualified' })
      return [{ workspace_id, change: 'lead move', reason, state, prepared }]
    })
  },
}

const trackerId = (world: DemoWorld, { key }: DemoBusiness, what: string) =>
  world.id(BrandTracker, `${key} ${what}`)

function trackersOf(world: DemoWorld, business: DemoBusiness): Tracker[] {
  const random = world.random(`trackers ${business.key}`)
  const common = {
    workspace_id: business.workspace_id,
    location_id: business.id,
    required_keywords: [],
    excluded_keywords: ['job', 'hiring'],
    languages: [business.language],
    countries: [business.country],
    last_run_at: world.at(0, -1),
    next_run_at: world.at(-1, 5),
    created_date: world.at(740),
  }
  return [
    {
      ...common,
      id: trackerId(world, business, 'brand'),
      name: business.name,
      keywords: [business.name, business.domain],
      sources: [...sources],
      is_active: true,
      mentions_total: random.integer(60, 90),
    },
    {
      ...common,
      id: trackerId(world, business, 'need'),
      name: `${business.trade} · ${business.city}`,
      keywords: [business.trade, ...business.services.slice(0, 2)],
      required_keywords: [business.city],
      sources: ['reddit', 'facebook', 'forum'],
      lead_intent_prompt: 'Somebody asks where to go, or wants an offer.',
      is_active: business.key !== 'taller-rios',
      mentions_total: random.integer(20, 60),
    },
  ]
}

function mentionsOf(world: DemoWorld, business: DemoBusiness): Found[] {
  return Array.from({ length: perBusiness }, (_, place) => {
    const random = world.random(`mention ${business.key} ${place}`)
    const daysAgo = 1 + Math.floor((place * (days - 40)) / perBusiness)
    const voice = voices[business.language] ?? voices.en
    const isLead = place % 3 === 0
    const edgeCase = place % 17 === 5 ? world.edgeCases[place % world.edgeCases.length] : undefined
    const source = sources[place % sources.length] as Found['source']
    const said = random.pick(isLead ? (voice?.asks ?? []) : (voice?.tells ?? []))
    const body =
      edgeCase ??
      said
        .replace('{name}', business.name)
        .replace('{trade}', business.trade)
        .replace('{city}', business.city)
    const discovered = random.instant(daysAgo)
    const behind = place % 12 === 0 ? random.integer(31, 39) : random.next() * 2
    const posted_at = new Date(Math.round(Date.parse(discovered) - behind * dayMs)).toISOString()
    const id = world.id(Mention, `${business.key} ${place}`)
    return {
      id,
      workspace_id: business.workspace_id,
      location_id: business.id,
      tracker_id: trackerId(world, business, isLead ? 'need' : 'brand'),
      source,
      source_id: `demo-${business.key}-${place}`,
      url: `https://${hosts[source]}.example/p/${business.key}-${place}`,
      ...(place % 4 === 1 ? { title: `${business.trade} — ${business.city}` } : {}),
      body,
      excerpt: body.slice(0, 200).toWellFormed(),
      language: business.language,
      author: {
        handle: `user_${random.integer(100, 9999)}`,
        ...(random.chance(0.7)
          ? { name: random.pick(people[business.language] ?? people.en ?? []).join(' ') }
          : {}),
        ...(random.chance(0.4) ? { followers: random.integer(0, 90_000) } : {}),
      },
      posted_at,
      discovered_at: discovered,
      matched_keywords: [isLead ? business.trade : business.name],
      sentiment: random.pick(['positive', 'neutral', 'negative', 'mixed'] as const),
      sentiment_score: random.integer(-100, 100) / 100,
      ...relevanceOf(random, judgeOf(business, isLead, place)),
      is_lead: isLead,
      ...(isLead ? { lead_id: world.id(Lead, id) } : {}),
      ...statusOf(place, discovered, business),
      is_read: daysAgo > 4,
      is_archived: daysAgo > 400 && random.chance(0.3),
      ...whyOf(business, isLead, world.random(`why ${business.key} ${place}`)),
      tags: random.chance(0.2) ? ['follow up', random.pick(business.services)] : [],
      ...historyOf(world, business, place, discovered),
      created_date: discovered,
    }
  })
}

/** Japanese is not a language whose verdicts are measured. */
const judgeOf = ({ language }: DemoBusiness, isLead: boolean, place: number): Found['judged_by'] =>
  language === 'ja' && !isLead ? 'none' : place % 9 === 4 ? 'model' : 'rules'

/** Returns a relevance with a score that fits it, unless nothing judged it. */
function relevanceOf(random: DemoRandom, judged_by: Found['judged_by']): Partial<Found> {
  const relevance = random.weighted({ relevant: 7, maybe: 2, irrelevant: 1 })
  const [from, to] = ({ relevant: [60, 100], maybe: [35, 59], irrelevant: [5, 34] } as const)[relevance]
  const relevance_score = random.integer(from, to)
  return judged_by === 'none' ? { judged_by } : { judged_by, relevance, relevance_score }
}

/** Returns the reasons of a sample mention. */
function whyOf({ name, city }: DemoBusiness, isLead: boolean, random: DemoRandom): Partial<Found> {
  const intent_score = isLead ? random.integer(50, 95) : random.pick([0, 0, 5, 20])
  return {
    relevance_reason: isLead ? `Names ${city}.` : `Names “${name}”.`,
    intent_score,
    intent_method: 'intent.rules@1',
    ...(isLead ? { intent_reason: 'Asks where to go and wants it soon.' } : {}),
  }
}

/** Returns the status of a sample mention, with the fields that belong to it. */
function statusOf(place: number, discovered: string, { name }: DemoBusiness) {
  const at = (hours: number) => new Date(Date.parse(discovered) + hours * hourMs).toISOString()
  const draft = {
    suggested_reply: `Hello from ${name}! We would be glad to help.`,
    suggested_reply_tone: 'friendly',
    suggested_reply_at: at(1),
    ...(place % 20 === 0 ? {} : { suggested_reply_by: 'template:v1' }),
  }
  if (place % 5 === 0) return { status: 'new', ...(place % 10 === 0 && place > 0 ? draft : {}) } as const
  if (place % 5 === 1) return { status: 'saved' } as const
  if (place % 5 === 2) return { status: 'dismissed' } as const
  if (place % 5 === 3 && place > 5)
    return { status: 'replied', ...draft, reply_text: draft.suggested_reply, replied_at: at(5) } as const
  return { status: 'new' } as const
}

/** Returns the later state of a sample post: copies, edits, deletions and the terms of its source. */
function historyOf(
  world: DemoWorld,
  business: DemoBusiness,
  place: number,
  discovered: string,
): Partial<Found> {
  const at = (days: number) => new Date(Date.parse(discovered) + days * dayMs).toISOString()
  const rule = { 13: 'retention_days', 41: 'recheck_days', 70: 'delete_with_source' } as const
  const removal_rule = rule[place as keyof typeof rule]
  if (removal_rule !== undefined) {
    const why = { relevance_reason: undefined, intent_reason: undefined }
    const gone = {
      ...why,
      title: undefined,
      body: '',
      excerpt: '',
      author: { handle: '' },
      matched_keywords: [],
    }
    return { ...gone, found_by: 'feeds', removal_rule, removed_at_source_at: at(0.9) }
  }
  return {
    ...(place % 6 === 0 ? {} : { found_by: 'feeds', body_version: place % 11 === 4 ? 2 : 1 }),
    ...(place % 11 === 4 ? { edited_at: at(0.3) } : {}),
    ...(place % 23 === 7 ? { duplicate_of: world.id(Mention, `${business.key} ${place + 3}`) } : {}),
  }
}
