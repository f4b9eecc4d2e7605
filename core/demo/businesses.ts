import type { DemoBusiness } from '../contracts/demo'

/**
 * A sample business without ids. Names are invented, domains end in `.example`, phone numbers are reserved for
 * fiction.
 */
export type BusinessFacts = Omit<DemoBusiness, 'id' | 'workspace_id' | 'key' | 'domain' | 'source' | 'ids'>

interface WorkspaceFacts {
  readonly name: string
  readonly timezone: string
  readonly locale: string
  readonly businesses: Readonly<Record<string, BusinessFacts>>
}

const london = { timezone: 'Europe/London', language: 'en', country: 'GB' } as const
const madrid = { timezone: 'Europe/Madrid', language: 'es', country: 'ES' } as const

const islands: Readonly<Record<string, BusinessFacts>> = {
  'harbour-bakehouse': {
    ...london,
    name: 'Harbour Bakehouse',
    category: 'Bakery',
    trade: 'bakery',
    services: ['sourdough', 'almond croissants', 'birthday cakes', 'sandwiches'],
    city: 'Bristol',
    listing: 'map',
    competitors: ['Old Mill Bread', 'Crumb & Co', 'The Daily Loaf'],
    quality: 0.9,
    reviewsPerMonth: 24,
  },
  'copperline-plumbing': {
    ...london,
    name: 'Copperline Plumbing',
    category: 'Plumber',
    trade: 'emergency plumber',
    services: ['boiler repair', 'leak detection', 'bathroom fitting', 'drain unblocking'],
    city: 'Leeds',
    listing: 'map',
    competitors: ['Rapid Pipes', 'Aire Valley Heating'],
    quality: 0.72,
    reviewsPerMonth: 14,
  },
  'bluebell-dental': {
    ...london,
    name: 'Bluebell Dental Care',
    category: 'Dentist',
    trade: 'dentist',
    services: ['check-ups', 'whitening', 'Invisalign', 'emergency appointments'],
    city: 'Bath',
    listing: 'map',
    competitors: ['Crescent Smiles', 'Avon Dental Rooms', 'Parade Dentistry'],
    quality: 0.8,
    reviewsPerMonth: 18,
  },
  'copper-kettle': {
    name: 'The Copper Kettle',
    category: 'Café',
    trade: 'café',
    services: ['brunch', 'scones', 'live music', 'takeaway coffee'],
    language: 'en',
    country: 'IE',
    city: 'Cork',
    timezone: 'Europe/Dublin',
    listing: 'page',
    competitors: ['Quay Coffee', 'Leeside Roasters'],
    quality: 0.86,
    reviewsPerMonth: 9,
  },
  'stitch-and-story': {
    name: 'Stitch & Story',
    category: 'Yarn shop',
    trade: 'online yarn shop',
    services: ['hand-dyed wool', 'knitting kits', 'online classes'],
    language: 'en',
    country: 'US',
    city: 'Portland',
    timezone: 'America/Los_Angeles',
    listing: 'map',
    competitors: ['Loop Harbor', 'Skein Society'],
    quality: 0.93,
    reviewsPerMonth: 11,
  },
}

const continent: Readonly<Record<string, BusinessFacts>> = {
  'mirador-del-sol': {
    ...madrid,
    name: 'Hotel Mirador del Sol',
    category: 'Hotel',
    trade: 'hotel con encanto',
    services: ['desayuno', 'piscina', 'habitaciones con vistas', 'spa'],
    city: 'València',
    listing: 'map',
    competitors: ['Hotel Marqués', 'Casa Albufera', 'Gran Turia'],
    quality: 0.78,
    reviewsPerMonth: 30,
  },
  'taller-rios': {
    ...madrid,
    name: 'Taller Ríos',
    category: 'Car repair',
    trade: 'taller mecánico',
    services: ['revisión', 'frenos', 'cambio de aceite', 'ITV'],
    city: 'Sevilla',
    listing: 'map',
    competitors: ['Autos Giralda', 'Talleres Betis'],
    quality: 0.66,
    reviewsPerMonth: 8,
  },
  lindenhof: {
    name: 'Physiotherapie Lindenhof',
    category: 'Physiotherapist',
    trade: 'Physiotherapie',
    services: ['Krankengymnastik', 'Massage', 'Lymphdrainage', 'Rückenschule'],
    language: 'de',
    country: 'DE',
    city: 'München',
    timezone: 'Europe/Berlin',
    listing: 'map',
    competitors: ['Praxis am Park', 'Therapiezentrum Süd'],
    quality: 0.88,
    reviewsPerMonth: 10,
  },
  'lua-nova': {
    name: 'Pastelaria Lua Nova',
    category: 'Pastry shop',
    trade: 'pastelaria',
    services: ['pastéis de nata', 'bolo-rei', 'pequeno-almoço', 'bolos de aniversário'],
    language: 'pt',
    country: 'PT',
    city: 'Porto',
    timezone: 'Europe/Lisbon',
    listing: 'map',
    competitors: ['Doce Ribeira', 'Confeitaria Aurora'],
    quality: 0.91,
    reviewsPerMonth: 20,
  },
}

const east: Readonly<Record<string, BusinessFacts>> = {
  'layali-al-bahr': {
    name: 'مطعم ليالي البحر',
    category: 'Seafood restaurant',
    trade: 'مطعم مأكولات بحرية',
    services: ['سمك مشوي', 'صيادية', 'جلسات خارجية', 'بوفيه الجمعة'],
    language: 'ar',
    country: 'AE',
    city: 'دبي',
    timezone: 'Asia/Dubai',
    listing: 'map',
    competitors: ['مرسى دبي', 'شباك البحر'],
    quality: 0.82,
    reviewsPerMonth: 26,
  },
  hayarkon: {
    name: 'מספרת הירקון',
    category: 'Hair salon',
    trade: 'מספרה',
    services: ['תספורת', 'צבע', 'החלקה', 'תסרוקת כלה'],
    language: 'he',
    country: 'IL',
    city: 'תל אביב',
    timezone: 'Asia/Jerusalem',
    listing: 'map',
    competitors: ['סטודיו דיזנגוף', 'תלתלים'],
    quality: 0.85,
    reviewsPerMonth: 9,
  },
  komorebi: {
    name: '喫茶こもれび',
    category: 'Coffee shop',
    trade: '喫茶店',
    services: ['モーニング', 'プリン', '自家焙煎コーヒー', '抹茶ラテ'],
    language: 'ja',
    country: 'JP',
    city: '京都',
    timezone: 'Asia/Tokyo',
    listing: 'map',
    competitors: ['鴨川珈琲', '喫茶みやび'],
    quality: 0.94,
    reviewsPerMonth: 12,
  },
}

/** Three workspaces and their twelve businesses. */
export const workspaces: Readonly<Record<string, WorkspaceFacts>> = {
  islands: {
    name: 'Lantern Street clients (demo)',
    timezone: 'Europe/London',
    locale: 'en-GB',
    businesses: islands,
  },
  continent: {
    name: 'Sol y Alpes (demo)',
    timezone: 'Europe/Madrid',
    locale: 'es',
    businesses: continent,
  },
  east: { name: 'نسيم الشرق (demo)', timezone: 'Asia/Dubai', locale: 'ar', businesses: east },
}

/** Prospects of the first workspace. */
export const prospects: Readonly<Record<string, BusinessFacts>> = Object.fromEntries(
  (
    [
      ['fern-and-fig', 'Fern & Fig Florists', 'Florist', 'florist', ['bouquets', 'weddings'], 'Cardiff'],
      ['northgate-gym', 'Northgate Gym', 'Gym', 'gym', ['classes', 'personal training'], 'York'],
      ['penny-farthing', 'Penny Farthing Cycles', 'Bicycle shop', 'bike shop', ['servicing'], 'Exeter'],
      ['tidewater-spa', 'Tidewater Spa', 'Day spa', 'spa', ['massage', 'facials'], 'Whitby'],
    ] as const
  ).map(([key, name, category, trade, services, city]) => [
    key,
    {
      ...london,
      name,
      category,
      trade,
      services,
      city,
      listing: 'map',
      competitors: [],
      quality: 0.6,
      reviewsPerMonth: 0,
    },
  ]),
)
