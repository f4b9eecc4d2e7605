import {
  type DemoBusiness,
  type DemoDeclaration,
  type DemoRow,
  type DemoWorld,
  demoLoggedDays,
  demoRows,
  demoRowsOf,
  hourMs,
} from 'renown'
import { postPlatforms } from '../records/content'
import { failedEvent } from '../records/events'
import { failureKinds, Post, type PostRow } from '../records/Post'

type Made = DemoRow<typeof Post>

const perBusiness = 14
const statuses = [
  'published',
  'published',
  'scheduled',
  'draft',
  'failed',
  'cancelled',
  'publishing',
] as const
const types = ['update', 'offer', 'event'] as const

const news: Readonly<Record<string, string>> = {
  en: 'New this week: {}. Come and see us!',
  es: 'Novedad de la semana: {}. ¡Os esperamos!',
  de: 'Neu in dieser Woche: {}. Wir freuen uns auf Sie!',
  pt: 'Novidade da semana: {}. Esperamos por si!',
  ar: 'جديد هذا الأسبوع: {}. بانتظاركم!',
  he: 'חדש השבוע: {}. מחכים לכם!',
  ja: '今週の新着：{}。ご来店をお待ちしております。',
}

/** Posts in every state and of every kind. */
export const postsDemo: DemoDeclaration = {
  rows: (world) => [
    demoRows(
      Post,
      world.businesses
        .filter(({ source }) => source === 'google')
        .flatMap((business) =>
          Array.from({ length: perBusiness }, (_, place) => postOf(world, business, place)),
        ),
    ),
  ],
  events: (world, rows) =>
    demoRowsOf(rows, Post).flatMap((post) => {
      const { failure_kind, created_date: at } = post
      if (post.status !== 'failed' || failure_kind === undefined || at < world.at(demoLoggedDays, 0))
        return []
      return [{ ...failedEvent(post as PostRow, failure_kind), at }]
    }),
}

function postOf(world: DemoWorld, business: DemoBusiness, place: number): Made {
  const random = world.random(`post ${business.key} ${place}`)
  const status = statuses[place % statuses.length] as Made['status']
  const created_date = random.instant(status === 'published' ? 4 + place * 40 : random.integer(1, 20))
  return {
    id: world.id(Post, `${business.key} ${place}`),
    workspace_id: business.workspace_id,
    business_location_id: business.id,
    platform: platformOf(place),
    post_type: types[place % types.length] as Made['post_type'],
    status,
    content: contentOf(world, business, place),
    ...stateOf(world, business, status, created_date, place),
    error_count: status === 'failed' ? 3 : 0,
    ...(place % 2 === 0 ? { ai_generated: true, written_by: 'llm:demo' } : { ai_generated: false }),
    is_active: status !== 'cancelled',
    created_date,
  }
}

/** Returns the platform of a post: half are for Google, the others for one of each. */
const platformOf = (place: number): Made['platform'] =>
  place % 2 === 0 ? 'gbp' : (postPlatforms[1 + ((place >> 1) % (postPlatforms.length - 1))] ?? 'gbp')

const failures = {
  rejected: 'The platform answered 400: the picture is too small.',
  unknown_outcome: 'Renown sent the post and cannot find out whether it was published.',
  missed: 'Renown was more than an hour late, so it did not publish the post. Choose a new time.',
  not_allowed: 'The location is paused.',
  held_by_platform:
    'The platform has held it back for seven days, and Renown no longer looks. Its state there is “pending”.',
} as const

/** Returns the fields that belong to a state. */
function stateOf(
  world: DemoWorld,
  { key }: DemoBusiness,
  status: Made['status'],
  created: string,
  place: number,
): Partial<Made> {
  switch (status) {
    case 'scheduled': {
      const scheduled_at = world.at(-(2 + place), 10)
      const time = { wall_time: scheduled_at.slice(0, 16), timezone: 'UTC' }
      return { scheduled_at, ...time, occurrence: place < 7 ? 'earlier' : 'later', approval: 'approved' }
    }
    case 'publishing':
      return { scheduled_at: world.at(0, -0.1), ...heldOf(world, place) }
    case 'failed': {
      const failure_kind =
        failureKinds[(world.random(`failure ${key}`).integer(0, 99) + place) % failureKinds.length] ??
        'missed'
      const state = failure_kind === 'held_by_platform' ? { platform_state: 'pending' } : {}
      return { scheduled_at: null, failure_kind, error_message: failures[failure_kind], ...state }
    }
    case 'published': {
      const platform = platformOf(place)
      const external_post_id =
        platform === 'gbp' ? `accounts/demo/locations/${key}/localPosts/${place}` : `demo-${key}-${place}`
      const published_at = new Date(Date.parse(created) + hourMs).toISOString()
      return { scheduled_at: null, external_post_id, published_at }
    }
    case 'draft':
      return place < 7
        ? { scheduled_at: null, approval: 'in_review' }
        : { scheduled_at: null, approval: 'rejected', approval_note: 'Please name the opening hours.' }
    default:
      return { scheduled_at: null }
  }
}

/** Every second post that is being published is held back by its platform. */
const heldOf = (world: DemoWorld, place: number): Partial<Made> =>
  place % 2 === 0 ? {} : { platform_state: 'pending', held_since: world.at(0, -0.05) }

function contentOf(world: DemoWorld, business: DemoBusiness, place: number): Made['content'] {
  const service = business.services[place % business.services.length] as string
  const text = (news[business.language] ?? (news.en as string)).replace('{}', service)
  const summary = (place === 4 ? world.edgeCases[0] : undefined) ?? text
  const event = { title: service, start: world.at(-7, 10), end: world.at(-7, 18) }
  const media = [
    { format: 'photo' as const, source_url: `https://${business.domain}/media/${place}.jpg`, alt: service },
  ]
  const base = { summary, language: business.language, media: place % 3 === 1 ? [] : media }
  switch (types[place % types.length]) {
    case 'offer':
      return { ...base, event, offer: { coupon_code: 'DEMO10', terms: '10 %' } }
    case 'event':
      return { ...base, event, call_to_action: { type: 'book', url: `https://${business.domain}/book` } }
    default:
      return {
        ...base,
        call_to_action:
          place % 2 === 0 ? { type: 'call' } : { type: 'learn_more', url: `https://${business.domain}` },
      }
  }
}
