import type { DemoBusiness, DemoRow, DemoWorld } from '../../contracts/demo'
import type { BusinessLocation } from '../BusinessLocation'

type Location = DemoRow<typeof BusinessLocation>

/** Clients whose trial ended: they are kept, but inactive. */
export const inactive: ReadonlySet<string> = new Set(['hayarkon'])

/** Addresses and phone numbers of the sample locations. The numbers are reserved for fiction. */
const places: Readonly<Record<string, Partial<Location>>> = {
  'harbour-bakehouse': {
    address_line1: '4 Mud Dock Lane',
    postal_code: 'BS1 4XX',
    phone: '+44 117 496 0142',
    latitude: 51.4488,
    longitude: -2.5966,
  },
  'copperline-plumbing': { address_line1: '19 Kirkgate Yard', phone: '+44 113 496 0187' },
  'bluebell-dental': {
    address_line1: 'Bluebell House',
    address_line2: '2 Paragon Rise',
    phone: '+44 1632 960055',
    latitude: 51.3847,
    longitude: -2.3603,
  },
  'copper-kettle': { address_line1: '31 Bridge Street', phone: '+353 20 912 3456' },
  'stitch-and-story': {
    state: 'Oregon',
    phone: '+1 503-555-0116',
    is_online_only: true,
    is_online_only_overridden: true,
  },
  'mirador-del-sol': { address_line1: 'Passeig del Far, 12', latitude: 39.4731, longitude: -0.3247 },
  'taller-rios': { address_line1: 'C/ de los Ríos, s/n' },
  lindenhof: { address_line1: 'Lindenstraße 7', phone: '+49 89 99998 120', state: 'Bayern' },
  'lua-nova': { address_line1: 'Rua da Lua, 88', latitude: 41.1496, longitude: -8.611 },
  'layali-al-bahr': { address_line1: 'شارع المرسى ١٢' },
  hayarkon: { address_line1: 'רחוב הירקון 101' },
  komorebi: { address_line1: '木屋町通り3-14', postal_code: '600-0000' },
}

/** Special fields of some sample locations. */
const peculiar: Readonly<Record<string, (world: DemoWorld) => Partial<Location>>> = {
  'harbour-bakehouse': ({ at }) => ({
    enrichment_overrides: { about: 'Neighbourhood bakery on the harbour since 2011.' },
    manual_notes: 'The owner prefers short replies and never apologises for queues.',
    auto_response_enabled: true,
    ai_insights: { praised: ['sourdough'], criticised: ['queues'] },
    ai_insights_updated_at: at(6),
    ai_insights_review_count: 120,
  }),
  'copperline-plumbing': ({ at }) => ({ review_count_recheck_after: at(-3) }),
  'bluebell-dental': () => ({ billing_exempt: true, auto_response_enabled: true }),
  'copper-kettle': () => ({
    enrichment_status: 'partial',
    enrichment_error: 'The website could not be read: it answered 503.',
  }),
  'mirador-del-sol': () => ({ youtube_channel_id: 'UCdemoMiradorDelSol00000', auto_response_enabled: true }),
  'taller-rios': ({ at }) => ({
    ...trial(at(9), at(-5)),
    enrichment: undefined,
    enrichment_updated_at: undefined,
    enrichment_method: undefined,
    enrichment_status: 'failed',
    enrichment_error: 'Neither the website nor the listing could be read.',
  }),
  lindenhof: () => ({ reddit_account_id: 't2_demo1', reddit_username: 'lindenhof_muc' }),
  'lua-nova': ({ at }) => ({
    ...trial(at(60), at(46)),
    trial_state: 'converted',
    trial_converted_at: at(46, 9.1),
  }),
  hayarkon: ({ at }) => ({
    ...trial(at(90), at(76)),
    trial_state: 'ended',
    trial_ended_at: at(76, 9.2),
    enrichment: undefined,
    enrichment_updated_at: undefined,
    enrichment_method: undefined,
    enrichment_status: undefined,
    enrichment_source: undefined,
  }),
  komorebi: () => ({ enrichment_status: 'pending', enrichment_source: 'manual-refresh' }),
}

/** The twelve clients. */
export const clients = (world: DemoWorld): Location[] =>
  world.businesses.map((business) =>
    present({
      ...common(world, business),
      ...business.ids,
      ...(business.listing === 'map' && {
        added_via: business.key === 'taller-rios' ? ('places' as const) : ('gbp_oauth' as const),
        average_rating: Math.round((2.4 + business.quality * 2.6) * 10) / 10,
      }),
      total_reviews: Math.round(business.reviewsPerMonth * 24),
      review_link: `https://${business.domain}/review`,
      is_verified: business.key !== 'taller-rios',
      is_active: !inactive.has(business.key),
      is_prospect: false,
      last_synced_at: world.at(0, -1),
      last_full_review_sync_at: world.at(1, 2),
      ...enrichment(world, business),
      ...places[business.key],
      ...peculiar[business.key]?.(world),
    }),
  )

/** Prospects of the demo. They are never active. */
export const pitched = (world: DemoWorld): Location[] =>
  world.prospects.map((business, place) => ({
    ...common(world, business),
    added_via: 'dfs_keyword',
    average_rating: 3.4 + place / 5,
    total_reviews: 20 + place * 17,
    is_active: false,
    is_prospect: true,
    created_date: world.at(30 + place * 9),
  }))

const common = ({ at }: DemoWorld, business: DemoBusiness) => ({
  id: business.id,
  workspace_id: business.workspace_id,
  business_name: business.name,
  business_category: business.category,
  ...(business.source === undefined ? {} : { source: business.source }),
  city: business.city,
  country: business.country,
  website: `https://${business.domain}`,
  is_demo: true,
  auto_response_enabled: false,
  created_date: at(750),
})

/** Sample locations whose profile was written with a language model. */
const withModel: ReadonlySet<string> = new Set(['harbour-bakehouse', 'mirador-del-sol', 'komorebi'])

const enrichment = ({ at }: DemoWorld, { key, services, name, city, language, domain }: DemoBusiness) => ({
  enrichment: {
    about: `${name} · ${city}`,
    services: [...services],
    attributes: ['wheelchair_accessible_entrance'],
    languages: [language],
    socials: { instagram: `https://social.example/${domain}` },
    sources: [{ url: `https://${domain}/`, fetched_at: at(20) }],
    confidence: 0.86,
  },
  enrichment_status: 'success' as const,
  enrichment_source: 'first-add' as const,
  enrichment_updated_at: at(20),
  enrichment_method: withModel.has(key) ? 'structured+llm:demo-model' : 'structured',
})

const trial = (trial_started_at: string, trial_end: string): Partial<Location> => ({
  trial_state: 'trialing',
  trial_started_at,
  trial_end,
  trial_charge_amount: 29,
  trial_charge_interval: 'month',
})

/** Removes fields that are undefined. */
const present = (row: object): Location =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Location
