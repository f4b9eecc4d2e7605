/** What is the same for everybody who asks alike, for as long as the product runs. */
const unchanging = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'server/discover',
])
const answersMax = 64
const paramsCharactersMax = 2_000

/** Stands where the id of a request stands. */
const place = 'id-of-the-request-0b6c1d'

/**
 * Keeps the SDKs' answers to what never changes, whole but for the id: to check and print the list of tools anew costs more than
 * all else of the request. An answer is kept for what it was asked with to the letter: revision, headers, address, parameters.
 */
export function createKept() {
  const answers = new Map<string, readonly [before: Uint8Array, after: Uint8Array]>()
  return {
    async answer(
      request: Request,
      isModern: boolean,
      search: string,
      body: unknown,
      ask: (body: unknown) => Promise<Response>,
    ): Promise<Response> {
      const { id, ...rest } = (body ?? {}) as { id?: unknown; method?: unknown }
      const isPlain = (typeof id === 'string' && id.length < 100) || Number.isSafeInteger(id)
      if (!isPlain || typeof rest.method !== 'string' || !unchanging.has(rest.method)) return ask(body)
      const key = JSON.stringify([isModern, search, ...headersOf(request), rest])
      if (key.length > paramsCharactersMax) return ask(body)
      const known = answers.get(key)
      if (known) return json(known[0], id, known[1])
      const response = await ask({ ...rest, id: place })
      const text = await response.text()
      const [before, after, ...more] = text.split(`"${place}"`)
      if (response.status !== 200 || before === undefined || after === undefined || more.length > 0) {
        return new Response(
          text.replace(`"${place}"`, () => JSON.stringify(id)),
          response,
        )
      }
      if (answers.size >= answersMax) answers.clear()
      const made = [Buffer.from(before), Buffer.from(after)] as const
      answers.set(key, made)
      return json(made[0], id, made[1])
    },
  }
}

const headersOf = ({ headers }: Request) =>
  ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'].map((name) => headers.get(name))

/** Joins bytes: to write a list of tools out as UTF-8 each time costs more than to find it. */
const json = (before: Uint8Array, id: unknown, after: Uint8Array) =>
  new Response(Buffer.concat([before, Buffer.from(JSON.stringify(id)), after]), {
    headers: { 'content-type': 'application/json' },
  })
