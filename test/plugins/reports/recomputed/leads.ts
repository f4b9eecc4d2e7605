import { type Days, dayOf, groups, isIn, type Row, share } from './plain'

interface Asked {
  readonly mentions: readonly Row[]
  readonly leads: readonly Row[]
  readonly trackers: readonly Row[]
  readonly location: Row
  readonly now: Days
  readonly before: Days
  readonly timezone: string
}

const channels: Record<string, string> = {
  reddit: 'Reddit',
  hackernews: 'Hacker News',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  youtube: 'YouTube',
  stackexchange: 'Stack Exchange',
  github: 'GitHub',
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  x: 'X',
}

/** Words that a report takes over from rows are not figures. This one gives the names of channels as people write them. */
const channelOf = (source: string) =>
  channels[source] ?? `${source.slice(0, 1).toUpperCase()}${source.slice(1)}`

export function mentionsOf(asked: Asked): Row | undefined {
  const { location, timezone } = asked
  const own = asked.mentions.filter((row) => row.location_id === location.id)
  const trackers = asked.trackers.filter((row) => row.location_id === location.id)
  if (trackers.length === 0 && own.length === 0) return undefined
  const counted = own.filter(
    (row) =>
      row.relevance !== 'irrelevant' &&
      row.is_archived === false &&
      row.duplicate_of == null &&
      row.removed_at_source_at == null,
  )
  const relevant = counted.filter((row) => row.relevance === 'relevant')
  const posted = (rows: readonly Row[], days: Days) =>
    rows.filter((row) => isIn(row.posted_at, days, timezone))
  const leadsIn = (days: Days) =>
    asked.leads.filter(
      (row) =>
        row.location_id === location.id && row.is_archived !== true && isIn(row.created_date, days, timezone),
    )
  const side = (days: Days): Row => {
    const rows = posted(relevant, days)
    const judged = rows.filter((row) => row.sentiment != null)
    return {
      mentions: rows.length,
      negative: share(judged.filter((row) => row.sentiment === 'negative').length, judged.length),
      leads: leadsIn(days).length,
      replies: counted.filter((row) => isIn(row.replied_at, days, timezone)).length,
    }
  }
  const now = posted(relevant, asked.now)
  const added = trackers.map((row) => dayOf(row.created_date, timezone)).sort()
  const last = added[added.length - 1]
  return {
    now: side(asked.now),
    previous: side(asked.before),
    not_comparable_because: last !== undefined && last > asked.before.from ? last : null,
    unjudged: posted(counted, asked.now).filter((row) => row.relevance == null).length,
    undated: relevant.filter((row) => row.posted_at == null && isIn(row.discovered_at, asked.now, timezone))
      .length,
    by_source: [...groups(now, (row) => channelOf(row.source))]
      .map(([source, rows]) => ({
        source,
        mentions: rows.length,
        negative: rows.filter((row) => row.sentiment === 'negative').length,
      }))
      .sort((a, b) => b.mentions - a.mentions || (a.source < b.source ? -1 : 1)),
    by_sentiment: ['positive', 'neutral', 'mixed', 'negative', null].map((sentiment) => ({
      sentiment,
      mentions: now.filter((row) => (row.sentiment ?? null) === sentiment).length,
    })),
    stages: ['new', 'contacted', 'qualified', 'won', 'lost'].map((stage) => ({
      stage,
      leads: leadsIn(asked.now).filter((row) => row.stage === stage).length,
    })),
    waiting: now.filter((row) => row.status === 'new' && row.sentiment === 'negative').length,
  }
}
