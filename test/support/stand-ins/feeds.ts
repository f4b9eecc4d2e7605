import type { MentionStandIn, StandInPost, StandInSourceError } from './sources'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** How a stand-in writes a feed: its content type and text, and the id of each post. */
export interface FeedWriter {
  readonly type: string
  write(posts: readonly StandInPost[]): string
  idOf(post: Pick<StandInPost, 'id'>): string
}

const link = (id: number) => `https://blog.example/posts/${id}`

/** RSS 2.0 with ids that are not addresses. */
export const rss: FeedWriter = {
  type: 'application/rss+xml; charset=utf-8',
  idOf: ({ id }) => `feeds.example post-${id} blog.example/posts/${id}`,
  write: (posts) =>
    `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>A blog</title><link>https://blog.example/</link><language>en</language>${posts
      .map(
        ({
          id,
          text,
          title,
          author,
          at,
        }) => `<item><guid isPermaLink="false">post-${id}</guid><link>${link(id)}</link>
<title>${escaped(title ?? 'A post')}</title><description>short</description><content:encoded><![CDATA[<p>${text}</p>]]></content:encoded>
<dc:creator>${author}</dc:creator><pubDate>${at.toUTCString()}</pubDate></item>`,
      )
      .join('')}</channel></rss>`,
}

/** Atom. */
export const atom: FeedWriter = {
  type: 'application/atom+xml',
  idOf: ({ id }) => `tag:blog.example,2026:${id} feeds.example/posts/${id}`,
  write: (posts) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>A blog</title><id>tag:blog.example</id>${posts
      .map(
        ({
          id,
          text,
          title,
          author,
          at,
        }) => `<entry><source><id>tag:x</id><title>Another feed</title></source>
<id>tag:blog.example,2026:${id}</id><link rel="replies" href="https://blog.example/r"/><link href="/posts/${id}"/>
<title type="text">${escaped(title ?? 'A post')}</title><published>${at.toISOString()}</published>
<updated>${at.toISOString()}</updated><author><name>${author}</name><uri>https://blog.example/me</uri></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>${escaped(text)}</p></div></content></entry>`,
      )
      .join('')}</feed>`,
}

/** JSON Feed 1.1. */
export const json: FeedWriter = {
  type: 'application/feed+json',
  idOf: ({ id }) => `https://blog.example/posts/${id}`,
  write: (posts) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'A blog',
      language: 'en',
      items: posts.map(({ id, text, title, author, at }) => ({
        id: link(id),
        url: link(id),
        title: title ?? 'A post',
        content_html: `<p>${text}</p>`,
        date_published: at.toISOString(),
        authors: [{ name: author, url: 'https://blog.example/me' }],
      })),
    }),
}

/** A feed of Google Alerts: Atom whose links are redirects of Google. */
export const alerts: FeedWriter = {
  type: 'application/atom+xml; charset=UTF-8',
  idOf: ({ id }) => `tag:google.com,2013:googlealerts/feed:${id} blog.example/posts/${id}`,
  write: (posts) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:idx="urn:atom-extension:indexing"><id>tag:google.com,2005:reader/user/1/state/com.google/alerts/2</id>
<title>Google Alert - Acme</title><link href="https://www.google.com/alerts/feeds/1/2" rel="self"></link><updated>2026-03-15T00:00:00Z</updated>${posts
      .map(
        ({ id, text, title, at }) => `<entry><id>tag:google.com,2013:googlealerts/feed:${id}</id>
<title type="html">${escaped(title ?? 'A post about <b>Acme</b>')}</title>
<link href="https://www.google.com/url?rct=j&amp;sa=t&amp;url=${encodeURIComponent(link(id))}&amp;ct=ga&amp;cd=CA&amp;usg=A"></link>
<published>${at.toISOString()}</published><updated>${at.toISOString()}</updated><content type="html">${escaped(text)}</content><author><name></name></author></entry>`,
      )
      .join('')}</feed>`,
}

const errors: Readonly<Record<string, StandInSourceError>> = {
  'a feed that ended': { status: 410, kind: 'unsupported', code: 'gone', body: {} },
  'a limit': { status: 429, kind: 'rate', body: {}, headers: { 'retry-after': '900' }, waitMs: 900_000 },
  'a closed feed': { status: 403, kind: 'permission', body: {} },
}

/** A host with one feed, which knows versions. */
export function createFeedHost(
  writer: FeedWriter,
): MentionStandIn & { readonly unchanged: { count: number } } {
  const held = { posts: [] as readonly StandInPost[] }
  const standIn = {
    errors,
    unchanged: { count: 0 },
    complaints: [] as string[],
    idOf: writer.idOf,
    set(posts: readonly StandInPost[]) {
      held.posts = posts
    },
    async fetch(request: Request) {
      const body = writer.write(held.posts.toSorted((a, b) => b.at.getTime() - a.at.getTime()))
      const etag = `"${Bun.hash(body)}"`
      const headers = { etag, 'content-type': writer.type, 'last-modified': 'Sun, 15 Mar 2026 00:00:00 GMT' }
      if (request.headers.get('if-none-match') !== etag) return new Response(body, { headers })
      standIn.unchanged.count++
      return new Response(null, { status: 304, headers })
    },
  }
  return standIn
}
