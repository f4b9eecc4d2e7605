import { type Block, type Definition, type Figure, type ReportSection, rateFigure } from 'renown/reports'
import { formatDay } from 'renown/web'
import { type PitchData, pitchData, readPitch } from './pitch-data'

const definitions: readonly Definition[] = [
  {
    id: 'prospects.score@1',
    name: 'Score',
    text: 'Weighted mean of the known parts of the audit, from 0 to 100: reviews 30, website 25, profile 20, AI answers 15, posts 10. Unknown parts are left out. Below a known weight of 40 there is no score.',
  },
  {
    id: 'prospects.rating@1',
    name: 'Rating',
    text: 'Average rating, as the platform shows it to everybody.',
  },
  {
    id: 'prospects.reviews@1',
    name: 'Reviews',
    text: 'Number of reviews, as the platform shows it to everybody.',
  },
  {
    id: 'prospects.agents@1',
    name: 'AI agents that may read the website',
    text: 'Documented AI agents that robots.txt allows to read the page. It tells what is allowed, not what was read.',
  },
  {
    id: 'prospects.answered_share@1',
    name: 'Reviews with a reply',
    text: 'Share of stored reviews with a reply, among reviews whose source returns replies, with a 95 % Wilson interval.',
  },
  {
    id: 'prospects.named_share@1',
    name: 'AI answers that name the business',
    text: 'Share of the AI answers of the 90 days before the audit that name the business, with a 95 % Wilson interval.',
  },
  {
    id: 'prospects.negative_mentions@1',
    name: 'Negative posts',
    text: 'Share of the posts of the 90 days before the audit with negative sentiment, among those with known sentiment, with a 95 % Wilson interval.',
  },
]

/** What an audit found about a prospect. It shows only what was measured, and lists what was not, with the reason. */
export const pitchSection: ReportSection<PitchData> = {
  name: 'pitch',
  title: 'What anybody can see',
  data: pitchData,
  definitions,
  collect: (ctx, { location }) => readPitch(ctx, location.id),
  headline: (data) => [
    score(data),
    ...figures(data)
      .filter(({ value }) => value !== null)
      .slice(0, 2),
  ],
  blocks: (data) => [
    { kind: 'note', text: `Measured on ${dayOf(data.completed_at)}.` },
    { kind: 'figures', figures: [score(data), ...figures(data)] },
    ...engines(data),
    ...agents(data),
    ...next(data),
    ...unknown(data),
    ...methods(data),
  ],
}

const dayOf = (at: string) => (at === '' ? 'an unknown day' : formatDay(at.slice(0, 10)))

const score = ({ score: value }: PitchData): Figure => ({
  id: 'pitch.score',
  label: 'Score',
  value,
  unit: 'score',
  definition: 'prospects.score@1',
  ...(value === null ? { unknown_because: 'too little is known for a score' } : {}),
})

/** The figures of all parts. One that was not measured is unknown, with the reason of the audit. */
function figures({ reviews, visibility, traffic, mentions }: PitchData): Figure[] {
  const agentsKnown = traffic?.ai_agents ?? null
  return [
    plain('rating', 'Rating', { value: reviews?.rating ?? null, unit: 'rating', part: reviews }),
    plain('reviews', 'Reviews', { value: reviews?.total ?? null, unit: 'count', part: reviews }),
    rated('answered_share', 'Reviews with a reply', reviews?.answered ?? null, reviews),
    rated('named_share', 'AI answers that name it', visibility?.named ?? null, visibility),
    {
      ...plain('agents', 'AI agents that may read the website', {
        value: agentsKnown?.filter(({ allowed }) => allowed).length ?? null,
        unit: 'count',
        part: traffic,
      }),
      ...(agentsKnown === null ? {} : { n: agentsKnown.length }),
    },
    rated('negative_mentions', 'Negative posts', mentions?.negative ?? null, mentions),
  ]
}

type Part = { readonly unknown: readonly { readonly what: string; readonly reason: string }[] } | null

/** Returns why a figure is unknown, in the words of the audit. */
const reasonOf = (part: Part): string =>
  (part === null ? 'It was not checked.' : (part.unknown[0]?.reason ?? 'It was not measured.')).slice(0, 300)

interface Plain {
  readonly value: number | null
  readonly unit: Figure['unit']
  readonly part: Part
}

const plain = (name: string, label: string, { value, unit, part }: Plain): Figure => ({
  id: `pitch.${name}`,
  label,
  value,
  unit,
  definition: `prospects.${name}@1`,
  ...(value === null ? { unknown_because: reasonOf(part) } : {}),
})

function rated(
  name: string,
  label: string,
  rate: NonNullable<PitchData['reviews']>['answered'],
  part: Part,
): Figure {
  if (rate === null) return plain(name, label, { value: null, unit: 'share', part })
  return rateFigure({ id: `pitch.${name}`, label }, rate as Parameters<typeof rateFigure>[1])
}

const engines = ({ visibility }: PitchData): Block[] =>
  !visibility?.by_engine?.length
    ? []
    : [
        {
          kind: 'table',
          title: 'What AI assistants answered',
          columns: [
            { label: 'Assistant', type: 'text' },
            { label: 'Answers', type: 'count' },
            { label: 'Named the business', type: 'count' },
          ],
          rows: visibility.by_engine
            .slice(0, 50)
            .map(({ engine, answers, named }) => [engine, answers, named]),
        },
      ]

const purposes: Readonly<Record<string, string>> = {
  training: 'trains models',
  search: 'builds a search index',
  user: 'answers a person',
}

function agents({ traffic }: PitchData): Block[] {
  const refused = traffic?.ai_agents?.filter(({ allowed }) => !allowed) ?? []
  if (refused.length === 0) return []
  return [
    {
      kind: 'table',
      title: 'AI agents that the website refuses',
      columns: [
        { label: 'Agent', type: 'text' },
        { label: 'Operator', type: 'text' },
        { label: 'What it does', type: 'text' },
      ],
      rows: refused
        .slice(0, 100)
        .map(({ agent, operator, purpose }) => [agent, operator, purposes[purpose] ?? purpose]),
    },
  ]
}

/** What to do about what was measured. Nothing is advised about what is unknown. */
function next({ profile, reviews, traffic, visibility }: PitchData): Block[] {
  const search =
    traffic?.ai_agents?.filter(({ allowed, purpose }) => !allowed && purpose !== 'training') ?? []
  const missing = profile?.missing ?? []
  const items = [
    ...(missing.length === 0
      ? []
      : [
          {
            text: `Fill in the profile: ${missing.map((field) => field.replaceAll('_', ' ')).join(', ')}`,
            because: 'These parts of the public profile are empty.',
          },
        ]),
    ...(search.length === 0
      ? []
      : [
          {
            text: `Allow ${search.map(({ agent }) => agent).join(', ')} in robots.txt`,
            because: 'They find pages for people who ask an AI assistant.',
          },
        ]),
    ...(traffic?.https?.works === false
      ? [{ text: 'Serve the website over HTTPS', because: 'It did not answer over HTTPS.' }]
      : []),
    ...(traffic?.structured_data?.types.length === 0
      ? [{ text: 'Add structured data to the website', because: 'The page has none.' }]
      : []),
    ...(reviews?.answered && reviews.answered.n > 0 && reviews.answered.k < reviews.answered.n
      ? [
          {
            text: 'Reply to reviews',
            because: `${reviews.answered.k} of ${reviews.answered.n} stored reviews have a reply.`,
          },
        ]
      : []),
    ...(visibility?.named && visibility.named.n > 0 && visibility.named.k === 0
      ? [
          {
            text: 'Become visible to AI assistants',
            because: `None of ${visibility.named.n} answers named the business.`,
          },
        ]
      : []),
  ]
  return items.length === 0 ? [] : [{ kind: 'next', items }]
}

const titles = {
  reviews: 'Reviews',
  profile: 'Profile',
  visibility: 'AI answers',
  traffic: 'Website',
  mentions: 'Posts',
} as const
const parts = Object.keys(titles) as (keyof typeof titles)[]

function unknown(data: PitchData): Block[] {
  const rows = parts.flatMap((name) => {
    const part = data[name]
    if (part === null) return [[titles[name], 'all', 'It was not checked.']]
    return part.unknown.map(({ what, reason }) => [titles[name], what.replaceAll('_', ' '), reason])
  })
  if (rows.length === 0) return []
  return [
    {
      kind: 'table',
      title: 'What is unknown',
      columns: ['Part', 'What', 'Why'].map((label) => ({ label, type: 'text' as const })),
      rows: rows.slice(0, 50),
    },
  ]
}

function methods(data: PitchData): Block[] {
  const rows = parts.flatMap((name) => {
    const part = data[name]
    return part ? [[titles[name], part.score, part.method, part.looked_at.slice(0, 10)]] : []
  })
  if (rows.length === 0) return []
  return [
    {
      kind: 'table',
      title: 'How it was measured',
      columns: [
        { label: 'Part', type: 'text' },
        { label: 'Score', type: 'score' },
        { label: 'Method', type: 'text' },
        { label: 'Day', type: 'day' },
      ],
      rows,
    },
  ]
}
