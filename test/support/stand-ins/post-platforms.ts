import type { PostStandIn, ShownPost } from '../post-target-suite'

interface Api {
  readonly shown: ShownPost[]
  /** Time of the platform, in milliseconds. */
  now(): number
  add(text: string, at?: number): ShownPost
}

/** A platform that shows posts, without its API. */
function platform(
  clock: { now(): number },
  fetch: (api: Api, request: Request) => Promise<Response>,
): PostStandIn {
  const made = { posts: 0 }
  const api: Api = {
    shown: [],
    now: clock.now,
    add(text, at = clock.now()) {
      const post = { id: String(++made.posts), text, at }
      api.shown.unshift(post)
      return post
    },
  }
  return {
    shown: api.shown,
    isCreate: ({ method, url }) => method === 'POST' && !/createSession|\/token$/.test(url),
    publishByHand: (text, at) => api.add(text, at),
    fetch: (request) => fetch(api, request),
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
const none = () => Response.json({ error: 'Record not found', message: 'x', code: 'x' }, { status: 404 })
const pathOf = ({ url }: Request) => new URL(url).pathname
const queryOf = ({ url }: Request) => new URL(url).searchParams

/** A server of Mastodon: statuses as HTML, and keys that it keeps for an hour. */
export function createMastodon(clock: { now(): number }) {
  const keys = new Map<string, ShownPost>()
  const wire = ({ id, text, at }: ShownPost) => ({
    ...{ id, url: `https://social.test/@acme/${id}`, created_at: iso(at) },
    content: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n\n', '</p><p>')}</p>`,
  })
  return platform(clock, async (api, request) => {
    if (request.headers.get('authorization') !== 'Bearer mastodon-token') {
      return Response.json({ error: 'The access token is invalid' }, { status: 401 })
    }
    const path = pathOf(request)
    if (path === '/api/v1/accounts/verify_credentials') return Response.json({ id: '7', username: 'acme' })
    if (path === '/api/v1/accounts/7/statuses') return Response.json(api.shown.slice(0, 40).map(wire))
    if (path !== '/api/v1/statuses') return none()
    const { status } = (await request.json()) as { status: string }
    const key = request.headers.get('idempotency-key') ?? ''
    const post = keys.get(key) ?? api.add(status)
    keys.set(key, post)
    return Response.json(wire(post))
  })
}

/** A server of Bluesky: a repository in which a key has one record. */
export function createBluesky(clock: { now(): number }) {
  const did = 'did:plc:acme'
  const records = new Map<string, ShownPost>()
  const problem = (status: number, error: string) => Response.json({ error, message: error }, { status })
  return platform(clock, async (api, request) => {
    const method = pathOf(request).replace('/xrpc/com.atproto.', '')
    const body = request.method === 'POST' ? ((await request.json()) as Record<string, never>) : {}
    if (method === 'server.createSession') {
      const { identifier, password } = body as { identifier?: string; password?: string }
      if (identifier !== 'acme.test' || password !== 'app-password')
        return problem(401, 'AuthenticationRequired')
      return Response.json({ did, accessJwt: 'jwt-of-acme', handle: identifier })
    }
    if (request.headers.get('authorization') !== 'Bearer jwt-of-acme') return problem(401, 'InvalidToken')
    const uri = (key: string) => ({ uri: `at://${did}/app.bsky.feed.post/${key}`, cid: 'bafy' })
    if (method === 'repo.getRecord') {
      const key = queryOf(request).get('rkey') ?? ''
      return records.has(key) ? Response.json({ ...uri(key), value: {} }) : problem(400, 'RecordNotFound')
    }
    if (method !== 'repo.createRecord') return problem(501, 'MethodNotImplemented')
    const { rkey, record } = body as unknown as { rkey: string; record: { text: string } }
    if (!/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/.test(rkey))
      return problem(400, 'InvalidRequest')
    if (records.has(rkey)) return problem(400, 'InvalidRequest')
    const post = { ...api.add(record.text), id: uri(rkey).uri }
    api.shown[0] = post
    records.set(rkey, post)
    return Response.json(uri(rkey))
  })
}

/** A website with WordPress: slugs are unique, and a second page of a slug gets another. */
export function createWordpress(clock: { now(): number }) {
  const slugs = new Map<string, ShownPost>()
  const wire = (slug: string, { id }: ShownPost) => ({
    ...{ id: Number(id), slug, status: 'publish', link: `https://site.test/${slug}` },
  })
  return platform(clock, async (api, request) => {
    const wanted = `Basic ${Buffer.from('ada:abcd EFGH'.replace(' ', '')).toString('base64')}`
    if (request.headers.get('authorization') !== wanted) {
      return Response.json({ code: 'invalid_username', message: 'No' }, { status: 401 })
    }
    const path = pathOf(request)
    if (path.endsWith('/users/me')) return Response.json({ id: 1, capabilities: { publish_posts: true } })
    if (request.method === 'GET') {
      const slug = queryOf(request).get('slug') ?? ''
      const post = slugs.get(slug)
      return Response.json(post ? [wire(slug, post)] : [])
    }
    const { slug, content } = (await request.json()) as { slug: string; content: string }
    const free = slugs.has(slug) ? `${slug}-2` : slug
    const post = api.add(content)
    slugs.set(free, post)
    return Response.json(wire(free, post), { status: 201 })
  })
}

/** LinkedIn: the id of a post comes in a header. */
export function createLinkedin(clock: { now(): number }) {
  return platform(clock, async (api, request) => {
    if (request.headers.get('authorization') !== 'Bearer linkedin-token') {
      return Response.json({ status: 401, message: 'Invalid access token' }, { status: 401 })
    }
    const urn = (id: string) => `urn:li:share:${id}`
    if (request.method === 'GET') {
      const elements = api.shown.slice(0, 50).map(({ id, text, at }) => ({
        ...{ id: urn(id).replace('urn:li:share:urn', 'urn'), commentary: text, createdAt: at },
        lifecycleState: 'PUBLISHED',
      }))
      return Response.json({ elements, paging: {} })
    }
    const { commentary } = (await request.json()) as { commentary: string }
    const post = api.add(commentary)
    const id = urn(post.id)
    api.shown[0] = { ...post, id }
    return new Response(null, { status: 201, headers: { 'x-restli-id': id } })
  })
}

/** A receiver of webhooks that recognizes repeats by their id. */
export function createReceiver(clock: { now(): number }) {
  const handled = new Map<string, ShownPost>()
  return platform(clock, async (api, request) => {
    const id = request.headers.get('webhook-id') ?? ''
    const { data } = (await request.json()) as { data: { content: { summary: string } } }
    if (!handled.has(id)) {
      const post = { ...api.add(data.content.summary), id }
      api.shown[0] = post
      handled.set(id, post)
    }
    return new Response(null, { status: 204 })
  })
}

/** Google's local posts of one profile. */
export function createLocalPosts(
  clock: { now(): number },
  tokens: (request: Request) => Promise<Response | null>,
) {
  const name = (id: string) => `accounts/111/locations/222/localPosts/${id}`
  const wire = ({ id, text, at }: ShownPost) => ({
    ...{ name: id.includes('/') ? id : name(id), summary: text, topicType: 'STANDARD', createTime: iso(at) },
    ...{ state: 'LIVE', searchUrl: `https://local.google.test/${id.split('/').at(-1)}` },
  })
  return platform(clock, async (api, request) => {
    const refused = await tokens(request.clone() as Request)
    if (refused) return refused
    if (pathOf(request) !== '/v4/accounts/111/locations/222/localPosts') return none()
    if (request.method === 'GET')
      return Response.json(api.shown.length === 0 ? {} : { localPosts: api.shown.map(wire) })
    const { summary } = (await request.json()) as { summary: string }
    const post = api.add(summary)
    api.shown[0] = { ...post, id: name(post.id) }
    return Response.json(wire(api.shown[0]))
  })
}

/** The feed of a Facebook Page. */
export function createPageFeed(clock: { now(): number }, token: string) {
  return platform(clock, async (api, request) => {
    if (request.headers.get('authorization') !== `Bearer ${token}`) {
      return Response.json({ error: { code: 190, message: 'Invalid token' } }, { status: 400 })
    }
    if (!pathOf(request).endsWith('/777/feed')) return none()
    if (request.method === 'GET') {
      const since = Number(queryOf(request).get('since')) * 1_000
      const recent = api.shown.filter(({ at }) => at >= since)
      return Response.json({
        data: recent.map(({ id, text, at }) => ({ id, message: text, created_time: iso(at) })),
      })
    }
    const message = new URLSearchParams(await request.text()).get('message') ?? ''
    const post = api.add(message)
    api.shown[0] = { ...post, id: `777_${post.id}` }
    return Response.json({ id: `777_${post.id}` })
  })
}
