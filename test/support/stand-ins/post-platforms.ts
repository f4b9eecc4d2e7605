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

/** How a server with Mastodon's API differs from an honest one of Mastodon 4. */
export interface MastodonOptions {
  /** What its nodeinfo says. Null if it has none. */
  readonly software?: { readonly name: string; readonly version: string } | null
  /** Whether it keeps keys, ignores them, or stores them so many milliseconds after the post. */
  readonly keys?: 'kept' | 'ignored' | number
  /** How many milliseconds its list is late. */
  readonly lagMs?: number
  /** Who sees new posts. */
  readonly visibility?: string
  /** Replaces the answer to a call that was accepted. */
  readonly answer?: (status: MastodonStatus, clock: { now(): number }) => object
}

/** A status on the wire. */
export interface MastodonStatus {
  readonly id: string
  readonly url: string
  readonly created_at: string
  readonly content: string
  readonly visibility: string
  readonly account: { readonly id: string }
}

/** A server of Mastodon: statuses as HTML, and keys that it keeps for an hour. */
export function createMastodon(clock: { now(): number }, options: MastodonOptions = {}) {
  const { software = { name: 'mastodon', version: '4.3.8' }, keys: use = 'kept', lagMs = 0 } = options
  const keys = new Map<string, { readonly post: ShownPost; readonly at: number }>()
  const wire = ({ id, text, at }: ShownPost): MastodonStatus => ({
    id,
    url: `https://social.test/@acme/${id}`,
    created_at: iso(at),
    account: { id: '7' },
    content: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n\n', '</p><p>')}</p>`,
    visibility: options.visibility ?? 'public',
  })
  const known = (key: string): ShownPost | undefined => {
    const stored = keys.get(key)
    if (use === 'ignored' || stored === undefined) return undefined
    const age = clock.now() - stored.at
    return age >= (use === 'kept' ? 0 : use) && age < 3_600_000 ? stored.post : undefined
  }
  return platform(clock, async (api, request) => {
    const path = pathOf(request)
    if (path === '/.well-known/nodeinfo') {
      if (software === null) return none()
      const href = 'https://social.test/nodeinfo/2.0'
      return Response.json({ links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href }] })
    }
    if (path === '/nodeinfo/2.0') return Response.json({ version: '2.0', software })
    if (request.headers.get('authorization') !== 'Bearer mastodon-token') {
      return Response.json({ error: 'The access token is invalid' }, { status: 401 })
    }
    if (path === '/api/v1/accounts/verify_credentials') return Response.json({ id: '7', username: 'acme' })
    if (path === '/api/v1/accounts/7/statuses') {
      const listed = api.shown.filter(({ at }) => at <= clock.now() - lagMs)
      return Response.json(listed.slice(0, 40).map(wire))
    }
    const one = api.shown.find(({ id }) => path === `/api/v1/statuses/${id}`)
    if (one) return Response.json(wire(one))
    if (path !== '/api/v1/statuses') return none()
    const { status } = (await request.json()) as { status: string }
    const key = request.headers.get('idempotency-key') ?? ''
    const post = known(key) ?? api.add(status)
    if (!keys.has(key)) keys.set(key, { post, at: clock.now() })
    return Response.json(options.answer?.(wire(post), clock) ?? wire(post))
  })
}

/** A server of Bluesky: a repository in which a key has one record. */
export function createBluesky(clock: { now(): number }) {
  const did = 'did:plc:acme'
  const records = new Map<string, ShownPost & { readonly record: object }>()
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
      const known = records.get(key)
      return known ? Response.json({ ...uri(key), value: known.record }) : problem(400, 'RecordNotFound')
    }
    if (method !== 'repo.createRecord') return problem(501, 'MethodNotImplemented')
    const { rkey, record } = body as unknown as { rkey: string; record: { text: string } }
    if (!/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/.test(rkey))
      return problem(400, 'InvalidRequest')
    if (records.has(rkey)) return problem(400, 'InvalidRequest')
    const post = { ...api.add(record.text), id: uri(rkey).uri }
    api.shown[0] = post
    records.set(rkey, { ...post, record })
    return Response.json(uri(rkey))
  })
}

/** How a website differs from an honest one. */
export interface WordpressOptions {
  /** The status of new pages, whatever was asked for. */
  readonly status?: string | (() => string)
  /** Changes a page on the wire, in answers and lists. */
  readonly wire?: (page: Record<string, unknown>) => object
  /** Whether its editor is asked first, so that a page has no slug. */
  readonly isSlugless?: boolean
}

/** A website with WordPress: slugs are unique, and a second page of a slug gets another. `statuses` are those of its pages. */
export function createWordpress(clock: { now(): number }, options: WordpressOptions = {}) {
  const slugs = new Map<string, string>()
  const statuses = new Map<string, string>()
  const wire = ({ id, text, at }: ShownPost) => {
    const slug = [...slugs].find(([, one]) => one === id)?.[0] ?? ''
    const page = {
      id: Number(id),
      slug,
      status: statuses.get(id) ?? 'publish',
      password: '',
      date_gmt: iso(at).slice(0, 19),
      link: `https://site.test/${slug || `?p=${id}`}`,
      content: { raw: text, rendered: text.replaceAll("'", '&#8217;'), protected: false },
    }
    return options.wire?.(page) ?? page
  }
  const stand = platform(clock, async (api, request) => {
    const wanted = `Basic ${Buffer.from('ada:abcd EFGH'.replace(' ', '')).toString('base64')}`
    if (request.headers.get('authorization') !== wanted) {
      return Response.json({ code: 'invalid_username', message: 'No' }, { status: 401 })
    }
    const path = pathOf(request)
    if (path.endsWith('/users/me')) return Response.json({ id: 1, capabilities: { publish_posts: true } })
    if (request.method === 'GET') {
      const query = queryOf(request)
      const [, id] = /\/posts\/(\d+)$/.exec(path) ?? []
      if (id !== undefined) {
        const one = api.shown.find((post) => post.id === id)
        const message = 'Invalid post ID.'
        return one
          ? Response.json(wire(one))
          : Response.json({ code: 'rest_post_invalid_id', message }, { status: 404 })
      }
      // Like WordPress, "any" leaves out the trash.
      const all = api.shown.filter((post) => statuses.get(post.id) !== 'trash')
      const slug = query.get('slug')
      const after = Date.parse(query.get('after') ?? '1970-01-01')
      const found =
        slug === null
          ? all.filter(({ at }) => at > after)
          : all.filter(({ id: one }) => slugs.get(slug) === one)
      return Response.json(found.map(wire))
    }
    const { slug, content } = (await request.json()) as { slug: string; content: string }
    const free = slugs.has(slug) ? `${slug}-2` : slug
    const post = api.add(content)
    if (options.isSlugless !== true) slugs.set(free, post.id)
    const { status = 'publish' } = options
    statuses.set(post.id, typeof status === 'string' ? status : status())
    return Response.json(wire(post), { status: 201 })
  })
  return { ...stand, statuses, slugs }
}

/** LinkedIn: the id of a post comes in a header. `change` is what its posts say instead. */
export function createLinkedin(clock: { now(): number }, change: object = {}) {
  return platform(clock, async (api, request) => {
    if (request.headers.get('authorization') !== 'Bearer linkedin-token') {
      return Response.json({ status: 401, message: 'Invalid access token' }, { status: 401 })
    }
    const urn = (id: string) => `urn:li:share:${id}`
    if (request.method === 'GET') {
      const elements = api.shown.slice(0, 50).map(({ id, text, at }) => ({
        id: urn(id).replace('urn:li:share:urn', 'urn'),
        commentary: text,
        createdAt: at,
        publishedAt: at,
        lifecycleState: 'PUBLISHED',
        visibility: 'PUBLIC',
        author: 'urn:li:organization:7',
        ...change,
      }))
      const one = elements.find(({ id }) => pathOf(request) === `/rest/posts/${encodeURIComponent(id)}`)
      if (one) return Response.json(one)
      if (pathOf(request) !== '/rest/posts') {
        return Response.json({ status: 404, message: 'Not found' }, { status: 404 })
      }
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

/** Google's local posts of one profile. `change` is what its posts say instead. */
export function createLocalPosts(
  clock: { now(): number },
  tokens: (request: Request) => Promise<Response | null>,
  change: object = {},
) {
  const name = (id: string) => `accounts/111/locations/222/localPosts/${id}`
  const wire = ({ id, text, at }: ShownPost) => ({
    name: id.includes('/') ? id : name(id),
    summary: text,
    topicType: 'STANDARD',
    createTime: iso(at),
    state: 'LIVE',
    searchUrl: `https://local.google.test/${id.split('/').at(-1)}`,
    ...change,
  })
  return platform(clock, async (api, request) => {
    const refused = await tokens(request.clone() as Request)
    if (refused) return refused
    const one = api.shown.find(({ id }) => pathOf(request) === `/v4/${id}`)
    if (one) return Response.json(wire(one))
    if (pathOf(request) !== '/v4/accounts/111/locations/222/localPosts') return none()
    if (request.method === 'GET')
      return Response.json(api.shown.length === 0 ? {} : { localPosts: api.shown.map(wire) })
    const { summary } = (await request.json()) as { summary: string }
    const post = api.add(summary)
    api.shown[0] = { ...post, id: name(post.id) }
    return Response.json(wire(api.shown[0]))
  })
}

/** The feed of a Facebook Page. `change` is what its posts say instead. */
export function createPageFeed(clock: { now(): number }, token: string, change: object = {}) {
  const wire = ({ id, text, at }: ShownPost) => ({
    id,
    message: text,
    created_time: iso(at).replace('.000Z', '+0000'),
    is_published: true,
    is_hidden: false,
    permalink_url: `https://www.facebook.com/777/posts/${id}`,
    from: { id: '777' },
    ...change,
  })
  return platform(clock, async (api, request) => {
    if (request.headers.get('authorization') !== `Bearer ${token}`) {
      return Response.json({ error: { code: 190, message: 'Invalid token' } }, { status: 400 })
    }
    const one = api.shown.find(({ id }) => pathOf(request).endsWith(`/${id}`))
    if (one) return Response.json(wire(one))
    if (!pathOf(request).endsWith('/777/feed')) return none()
    if (request.method === 'GET') {
      const since = Number(queryOf(request).get('since')) * 1_000
      const recent = api.shown.filter(({ at }) => at >= since)
      return Response.json({ data: recent.map(wire) })
    }
    const message = new URLSearchParams(await request.text()).get('message') ?? ''
    const post = api.add(message)
    api.shown[0] = { ...post, id: `777_${post.id}` }
    return Response.json({ id: `777_${post.id}` })
  })
}
