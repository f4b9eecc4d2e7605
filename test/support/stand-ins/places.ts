import type { PlatformReview } from './google'

export interface PlacesStandIn {
  readonly reviews: Map<string, PlatformReview>
  /** Statuses of the next answers; null answers as it should. */
  readonly faults: (number | null)[]
  readonly complaints: string[]
  fetch(request: Request): Promise<Response>
}

export const placesKey = 'AIza-places-key'

/** Google's Places API on the wire, over reviews that a test shares with the stand-in of profiles: five, other ids. */
export function createPlaces(reviews: Map<string, PlatformReview>): PlacesStandIn {
  const standIn: PlacesStandIn = {
    reviews,
    faults: [],
    complaints: [],
    async fetch(request) {
      const status = standIn.faults.shift() ?? null
      if (status !== null) return problem(status)
      if (request.headers.get('x-goog-api-key') !== placesKey) return problem(403)
      const mask = request.headers.get('x-goog-fieldmask') ?? ''
      if (mask.split(',').some((field) => !known.has(field))) standIn.complaints.push(`field mask ${mask}`)
      if (new URL(request.url).pathname !== '/v1/places/ChIJx') return problem(404)
      const all = [...standIn.reviews.values()]
      return Response.json({
        id: 'ChIJx',
        ...(all.length === 0
          ? {}
          : {
              rating: all.reduce((sum, { stars }) => sum + stars, 0) / all.length,
              userRatingCount: all.length,
              reviews: all.slice(0, 5).map(wire),
            }),
      })
    },
  }
  return standIn
}

const known = new Set(['id', 'rating', 'userRatingCount', 'reviews'])

const wire = ({ id, stars, text, author, created }: PlatformReview) => ({
  name: `places/ChIJx/reviews/ChZD${id}`,
  relativePublishTimeDescription: 'a month ago',
  rating: stars,
  ...(text === ''
    ? {}
    : {
        text: { text: `${text} (translated)`, languageCode: 'en' },
        originalText: { text, languageCode: 'de' },
      }),
  authorAttribution: {
    displayName: author,
    uri: 'https://maps.example/u',
    photoUri: 'https://maps.example/p',
  },
  publishTime: new Date(created).toISOString().replace('.000Z', 'Z'),
  googleMapsUri: `https://maps.example/reviews/${id}`,
})

const problem = (code: number) =>
  Response.json(
    {
      error: { code, message: `The stand-in says ${code}`, status: code === 403 ? 'PERMISSION_DENIED' : 'X' },
    },
    { status: code },
  )
