import { createGoogle } from './google'
import {
  createBluesky,
  createLocalPosts,
  createMastodon,
  createReceiver,
  createWordpress,
} from './post-platforms'

/** The secret of the receiver of webhooks. */
export const standInSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** What happens to a request, and to its answer. */
export interface Meddling {
  /** Before the platform sees a request. An answer keeps it from the platform. */
  before(kind: 'post' | 'look'): Response | null
  /** After the platform has accepted a post. An answer replaces that of the platform. */
  after(): Response | null
}

/** The stand-ins of five platforms behind one server, by the host in the first part of the path. */
export function killedPlatforms(clock: { now(): number }, meddling: Meddling) {
  const accounts = createGoogle(clock)
  const pages = { made: 0 }
  // Every second page waits for an editor.
  const site = createWordpress(clock, { status: () => (++pages.made % 2 === 1 ? 'pending' : 'publish') })
  const platforms = {
    // Its list is late, as those of large servers are.
    'social.test': createMastodon(clock, { lagMs: 100_000 }),
    'receiver.test': createReceiver(clock),
    'bsky.test': createBluesky(clock),
    'site.test': site,
    'google.test': createLocalPosts(clock, async (request) => {
      if (new URL(request.url).pathname === '/token') return accounts.fetch(request)
      const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
      return accounts.tokens.has(token) ? null : Response.json({}, { status: 401 })
    }),
  }
  const setup = /createSession|\/token$|verify_credentials|users\/me|nodeinfo/
  return {
    /** How often each text is shown on any platform. */
    shown(): Map<string, number> {
      const counts = new Map<string, number>()
      for (const { shown } of Object.values(platforms)) {
        for (const { text } of shown) {
          const [name = text] = /News [\w-]{36}/.exec(text) ?? []
          counts.set(name, (counts.get(name) ?? 0) + 1)
        }
      }
      return counts
    },
    /** The pages that wait for an editor. */
    pending(): ReadonlySet<string> {
      const texts = site.shown.filter(({ id }) => site.statuses.get(id) === 'pending').map(({ text }) => text)
      return new Set(texts.map((text) => /News [\w-]{36}/.exec(text)?.[0] ?? text))
    },
    /** An editor releases every page that waits. */
    release(): void {
      for (const id of site.statuses.keys()) site.statuses.set(id, 'publish')
    },
    async fetch(request: Request): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      const [, host = '', ...rest] = pathname.split('/')
      const platform = platforms[host as keyof typeof platforms]
      if (!platform) return new Response('', { status: 404 })
      const { method, headers } = request
      const body = method === 'GET' ? {} : { body: await request.text() }
      const inner = new Request(`https://${host}/${rest.join('/')}${search}`, { method, headers, ...body })
      if (setup.test(pathname)) return platform.fetch(inner)
      const isPost = platform.isCreate(inner)
      const kept = meddling.before(isPost ? 'post' : 'look')
      if (kept) return kept
      const answer = await platform.fetch(inner)
      return (isPost ? meddling.after() : null) ?? answer
    },
  }
}
