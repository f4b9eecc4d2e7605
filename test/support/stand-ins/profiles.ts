import { appSecret, pageToken } from './facebook'
import { placesKey } from './places'

export interface ProfilesStandIn {
  /** What each platform says of the business, as it says it. */
  google: Record<string, unknown>
  media: Record<string, unknown>
  facebook: Record<string, unknown>
  places: Record<string, unknown>
  /** Statuses of the next answers of any; null answers as it should. */
  readonly faults: (number | null)[]
  /** Tokens of Google's that are good. */
  readonly tokens: Set<string>
  /** What was asked of whom, and what was asked wrongly. */
  readonly asked: string[]
  readonly complaints: string[]
  fetch(request: Request): Promise<Response>
}

const ours = new Set(
  `name title storefrontAddress phoneNumbers websiteUri categories latlng metadata openInfo serviceArea profile languageCode
   regularHours serviceItems storeCode labels`.split(/\s+/),
)
const ofPlaces = new Set(
  `id displayName formattedAddress addressComponents location websiteUri internationalPhoneNumber primaryTypeDisplayName rating
   userRatingCount reviews googleMapsUri businessStatus photos editorialSummary regularOpeningHours accessibilityOptions
   paymentOptions takeout delivery dineIn reservable outdoorSeating liveMusic allowsDogs goodForChildren goodForGroups restroom
   servesVegetarianFood`.split(/\s+/),
)

/** The profiles of one business at Google, Facebook and Places, on the wire. */
export function createProfiles(): ProfilesStandIn {
  const made = { tokens: 0 }
  const standIn: ProfilesStandIn = {
    google: {},
    media: {},
    facebook: {},
    places: {},
    faults: [],
    tokens: new Set(),
    asked: [],
    complaints: [],
    async fetch(request) {
      const { hostname, pathname, searchParams } = new URL(request.url)
      if (pathname === '/token') {
        const access_token = `ya29.token-${++made.tokens}`
        standIn.tokens.add(access_token)
        return Response.json({ access_token, expires_in: 3_599, token_type: 'Bearer' })
      }
      standIn.asked.push(`${hostname}${pathname}`)
      const status = standIn.faults.shift() ?? null
      if (status !== null) return refused(status)
      const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
      if (hostname === 'google.test') return google(standIn, pathname, searchParams, bearer)
      if (hostname === 'graph.test') return facebook(standIn, pathname, searchParams, bearer)
      return places(standIn, pathname, request.headers)
    },
  }
  return standIn
}

function google(standIn: ProfilesStandIn, path: string, query: URLSearchParams, bearer: string): Response {
  if (!standIn.tokens.has(bearer)) return refused(401)
  if (path === '/v4/accounts/111/locations/222/media') return Response.json(standIn.media)
  if (path !== '/v1/locations/222') return refused(404)
  const mask = (query.get('readMask') ?? '').split(',')
  standIn.complaints.push(...mask.filter((field) => !ours.has(field)).map((field) => `readMask ${field}`))
  return Response.json({ name: 'locations/222', ...masked(standIn.google, mask) })
}

function facebook(standIn: ProfilesStandIn, path: string, query: URLSearchParams, bearer: string): Response {
  if (bearer !== pageToken) return Response.json({ error: { code: 190, message: 'dead' } }, { status: 401 })
  const proof = new Bun.CryptoHasher('sha256', appSecret).update(pageToken).digest('hex')
  if (query.get('appsecret_proof') !== proof) standIn.complaints.push('appsecret_proof')
  if (path !== '/v21.0/777') return Response.json({ error: { code: 803, message: 'none' } }, { status: 400 })
  const fields = (query.get('fields') ?? '').split(',').map((field) => field.replace(/\..*$/, ''))
  return Response.json({ id: '777', ...masked(standIn.facebook, fields) })
}

function places(standIn: ProfilesStandIn, path: string, headers: Headers): Response {
  if (headers.get('x-goog-api-key') !== placesKey) return refused(403)
  if (path !== '/v1/places/ChIJx') return refused(404)
  const mask = (headers.get('x-goog-fieldmask') ?? '').split(',')
  standIn.complaints.push(
    ...mask.filter((field) => !ofPlaces.has(field)).map((field) => `field mask ${field}`),
  )
  return Response.json({ id: 'ChIJx', ...masked(standIn.places, mask) })
}

const masked = (told: Record<string, unknown>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(told).filter(([name]) => fields.includes(name)))

const refused = (code: number) =>
  Response.json({ error: { code, message: `The stand-in says ${code}`, status: 'FAULT' } }, { status: code })
