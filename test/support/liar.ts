import * as v from 'valibot'
import type { ServiceRequest } from '../../core/contracts/outbound'

/** An answer that no client of ours can read, made from the honest one. */
export type Unreadable = (honest: Response) => Promise<Response>

const text = (body: string, status = 200, headers: Record<string, string> = {}): Unreadable => {
  const type = body.startsWith('<') ? 'text/html' : 'application/json'
  return async () => new Response(body, { status, headers: { 'content-type': type, ...headers } })
}

/** Each replaces the values of the honest body by values of another type. */
const otherTypes: Unreadable = async (honest) => {
  const body: unknown = await honest.json()
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body)
  return Response.json(isRecord ? Object.fromEntries(Object.keys(body).map((key) => [key, -17])) : 17)
}

const cut =
  (share: number): Unreadable =>
  async (honest) => {
    const body = await honest.text()
    return new Response(body.slice(0, Math.max(1, Math.floor(body.length * share))), { status: 200 })
  }

/** Answers as proxies, load balancers, captive portals and failing services send them, by what they are. */
export const unreadableAnswers: Readonly<Record<string, Unreadable>> = {
  'an empty body': text(''),
  'no content': async () => new Response(null, { status: 204 }),
  '{}': text('{}'),
  '[]': text('[]'),
  '[{}]': text('[{}]'),
  null: text('null'),
  OK: text('OK'),
  '"OK"': text('"OK"'),
  true: text('true'),
  '0': text('0'),
  'JSON cut in its middle': cut(0.5),
  'JSON without its last byte': async (honest) => new Response((await honest.text()).slice(0, -1)),
  'a page of HTML': text('<html><title>Welcome to the hotel</title></html>'),
  'an unknown object': text('{"status":"ok","message":"done"}'),
  '{"success":true}': text('{"success":true}'),
  'an error in no known form, with status 200': text('{"error":{}}'),
  'an error text, with status 200': text('{"error":"temporarily unavailable"}'),
  'an error text with status 404': text('{"error":"Not Found"}', 404),
  'values of other types': otherTypes,
  'HTML with status 404': text('<html>Not Found</html>', 404),
  '{} with status 404': text('{}', 404),
  'an empty body with status 404': text('', 404),
  'an error in no known form with status 404': text('{"error":{"message":"Not Found"}}', 404),
  'HTML with status 410': text('<html>Gone</html>', 410),
  'HTML with status 400': text('<html>Bad Request</html>', 400),
  '{} with status 401': text('{}', 401),
  'HTML with status 403': text('<html>Forbidden</html>', 403),
  'a redirect': text('', 302, { location: 'http://login.hotel.test/' }),
}

/** What a liar lies about: all requests of one address from the nth on. */
export interface Lie {
  readonly at: string
  readonly answer: Unreadable
  /** The first request that gets the lie; 1 unless said otherwise. */
  readonly from?: number
  /** Whether the honest service gets the request too. It does unless said otherwise. */
  readonly reaches?: boolean
}

/** Stands between the product and honest services, notes each address that is asked, and lies where a test says so. */
export function createLiar(addresses: readonly (readonly [RegExp, string])[]) {
  const asked = new Set<string>()
  const counts = new Map<string, number>()
  const liar = {
    asked,
    lie: null as Lie | null,
    /** How often the lie was told. */
    told: 0,
    tell(lie: Lie | null) {
      Object.assign(liar, { lie, told: 0 })
      counts.clear()
    },
    async answer(request: Request, honest: () => Promise<Response>): Promise<Response> {
      const { hostname, pathname } = new URL(request.url)
      const said = `${request.method} ${hostname}${pathname}`
      const name = addresses.find(([pattern]) => pattern.test(said))?.[1] ?? said
      asked.add(name)
      const { lie } = liar
      if (lie?.at !== name) return honest()
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count < (lie.from ?? 1)) return honest()
      liar.told++
      return lie.answer(lie.reaches === false ? Response.json({ unsent: true }) : await honest())
    },
  }
  return liar
}
export type Liar = ReturnType<typeof createLiar>

/** Values that no request may take for its answer. */
const strangeValues: readonly unknown[] = [
  {},
  [],
  [{}],
  null,
  'OK',
  true,
  0,
  { success: true },
  { status: 'ok' },
  { error: {} },
  { data: null },
]

/** Which strange values the form of a request takes for an answer. */
export const lax = ({ what, answer }: Pick<ServiceRequest, 'what' | 'answer'>): string[] =>
  strangeValues
    .filter((value) => v.safeParse(answer, value).success)
    .map((value) => `${what}: ${JSON.stringify(value)}`)
