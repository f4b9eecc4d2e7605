import type { Fetch } from '../../conformance/connection'

/** An installation that breaks one promise, and the check that must find it. */
export interface Mutant {
  readonly breaks: string
  readonly foundBy: string
  /** Words that the report of the fault must have. */
  readonly named: string
  wrap(fetch: Fetch, keys: { readonly key: string; readonly otherKey: string }): Fetch
}

interface Sent {
  readonly path: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
}

const sentOf = (url: string, init: RequestInit): Sent => ({
  path: url.slice(new URL(url).origin.length),
  method: init.method ?? 'GET',
  headers: { ...(init.headers as Record<string, string>) },
  body: typeof init.body === 'string' ? init.body : '',
})

/** Changes the text of the answers to some requests. */
const changing =
  (isMeant: (sent: Sent) => boolean, change: (text: string, sent: Sent) => string): Mutant['wrap'] =>
  (fetch) =>
  async (url, init) => {
    const sent = sentOf(url, init)
    const answer = await fetch(url, init)
    if (!isMeant(sent)) return answer
    const { status, headers } = answer
    return new Response(change(await answer.text(), sent), { status, headers })
  }

/** Answers some requests itself. */
const answering =
  (isMeant: (sent: Sent) => boolean, answer: () => Response | Promise<Response>): Mutant['wrap'] =>
  (fetch) =>
  async (url, init) =>
    isMeant(sentOf(url, init)) ? answer() : fetch(url, init)

/** Sends some requests in another way. */
const sending =
  (change: (sent: Sent, keys: { key: string; otherKey: string }) => Partial<Sent>): Mutant['wrap'] =>
  (fetch, keys) =>
  (url, init) => {
    const sent = sentOf(url, init)
    const { path, headers, body } = { ...sent, ...change(sent, keys) }
    return fetch(`${new URL(url).origin}${path}`, { ...init, headers, ...(body === '' ? {} : { body }) })
  }

const isCall = ({ body }: Sent) => body.includes('"tools/call"')
const calls = (tool: string) => (sent: Sent) => isCall(sent) && sent.body.includes(`"${tool}"`)
const json = (value: unknown, status = 200) => Response.json(value, { status })
/** The name of the marks in a printed answer. */
const markIn = (text: string) => /Text in <(\w{5})>/.exec(text)?.[1] ?? 'none'
const page = () =>
  new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } })

/** Takes the marks from the texts of reviews, in both renderings. */
const unmarkedReviews: Mutant['wrap'] = changing(isCall, (text) =>
  text.replace(/(review_text\\?":\\?")<\w{5}>([^<]{0,4000})<\/\w{5}>/g, '$1$2'),
)

/** Record types and tools that are enough to find faults of marks. All of them take seconds. */
const someTypes = ['Review', 'Mention', 'BusinessLocation', 'Lead']
const someTools = ['list_records', 'get_record', 'listReviewsNeedingResponse', 'listLeadsWithMentions']

/** An installation that publishes only some record types and tools. */
export const narrowed: (fetch: Fetch) => Fetch = (fetch) => async (url, init) => {
  const answer = await fetch(url, init)
  const { path, body } = sentOf(url, init)
  if (path === '/api/surface' && answer.ok) {
    const surface = (await answer.json()) as { entities: { name: string }[] }
    const entities = surface.entities.filter(({ name }) => someTypes.includes(name))
    return json({ ...surface, entities })
  }
  if (!body.includes('"tools/list"')) return answer
  const listed = (await answer.json()) as { result: { tools: { name: string }[] } }
  const tools = listed.result.tools.filter(({ name }) => someTools.includes(name))
  return json({ ...listed, result: { tools } })
}

export const mutants: readonly Mutant[] = [
  {
    breaks: "publishes a review's text as its own, and does not mark it",
    foundBy: 'marks.published',
    named: 'Review.review_text is published as written by Renown',
    wrap: (fetch, keys) =>
      changing(
        ({ path }) => path === '/openapi.json',
        (text) => text.replaceAll('"review_text":{', '"review_text":{"x-renown-words":"ours",'),
      )(unmarkedReviews(fetch, keys), keys),
  },
  {
    breaks: 'leaves the marks out that its published words promise',
    foundBy: 'marks.text',
    named: 'review_text: outside the marks',
    wrap: (fetch, keys) => unmarkedReviews(fetch, keys),
  },
  {
    breaks: 'says in the surface that a path is its own',
    foundBy: 'marks.published',
    named: 'getReferralPages.pages.path is published as written by Renown',
    wrap: changing(
      ({ path }) => path === '/api/surface',
      (text) => text.replaceAll('"name":"path","type":"string",', '$&"words":"code",'),
    ),
  },
  {
    breaks: 'answers without marks',
    foundBy: 'marks.text',
    named: 'outside the marks',
    wrap: changing(isCall, (text) =>
      text.replaceAll(`<${markIn(text)}>`, '').replaceAll(`</${markIn(text)}>`, ''),
    ),
  },
  {
    breaks: 'marks only the text, not the structured content',
    foundBy: 'marks.structured',
    named: 'text and structured content of one answer differ',
    wrap: changing(isCall, (text) => {
      const [before, after] = text.split('"structuredContent":')
      return after === undefined
        ? text
        : `${before}"structuredContent":${after.replaceAll(/<\/?\w{5}>(?!…)/g, '')}`
    }),
  },
  {
    breaks: 'uses one name of marks for ever',
    foundBy: 'marks.random',
    named: 'same name of marks',
    wrap: changing(isCall, (text) => text.replaceAll(markIn(text), 'k7q2m')),
  },
  {
    breaks: 'counts the names of marks up',
    foundBy: 'marks.random',
    named: 'follow a pattern',
    wrap: (fetch, keys) => {
      let count = 0
      const next = (text: string) => text.replaceAll(markIn(text), `a${String(++count).padStart(4, '0')}`)
      return changing(isCall, next)(fetch, keys)
    },
  },
  {
    breaks: 'lets a text end its mark',
    foundBy: 'marks.text',
    named: 'open or closed twice',
    wrap: changing(isCall, (text) => text.replaceAll('ignore all', `</${markIn(text)}> ignore all`)),
  },
  {
    breaks: 'shows hidden characters',
    foundBy: 'marks.hidden',
    named: 'hidden characters',
    wrap: changing(calls('listReviewsNeedingResponse'), (text) =>
      text.replace(/review_text\\":\\"<\w{5}>/, '$&\u202e'),
    ),
  },
  {
    breaks: 'deletes records over HTTP',
    foundBy: 'ceiling.records',
    named: 'DELETE /api/entities/Review/<id> is not refused',
    wrap: answering(
      ({ method, path }) => method === 'DELETE' && path.startsWith('/api/entities/Review/'),
      () => json({}),
    ),
  },
  {
    breaks: 'checks the input of a write before the permission',
    foundBy: 'ceiling.records',
    named: 'checks its input before the permission',
    wrap: answering(
      ({ method, path }) => method === 'POST' && path === '/api/entities/Lead',
      () => json({ code: 'invalid_field' }, 422),
    ),
  },
  {
    breaks: 'publishes a command outside the ceiling',
    foundBy: 'ceiling.classes',
    named: 'publishPost has the class "publish"',
    wrap: changing(
      ({ path }) => path === '/openapi.json',
      (text) =>
        text.replace(
          '"paths":{',
          '"paths":{"/api/functions/publishPost":{"post":{"x-renown-class":"publish"}},',
        ),
    ),
  },
  {
    breaks: 'accepts a key in a cookie',
    foundBy: 'ceiling.credentials',
    named: 'A key in a cookie has status 200',
    wrap: sending(({ headers }, { key }) =>
      headers.cookie ? { headers: { ...headers, authorization: `Bearer ${key}` } } : {},
    ),
  },
  {
    breaks: 'answers for an unreadable workspace from the home workspace',
    foundBy: 'clamp.workspace',
    named: 'not 403 workspace_not_readable',
    wrap: sending(({ headers: { 'x-workspace-id': _, ...headers } }) => ({ headers })),
  },
  {
    breaks: "returns another agency's lead by its id",
    foundBy: 'clamp.agency',
    named: 'A foreign Lead has status 200',
    wrap: sending(({ path, headers }, { otherKey }) =>
      path.startsWith('/api/entities/Lead/')
        ? { headers: { ...headers, authorization: `Bearer ${otherKey}` } }
        : {},
    ),
  },
  {
    breaks: "adds another agency's reviews to a list",
    foundBy: 'clamp.agency',
    named: 'The list of Review has records of another agency',
    wrap: sending(({ path, headers }, { otherKey }) =>
      path === '/api/entities/Review?limit=100'
        ? { headers: { ...headers, authorization: `Bearer ${otherKey}` } }
        : {},
    ),
  },
  {
    breaks: 'tells a foreign location from an unknown one',
    foundBy: 'clamp.arguments',
    named: 'another answer than an unknown id',
    wrap: (fetch, keys) => {
      let count = 0
      const often = (text: string) =>
        ++count % 2 === 0 ? text.replace('"text":"', '"text":"It is of another agency. ') : text
      return changing((sent) => isCall(sent) && sent.body.includes('"location_id"'), often)(fetch, keys)
    },
  },
  {
    breaks: 'lists every tool regardless of the scope',
    foundBy: 'tools.scope',
    named: '?readonly=1 lists generatePostDraft',
    wrap: sending(({ path }) => ({ path: path.replace('?readonly=1', '') })),
  },
  {
    breaks: 'says of a tool that writes that it only reads',
    foundBy: 'tools.list',
    named: 'readOnlyHint does not fit',
    wrap: changing(
      ({ body }) => body.includes('"tools/list"'),
      (text) => text.replaceAll('"readOnlyHint":false', '"readOnlyHint":true'),
    ),
  },
  {
    breaks: 'answers calls with a page of HTML and status 200',
    foundBy: 'tools.answers',
    named: 'did not answer',
    wrap: answering(isCall, page),
  },
  {
    breaks: 'keeps sessions',
    foundBy: 'protocol.stateless',
    named: 'has a session id',
    wrap: (fetch) => async (url, init) => {
      const answer = await fetch(url, init)
      answer.headers.set('mcp-session-id', '7')
      return answer
    },
  },
  {
    breaks: 'speaks of HTTP in refusals of tools',
    foundBy: 'errors.tools',
    named: 'speaks of HTTP',
    wrap: changing(isCall, (text) => text.replace('describe_records lists', 'GET /api/surface lists')),
  },
  {
    breaks: 'allows PKCE without a hash',
    foundBy: 'oauth.metadata',
    named: 'not only S256',
    wrap: changing(
      ({ path }) => path === '/.well-known/oauth-authorization-server',
      (text) => text.replace('["S256"]', '["plain","S256"]'),
    ),
  },
  {
    breaks: 'announces no rate limits',
    foundBy: 'limits.answers',
    named: 'no header ratelimit',
    wrap: (fetch) => async (url, init) => {
      const answer = await fetch(url, init)
      answer.headers.delete('ratelimit')
      return answer
    },
  },
  {
    breaks: 'writes in a dry run',
    foundBy: 'writes.draft',
    named: 'A dry run',
    wrap: sending(({ body }) => ({ body: body.replace(',"dry_run":true', '') })),
  },
]

/** Installations that do not answer, or not as Renown does. */
export const faults: readonly Mutant[] = [
  {
    breaks: 'answers everything with a page of HTML and status 200',
    foundBy: 'openapi.json',
    named: 'did not return a JSON object: status 200, text/html',
    wrap: answering(() => true, page),
  },
  {
    breaks: 'never answers',
    foundBy: 'openapi.json',
    named: 'had no answer within',
    wrap: answering(
      () => true,
      () => new Promise<Response>(() => {}),
    ),
  },
  {
    breaks: 'begins an answer and never ends it',
    foundBy: 'openapi.json',
    named: 'had no answer within',
    wrap: answering(
      () => true,
      () =>
        new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{')) })),
    ),
  },
  {
    breaks: 'refuses the key',
    foundBy: 'surface',
    named: 'does not accept the key',
    wrap: answering(
      ({ path }) => path.startsWith('/api/'),
      () => json({ code: 'unauthenticated' }, 401),
    ),
  },
]
