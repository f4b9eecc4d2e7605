import type { ReplyStandIn } from '../reply-channel-suite'

interface Shown {
  readonly id: string
  readonly text: string
  readonly at: number
}

interface Api {
  /** Replies of the account, newest first. */
  readonly shown: Shown[]
  readonly others: Shown[]
  isGone: boolean
  add(text: string, id?: string): Shown
}

/** A platform with one post that is answered, without its API. */
function thread(
  clock: { now(): number },
  isSend: (path: string) => boolean,
  fetch: (api: Api, request: Request) => Promise<Response>,
): ReplyStandIn {
  const made = { replies: 0 }
  const make = (text: string, id = `r${++made.replies}`) => ({ id, text, at: clock.now() })
  const api: Api = {
    shown: [],
    others: [],
    isGone: false,
    add(text, id) {
      const reply = make(text, id)
      api.shown.unshift(reply)
      return reply
    },
  }
  return {
    shown: api.shown,
    fetch: (request) => fetch(api, request),
    isSend: ({ method, url }) => method === 'POST' && isSend(new URL(url).pathname),
    replyOfOther(text) {
      api.others.unshift(make(text))
    },
    setGone(isGone) {
      api.isGone = isGone
      if (!isGone) api.others.length = 0
    },
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** A server of Mastodon that has fetched the post of another server, and keeps keys. */
export function createMastodonThread(clock: { now(): number }) {
  const keys = new Map<string, Shown>()
  const none = () => Response.json({ error: 'Record not found' }, { status: 404 })
  const post = { id: '100', uri: 'https://far.test/users/sam/statuses/9', url: 'https://far.test/@sam/9' }
  const wire = (id: string, text: string, account: object, parent: string | null, at = clock.now()) => ({
    id,
    url: `https://social.test/@acme/${id}`,
    in_reply_to_id: parent,
    account,
    created_at: iso(at),
    visibility: 'public',
    content: `<p>${text.replace('@sam@far.test', '<span class="h-card"><a href="https://far.test/@sam">@<span>sam</span></a></span>')}</p>`,
  })
  const acme = { id: '7', acct: 'acme' }
  const sam = { id: '8', acct: 'sam@far.test' }
  const standIn = thread(
    clock,
    (path) => path === '/api/v1/statuses',
    async (api, request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/.well-known/nodeinfo') {
        const href = 'https://social.test/nodeinfo/2.0'
        return Response.json({ links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href }] })
      }
      if (pathname === '/nodeinfo/2.0') {
        return Response.json({ version: '2.0', software: { name: 'mastodon', version: '4.3.8' } })
      }
      if (request.headers.get('authorization') !== 'Bearer mastodon-token') {
        return Response.json({ error: 'The access token is invalid' }, { status: 401 })
      }
      if (pathname === '/api/v1/accounts/verify_credentials')
        return Response.json({ id: '7', username: 'acme' })
      const status = { ...wire(post.id, 'Which plumber?', sam, null), ...post }
      if (pathname === '/api/v2/search') {
        const isIt = searchParams.get('q') === post.url && searchParams.get('resolve') === 'true'
        return Response.json({ accounts: [], hashtags: [], statuses: isIt ? [status] : [] })
      }
      if (pathname === '/api/v1/statuses/100') return api.isGone ? none() : Response.json(status)
      if (pathname === '/api/v1/statuses/100/context') {
        const own = api.shown.map(({ id, text, at }) => wire(id, text, acme, '100', at))
        const deeper = wire('d1', 'Elsewhere', acme, 'r77')
        const others = api.others.map(({ id, text }) => wire(id, text, sam, '100'))
        return Response.json({ ancestors: [], descendants: [...own, deeper, ...others] })
      }
      const one = api.shown.find(({ id }) => pathname === `/api/v1/statuses/${id}`)
      if (one) return Response.json(wire(one.id, one.text, acme, '100', one.at))
      if (request.method === 'GET') return none()
      const given = (await request.json()) as { status: string; in_reply_to_id: string }
      if (given.in_reply_to_id !== '100') return none()
      const key = request.headers.get('idempotency-key') ?? ''
      const reply = keys.get(key) ?? api.add(given.status)
      keys.set(key, reply)
      return Response.json(wire(reply.id, reply.text, acme, '100', reply.at))
    },
  )
  return standIn
}

/** A server of Bluesky with the thread of a post, and a repository in which a key has one record. */
export function createBlueskyThread(clock: { now(): number }) {
  const did = 'did:plc:acme'
  const records = new Map<string, object>()
  const problem = (status: number, error: string) => Response.json({ error, message: error }, { status })
  const root = { uri: 'at://did:plc:ann/app.bsky.feed.post/3kroot', cid: 'bafyroot' }
  const view = (uri: string, author: string, text: string, more: object = {}) => ({
    post: {
      uri,
      cid: `bafy-${uri.slice(-4)}`,
      author: { did: author, handle: 'x.test' },
      record: { text, ...more },
    },
  })
  return thread(
    clock,
    (path) => path.endsWith('repo.createRecord'),
    async (api, request) => {
      const { pathname, searchParams } = new URL(request.url)
      const method = pathname.replace('/xrpc/', '')
      if (method === 'com.atproto.server.createSession') {
        const { password } = (await request.json()) as { password?: string }
        if (password !== 'app-password') return problem(401, 'AuthenticationRequired')
        return Response.json({ did, accessJwt: 'jwt-of-acme', handle: 'acme.test' })
      }
      if (request.headers.get('authorization') !== 'Bearer jwt-of-acme') return problem(401, 'InvalidToken')
      const uri = (key: string) => ({ uri: `at://${did}/app.bsky.feed.post/${key}`, cid: 'bafy' })
      if (method === 'com.atproto.identity.resolveHandle') return Response.json({ did: 'did:plc:sam' })
      if (method === 'com.atproto.repo.getRecord') {
        const key = searchParams.get('rkey') ?? ''
        const isThere = records.has(key) && api.shown.some(({ id }) => id === uri(key).uri)
        return isThere
          ? Response.json({ ...uri(key), value: records.get(key) })
          : problem(400, 'RecordNotFound')
      }
      if (method === 'app.bsky.feed.getPostThread') {
        const asked = searchParams.get('uri') ?? ''
        if (api.isGone || asked !== 'at://did:plc:sam/app.bsky.feed.post/3kpost')
          return problem(400, 'NotFound')
        const reply = { root, parent: root }
        const replies = [
          ...api.shown.map(({ id, text }) => view(id, did, text)),
          ...api.others.map(({ id, text }) =>
            view(`at://did:plc:bob/app.bsky.feed.post/${id}`, 'did:plc:bob', text),
          ),
          { $type: 'app.bsky.feed.defs#blockedPost', uri: 'at://x', blocked: true },
        ]
        return Response.json({
          thread: { ...view(asked, 'did:plc:sam', 'Which plumber?', { reply }), replies },
        })
      }
      const { rkey, record } = (await request.json()) as {
        rkey: string
        record: { text: string; reply?: { root: object; parent: { uri: string } } }
      }
      const isReply = record.reply?.parent.uri === 'at://did:plc:sam/app.bsky.feed.post/3kpost'
      if (!isReply || !Bun.deepEquals(record.reply?.root, root)) return problem(400, 'InvalidRequest')
      if (records.has(rkey)) return problem(400, 'InvalidRequest')
      records.set(rkey, record)
      api.add(record.text, uri(rkey).uri)
      return Response.json(uri(rkey))
    },
  )
}

/** YouTube: a video, a comment on it, and what the channel writes there. */
export function createYouTubeThread(clock: { now(): number }, parent: string | null) {
  const error = (status: number, reason: string) =>
    Response.json(
      { error: { code: status, message: reason, errors: [{ reason, message: reason }] } },
      { status },
    )
  const comment = ({ id, text, at }: Shown, channel: string) => ({
    kind: 'youtube#comment',
    id,
    snippet: {
      textOriginal: text,
      textDisplay: text,
      authorChannelId: { value: channel },
      authorDisplayName: 'x',
      publishedAt: iso(at),
    },
  })
  return thread(
    clock,
    (path) => /\/(?:comments|commentThreads)$/.test(path),
    async (api, request) => {
      const { pathname, searchParams } = new URL(request.url)
      const method = pathname.split('/').at(-1) ?? ''
      if (method === 'token') {
        return Response.json({ access_token: 'channel-token', expires_in: 3_600, token_type: 'Bearer' })
      }
      if (request.headers.get('authorization') !== 'Bearer channel-token') return error(401, 'authError')
      const items = (found: readonly object[]) =>
        Response.json({ kind: 'x', pageInfo: { totalResults: 1 }, items: found })
      if (request.method === 'POST') {
        const { snippet } = (await request.json()) as {
          snippet: {
            parentId?: string
            videoId?: string
            textOriginal?: string
            topLevelComment?: { snippet: { textOriginal: string } }
          }
        }
        const isRight = parent === null ? snippet.videoId === 'vid-1' : snippet.parentId === parent
        if (!isRight) return error(404, 'videoNotFound')
        const reply = api.add(snippet.textOriginal ?? snippet.topLevelComment?.snippet.textOriginal ?? '')
        const made = comment(reply, 'UCacme')
        if (parent !== null) return Response.json(made)
        return Response.json({
          kind: 'youtube#commentThread',
          id: reply.id,
          snippet: { topLevelComment: made },
        })
      }
      if (searchParams.has('id')) {
        const id = searchParams.get('id') ?? ''
        const isIt = id === (parent ?? 'vid-1') && method === (parent === null ? 'videos' : 'comments')
        return items(api.isGone || !isIt ? [] : [{ id }])
      }
      const all = [
        ...api.shown.map((one) => comment(one, 'UCacme')),
        ...api.others.map((one) => comment(one, 'UCother')),
      ]
      if (parent !== null) return items(searchParams.get('parentId') === parent ? all : [])
      return items(all.map((one) => ({ kind: 'x', id: one.id, snippet: { topLevelComment: one } })))
    },
  )
}

/** Reddit: a post, and the comments of the account, which show what it wrote. */
export function createRedditThread(clock: { now(): number }) {
  const listing = (children: readonly object[]) =>
    Response.json({ kind: 'Listing', data: { after: null, dist: children.length, children } })
  const commentOf = ({ id, text, at }: Shown, parent_id: string) => ({
    kind: 't1',
    data: {
      name: id,
      parent_id,
      body: text,
      created_utc: at / 1_000,
      permalink: `/r/leeds/comments/1abc/a/${id}/`,
    },
  })
  const made = { comments: 0 }
  return thread(
    clock,
    (path) => path === '/api/comment',
    async (api, request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/api/v1/access_token') {
        return Response.json({
          access_token: 'account-token',
          expires_in: 86_400,
          token_type: 'bearer',
          scope: '*',
        })
      }
      if (request.headers.get('authorization') !== 'Bearer account-token') {
        return Response.json({ message: 'Unauthorized', error: 401 }, { status: 401 })
      }
      if (pathname === '/api/v1/me') return Response.json({ id: 'acme1', name: 'acme_plumbing' })
      if (pathname === '/api/info') {
        const isIt = searchParams.get('id') === 't3_1abc'
        const removed = api.isGone ? { removed_by_category: 'deleted', author: '[deleted]' } : {}
        return listing(isIt ? [{ kind: 't3', data: { name: 't3_1abc', author: 'sam', ...removed } }] : [])
      }
      if (pathname === '/user/acme_plumbing/comments') {
        return listing([
          ...api.shown.map((one) => commentOf(one, 't3_1abc')),
          commentOf({ id: 't1_old', text: 'x', at: 0 }, 't3_z'),
        ])
      }
      const form = new URLSearchParams(await request.text())
      if (form.get('thing_id') !== 't3_1abc')
        return Response.json({ message: 'Forbidden', error: 403 }, { status: 403 })
      const reply = api.add(form.get('text') ?? '', `t1_c${++made.comments}`)
      const { data } = commentOf(reply, 't3_1abc')
      return Response.json({ json: { errors: [], data: { things: [{ kind: 't1', data }] } } })
    },
  )
}
