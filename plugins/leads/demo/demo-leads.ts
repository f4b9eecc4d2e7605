import type { DemoRandom, DemoRow, DemoWorld } from 'renown'
import { dayMs } from 'renown'
import type { Lead } from '../records/Lead'
import type { Mention } from '../records/Mention'
import { leadSettings } from '../settings'
import { people } from './demo-texts'

type Made = DemoRow<typeof Lead>
const stages = ['new', 'contacted', 'qualified', 'won', 'lost'] as const
const staleDays = Number(leadSettings.declared.LEAD_STALE_POST_FLAG_DAYS.fallback)
const notes = [
  'Called on Tuesday, asked to be called again next week.',
  'Wants a price first. Sent the list.',
  'Prefers mornings.',
  'Found us through a friend who is a customer.',
]
const lostReasons = ['Chose somebody else', 'Too dear', 'Never answered', 'Out of our area']

/** Returns the sample lead of a mention. Its contact details are reserved for fiction. */
export function leadOf(world: DemoWorld, mention: DemoRow<typeof Mention>, place: number): Made {
  const random = world.random(`lead ${mention.id}`)
  const age = Math.floor(
    (Date.parse(mention.discovered_at) - Date.parse(mention.posted_at ?? mention.discovered_at)) / dayMs,
  )
  const stage = stages[Math.floor(place / 3) % stages.length] as Made['stage']
  const isArchived = place % 7 === 0
  const later = (days: number) => {
    const at = Date.parse(mention.discovered_at) + days * dayMs
    return new Date(Math.min(Math.round(at), Date.parse(world.today) - 1)).toISOString()
  }
  return {
    id: mention.lead_id as string,
    workspace_id: mention.workspace_id,
    mention_id: mention.id,
    tracker_id: mention.tracker_id,
    location_id: mention.location_id,
    intent_score: stage === 'won' ? random.integer(70, 100) : random.integer(0, 100),
    ...(random.chance(0.9) ? { intent_reason: 'Asks where to go and wants it soon.' } : {}),
    stage,
    ...(stage === 'new' ? {} : { stage_changed_at: later(random.next() * 9) }),
    ...(stage === 'lost' ? { lost_reason: random.pick(lostReasons) } : {}),
    ...(random.chance(0.25) ? { assigned_to: 'Demo owner' } : {}),
    ...contact(mention.language, random),
    source: mention.source,
    is_archived: isArchived,
    ...(isArchived ? { archived_at: later(12) } : {}),
    ...(stage !== 'new' || random.chance(0.4) ? { seen_at: later(random.next()) } : seenNever(random)),
    ...(place % 4 === 0
      ? { notes: world.edgeCases[place % world.edgeCases.length] ?? random.pick(notes) }
      : {}),
    ...(age > staleDays
      ? { stale_post: true, stale_post_age_days: age }
      : { stale_post: false, stale_post_age_days: age }),
    mention_posted_at: mention.posted_at,
    created_date: mention.discovered_at,
  }
}

const seenNever = (random: DemoRandom) => (random.chance(0.5) ? { seen_at: null } : {})

function contact(language: string, random: DemoRandom) {
  if (random.chance(0.2)) return {}
  const [first_name = '', last_name = ''] = random.pick(people[language] ?? people.en ?? [])
  return {
    first_name,
    ...(last_name ? { last_name } : {}),
    ...(random.chance(0.5)
      ? { phone: `+44 1632 960${String(random.integer(0, 999)).padStart(3, '0')}` }
      : {}),
    ...(random.chance(0.6) ? { email: `person${random.integer(1, 9999)}@mail.example` } : {}),
    ...(random.chance(0.4) ? { suburb: 'Old Town', postcode: '00000' } : {}),
  }
}
