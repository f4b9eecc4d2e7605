import { identifyingQuery, withoutHighlight } from 'renown/sources'
import { escapedPath } from 'renown/traffic'

/** Fragments that name a part of a page, and no post on it. */
const placeNames =
  /^(?:|!|top|main|content|main-content|comments?|respond|reply|replies|disqus_thread|comment-?form|footer|header|xtor=.*|utm_.*)$/i

/**
 * Returns the address of a post, in one form for all ways to write it. The host is in lower case, without `www.`, `m.` and `amp.`.
 * Tracking parameters and a slash at the end are removed. The fragment stays, because it tells the comments on a page apart. Where
 * the address of a platform contains its id of the post, only that counts. Not an address to open.
 */
export function canonicalUrl(given: string): string {
  const url = URL.parse(given)
  if (url === null) return given
  const known = platformPost(url)
  if (known !== null) return known
  const fragment = withoutHighlight(url.hash).slice(1)
  const page = `${pageOf(url, escapedPath(url.pathname))}${identifyingQuery(url)}`
  return placeNames.test(fragment) ? page : `${page}#${fragment}`
}

/** Whether an address names one post, and not only the page that the post is on. */
export function namesPost(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && (platformPost(url) !== null || !placeNames.test(withoutHighlight(url.hash).slice(1)))
}

/**
 * Returns the address of a page in the form that mentions had in earlier versions: without `ref`, `source`, `si` and the
 * fragment. Mentions that were stored then are found by it.
 */
export function formerUrl(given: string): string {
  const url = URL.parse(given)
  if (url === null) return given
  return `${pageOf(url, url.pathname)}${identifyingQuery(url, (name) => formerNames.test(name))}`
}

const formerNames =
  /^(?:utm_.*|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|si|ref|ref_src|ref_url|source|cmpid)$/i

/** Returns a host and a path, without what many sites add for telephones. */
function pageOf({ host }: URL, path: string): string {
  const parts = path.split('/')
  while (parts.at(-1) === '' || parts.at(-1) === 'amp') parts.pop()
  return `${host.replace(/^(?:(?:www|m|mobile|amp)\.)+/, '').replace(/\.(?=:|$)/, '')}${parts.join('/')}`
}

type PostReader = (url: URL, parts: readonly string[]) => string | null

/** Reads the platform's own id of a post from an address, by the platform's domain. */
const platforms: Readonly<Record<string, PostReader>> = {
  'reddit.com'(_, parts) {
    const at = parts.indexOf('comments')
    const [post, , comment] = at < 0 ? [] : parts.slice(at + 1)
    return post === undefined ? null : joined('reddit.com/comments', post, comment)
  },
  'redd.it': (_, [post, ...more]) =>
    post === undefined || more.length > 0 ? null : joined('reddit.com/comments', post),
  'youtube.com'({ searchParams }, [kind = '', id]) {
    const isShort = ['shorts', 'live', 'embed', 'v'].includes(kind)
    const video = kind === 'watch' ? searchParams.get('v') : isShort ? id : null
    return video ? joined('youtube.com/watch', video, searchParams.get('lc') ?? undefined) : null
  },
  'youtu.be': ({ searchParams }, [video]) =>
    video === undefined ? null : joined('youtube.com/watch', video, searchParams.get('lc') ?? undefined),
  'news.ycombinator.com'({ searchParams, hash }, [kind]) {
    const id = /^#\d{1,15}$/.test(hash) ? hash.slice(1) : searchParams.get('id')
    return kind === 'item' && id ? joined('news.ycombinator.com/item', id) : null
  },
  'x.com': (_, parts) => statusOf(parts),
  'twitter.com': (_, parts) => statusOf(parts),
  'stackoverflow.com': (url, parts) => stackPost(url, parts),
  'stackexchange.com': (url, parts) => stackPost(url, parts),
  'superuser.com': (url, parts) => stackPost(url, parts),
  'serverfault.com': (url, parts) => stackPost(url, parts),
  'askubuntu.com': (url, parts) => stackPost(url, parts),
}

function platformPost(url: URL): string | null {
  const labels = url.hostname.replace(/^www\./, '').split('.')
  const domain = [labels.join('.'), labels.slice(-2).join('.')].find((name) => Object.hasOwn(platforms, name))
  if (domain === undefined) return null
  const parts = url.pathname.split('/').filter((part) => part !== '')
  return platforms[domain]?.(url, parts) ?? null
}

const joined = (...parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join('/')

function statusOf(parts: readonly string[]): string | null {
  const at = parts.findIndex((part) => part === 'status' || part === 'statuses')
  const id = at < 0 ? undefined : parts[at + 1]
  return id !== undefined && /^\d{1,20}$/.test(id) ? `x.com/status/${id}` : null
}

/** Questions, answers and comments of a Stack Exchange site. Answers are named in the path or behind the `#`. */
function stackPost({ hostname, hash }: URL, [kind, id, , answer]: readonly string[]): string | null {
  const site = hostname.replace(/^www\./, '')
  const number = /^\d{1,12}$/
  if (id === undefined || !number.test(id)) return null
  if (kind === 'q' || kind === 'a') return `${site}/${hash.startsWith('#comment') ? `${id}${hash}` : id}`
  if (kind !== 'questions') return null
  const place = hash.slice(1)
  if (place.startsWith('comment')) return `${site}/${id}#${place}`
  const own = [answer, place].find((part) => part !== undefined && number.test(part))
  return `${site}/${own ?? id}`
}
