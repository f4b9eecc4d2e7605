/** Google's Places API on a real socket: one place, `ChIJpitch`, whose fields a test writes. */
export function startPlaces() {
  const standIn = {
    place: {} as Record<string, unknown>,
    /** Statuses of the next answers; null answers as it should. */
    faults: [] as (number | null)[],
    asked: [] as string[],
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      standIn.asked.push(request.headers.get('x-goog-fieldmask') ?? '')
      const status = standIn.faults.shift() ?? null
      if (status !== null) return refused(status)
      if (request.headers.get('x-goog-api-key') !== placesKey) return refused(403)
      if (pathname !== '/v1/places/ChIJpitch') return refused(404)
      const mask = (request.headers.get('x-goog-fieldmask') ?? '').split(',')
      const shown = Object.entries({ id: 'ChIJpitch', ...standIn.place }).filter(([name]) =>
        mask.includes(name),
      )
      return Response.json(Object.fromEntries(shown))
    },
  })
  const url = `http://127.0.0.1:${server.port}/v1`
  return Object.assign(standIn, { url, stop: () => server.stop(true) })
}

const refused = (code: number) =>
  Response.json(
    { error: { code, message: `The stand-in says ${code}`, status: words[code] ?? 'FAULT' } },
    { status: code },
  )
const words: Record<number, string> = { 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND' }

export const placesKey = 'AIza-key-of-the-test'
