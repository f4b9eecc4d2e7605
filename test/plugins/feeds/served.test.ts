import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { readSource } from 'renown/leads'
import plugin from '../../../plugins/feeds'
import { feeds } from '../../../plugins/feeds/feeds'
import { platformWorld } from '../../support/source-world'
import served from './served-feeds.json'

const target = 'https://feeds.example/feed.xml'
const blog = 'http://blog.example'
const now = new Date('2026-11-28T12:00:00.000Z')
type Answers = Readonly<Record<string, () => Response>>

/** Reads the feed of a host, with the last cursor. Other addresses answer with status 404. */
async function read(answers: Answers, cursor: string | null = null) {
  const asked: string[] = []
  const world = await platformWorld({ plugin, isSafelyFetched: true }, async ({ url }) => {
    asked.push(url)
    return answers[url]?.() ?? new Response('no', { status: 404 })
  })
  world.bench.now = now
  const request = { target, cursor, since: '2026-01-01T00:00:00.000Z', signal: new AbortController().signal }
  try {
    return { ...(await readSource(world.ctx, feeds, request)), asked }
  } finally {
    await world.stop()
  }
}

const one = (body: string | Uint8Array<ArrayBuffer>, type = 'application/xml') =>
  read({ [target]: () => new Response(body, { headers: { 'content-type': type } }) })
const lines = ({ posts }: Awaited<ReturnType<typeof read>>) =>
  posts.map(({ url, title, body, posted_at }) => [url, title ?? body, posted_at ?? null])

describe('a feed as websites serve it', () => {
  test.each(served.map((feed) => [feed.name, feed] as const))('%s', async (_, feed) => {
    const { type, text, body_base64 } = feed as { type?: string; text?: string; body_base64?: string }
    const bytes = body_base64 ? Uint8Array.from(Buffer.from(body_base64, 'base64')) : (text ?? '')
    const found = await one(bytes, type)
    expect(lines(found)).toEqual(feed.posts)
    expect(new Set(found.posts.map(({ source_id }) => source_id)).size).toBe(feed.posts.length)
    expect(found.unread).toHaveLength(feed.name === 'cut' ? 1 : 0)
  })
})

const item = (inside: string) => `<item><title>t</title>${inside}</item>`
const rss = (inside: string, more = '') =>
  `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" ${more}><channel><title>c</title><link>${blog}/</link>${inside}</channel></rss>`
const atom = (entry: string, more = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${more}><title>c</title><link href="${blog}/"/><id>c</id><entry><title>t</title>${entry}</entry></feed>`
const urls = async (body: string) => (await one(body)).posts.map(({ url }) => url)
const bodies = async (body: string) => (await one(body)).posts.map((post) => post.body)

describe('the posts of a feed', () => {
  test.each([
    ['a constant text', 'feed-1'],
    ['the address of the site', `${blog}/`],
    ['an empty text', ''],
    ['a tag', 'tag:blog.example,2026:all'],
  ])('are all kept if their id is %s', async (_, guid) => {
    const items = [1, 2, 3].map((n) =>
      item(`<guid isPermaLink="false">${guid}</guid><link>${blog}/${n}</link>`),
    )
    const { posts } = await one(rss(items.join('')))
    expect(posts.map(({ url }) => url)).toEqual([1, 2, 3].map((n) => `${blog}/${n}`))
    expect(new Set(posts.map(({ source_id }) => source_id)).size).toBe(3)
  })

  test('are all kept if they share an id and an address, and keep their ids in the next reading', async () => {
    const of = (...numbers: number[]) =>
      rss(
        numbers
          .map(
            (n) =>
              `<item><title>post ${n}</title><guid>g</guid><link>${blog}/changes</link><pubDate>0${n} Nov 2026 10:00 GMT</pubDate></item>`,
          )
          .join(''),
      )
    const first = await read({ [target]: () => new Response(of(1, 2)) })
    const next = await read({ [target]: () => new Response(of(2)) }, first.cursor)
    expect(new Set(first.posts.map(({ source_id }) => source_id)).size).toBe(2)
    expect(next.posts[0]?.source_id).toBe(first.posts[1]?.source_id)
  })

  test('are all kept if only their words tell them apart', async () => {
    const items = ['a', 'b'].map(
      (word) => `<item><link>${blog}/</link><description>${word}</description></item>`,
    )
    expect(await bodies(rss(items.join('')))).toEqual(['a', 'b'])
  })

  test('keep their id when only what counts visits changes in their address', async () => {
    const at = (query: string) =>
      one(rss(item(`<guid isPermaLink="false">7</guid><link>${blog}/7${query}</link>`)))
    const [a, b] = await Promise.all([at(''), at('?utm_source=rss')])
    expect(a?.posts[0]?.source_id).toBe(b?.posts[0]?.source_id as string)
  })

  test.each([
    ['the link of the channel', rss(item('<link>/a</link>')), `${blog}/a`],
    ['the link of an Atom feed', atom('<link href="a"/>'), `${blog}/a`],
    [
      'nothing, if they leave out the scheme',
      rss(item('<link>www.other.example/a</link>')),
      'http://www.other.example/a',
    ],
    [
      'nothing, if they are escaped twice',
      rss(item(`<link>${blog}/?a=1&amp;amp;b=2</link>`)),
      `${blog}/?a=1&b=2`,
    ],
    ['xml:base of the feed', atom('<link href="a"/>', `xml:base="${blog}/x/"`), `${blog}/x/a`],
    ['xml:base of the channel', rss(item('<link>a</link>'), `xml:base="${blog}/y/"`), `${blog}/y/a`],
    [
      'a base within a base',
      atom(`<link xml:base="z/" href="a"/>`, `xml:base="${blog}/x/"`),
      `${blog}/x/z/a`,
    ],
  ])('have addresses relative to %s', async (_, body, url) => {
    expect(await urls(body)).toEqual([url])
  })

  test.each([
    ['only the feed itself', atom('<link rel="self" href="/self"/>'), `${blog}/self`],
    ['an id that is one', atom(`<id>${blog}/by-id</id>`), `${blog}/by-id`],
    ['a file', atom('<link rel="enclosure" href="/a.mp3"/>'), `${blog}/a.mp3`],
    ['a text elsewhere', atom('<content src="/text"/>'), `${blog}/text`],
    ['a permanent id', rss(item(`<guid>${blog}/perma</guid>`)), `${blog}/perma`],
    ['a film', rss(item(`<media:content url="${blog}/a.mp4"/>`)), `${blog}/a.mp4`],
    ['no address, but an id', atom('<id>urn:uuid:1</id>'), `${blog}/#item-urn:uuid:1`],
    ['a link and a file', rss(item(`<enclosure url="${blog}/a.mp3"/><link>${blog}/a</link>`)), `${blog}/a`],
    [
      'the full name of alternate',
      atom('<link rel="http://www.iana.org/assignments/relation/alternate" href="/a"/>'),
      `${blog}/a`,
    ],
  ])('have an address if they give %s', async (_, body, url) => {
    expect(await urls(body)).toEqual([url])
  })

  test.each([
    [
      'media:description',
      rss(
        item(`<link>${blog}/1</link><media:group><media:description>words</media:description></media:group>`),
      ),
    ],
    ['itunes:summary', rss(item(`<link>${blog}/1</link><itunes:summary>words</itunes:summary>`))],
    ['itunes:subtitle', rss(item(`<link>${blog}/1</link><itunes:subtitle>words</itunes:subtitle>`))],
    [
      'markup that nobody escaped',
      rss(item(`<link>${blog}/1</link><description><p>wo<b>rd</b>s</p></description>`)),
    ],
    [
      'Atom with a prefix within RSS',
      rss(
        item(
          `<link>${blog}/1</link><a:summary xmlns:a="http://www.w3.org/2005/Atom">no</a:summary><description>words</description>`,
        ),
      ),
    ],
    [
      'another prefix than the usual one',
      rss(
        item(`<link>${blog}/1</link><c:encoded>words</c:encoded>`),
        'xmlns:c="http://purl.org/rss/1.0/modules/content/"',
      ),
    ],
  ])('have the words of %s', async (_, body) => {
    expect(await bodies(body)).toEqual(['words'])
  })

  test.each([
    ['a warning', '<br />\n<b>Warning</b>: x in <b>/a.php</b> on line 3<br />\n<?xml version="1.0"?>'],
    ['a notice without XML', 'Notice: Undefined index: x in /a.php on line 3\n'],
    ['empty lines', '\n\n  \n'],
    ['a comment', '<!-- cached by x -->'],
    ['a style sheet', '<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?>'],
  ])('are read after %s', async (_, start) => {
    expect(await urls(`${start}${rss(item(`<link>${blog}/1</link>`))}`)).toEqual([`${blog}/1`])
  })

  test('have the address for people, not the one for programs', async () => {
    const both = '<link type="application/json" href="/a.json"/><link type="text/html" href="/a"/>'
    expect(await urls(atom(both))).toEqual([`${blog}/a`])
    expect(await urls(atom('<link type="application/json" href="/a.json"/>'))).toEqual([`${blog}/a.json`])
  })

  test('are all read if nobody closes them', async () => {
    const items = [1, 2, 3].map((n) => `<item><title>${n}</title><link>${blog}/${n}</link>`)
    expect(await urls(rss(items.join('')))).toEqual([1, 2, 3].map((n) => `${blog}/${n}`))
  })

  test('are read before what a program printed after them', async () => {
    const found = await one(`${rss(item(`<link>${blog}/1</link>`))}<!-- 3 ms --><p>Fatal error</p>`)
    expect([found.posts.length, found.unread]).toEqual([1, []])
  })
})

const words = 'Zürich — Bäckerei ñandú'
const feedOfWords = (label: string) =>
  `<?xml version="1.0"${label === '' ? '' : ` encoding="${label}"`}?>${rss(`<item><title>${words}</title><link>${blog}/1</link></item>`)}`
const wide = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return Uint8Array.from(isBig ? bytes.swap16() : bytes)
}
const narrow = (text: string) => Uint8Array.from(Buffer.from(text.replace('—', '-'), 'latin1'))

describe('what feeds of the wild say in other ways', () => {
  const a10 = 'xmlns:a10="http://www.w3.org/2005/Atom"'
  const written = '<pubDate>Thu, 26 Nov 2026 10:00:00 GMT</pubDate>'

  test('posts of one title, time, author and address are kept if their words differ', async () => {
    const items = [1, 2, 3].map(
      (n) =>
        `<item><title>Re: x</title><link>${blog}/post/</link><guid>g</guid>${written}<description>words ${n}</description></item>`,
    )
    expect(await bodies(rss(items.join('')))).toEqual(['words 1', 'words 2', 'words 3'])
  })

  test('an item of RSS may have the author, the dates and the text of Atom', async () => {
    const body = rss(
      item(
        `<link>${blog}/1</link><a10:author><a10:name>Ann</a10:name></a10:author><a10:updated>2026-11-26T10:00:00Z</a10:updated><a10:content type="html">words</a10:content>`,
      ),
      a10,
    )
    expect((await one(body)).posts).toMatchObject([
      { author: { handle: 'Ann' }, posted_at: '2026-11-26T10:00:00.000Z', body: 'words' },
    ])
  })

  test.each(['garbage', '2026-11-26'])('a second date counts if the first is %s', async (date) => {
    const body = rss(
      item(`<link>${blog}/1</link><pubDate>${date}</pubDate><dc:date>2026-11-26T10:00:00Z</dc:date>`),
    )
    const found = await one(body)
    expect(found.posts[0]?.posted_at).toBe('2026-11-26T10:00:00.000Z')
    expect(found.doubts ?? []).toEqual([])
  })

  test.each([
    ['Atom', atom('<link href="/1"/>').replace('<entry>', '<author><name>Ann</name></author><entry>')],
    [
      'JSON Feed',
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        authors: [{ name: 'Ann' }],
        items: [{ id: '1', url: `${blog}/1`, title: 't' }],
      }),
    ],
  ])('the author of a feed of %s wrote the items that name none', async (_, body) => {
    expect((await one(body)).posts[0]?.author?.handle).toBe('Ann')
  })

  test('who made a picture is not who wrote the post', async () => {
    const picture = `<media:content url="${blog}/1.jpg"><media:credit>Agency</media:credit></media:content>`
    const other = '<media:credit role="photographer">Agency</media:credit>'
    const { posts } = await one(rss(item(`<link>${blog}/1</link>${picture}${other}`)))
    expect(posts[0]?.author?.handle ?? '').toBe('')
  })

  test('words of HTML that is not escaped stay apart', async () => {
    const items = ['a', 'b'].map((n) =>
      item(`<link>${blog}/${n}</link><description>blue<br>bottle<img src="i">cafe</description>`),
    )
    expect(await bodies(rss(items.join('')))).toEqual(['blue\nbottle\ncafe', 'blue\nbottle\ncafe'])
    const many = item(`<link>${blog}/1</link><description>${'x<br>'.repeat(300)}end</description>`)
    expect((await bodies(rss(many)))[0]).toEndWith('end')
  })

  test('the address is the one before that of a service', async () => {
    const own = `<link>http://counted.example/~r/1</link><feedburner:origLink>${blog}/1</feedburner:origLink>`
    const feedburner = 'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"'
    expect(await urls(rss(item(own), feedburner))).toEqual([`${blog}/1`])
  })
})

describe('the encoding of a feed', () => {
  test.each<readonly [string, Uint8Array<ArrayBuffer>, string]>([
    ['UTF-16 without a mark', wide(feedOfWords('utf-16'), false), 'text/xml'],
    ['big UTF-16 without a mark', wide(feedOfWords(''), true), 'text/xml'],
    ['UTF-8 that says it is UTF-16', Uint8Array.from(Buffer.from(feedOfWords('utf-16'))), 'text/xml'],
    [
      'UTF-8 whose server says Latin-1',
      Uint8Array.from(Buffer.from(feedOfWords('utf-8'))),
      'text/xml; charset=iso-8859-1',
    ],
    ['UTF-8 in a file', Uint8Array.from(gzipSync(feedOfWords('utf-8'))), 'application/gzip'],
  ])('%s', async (_, body, type) => {
    expect((await one(body, type)).posts[0]?.title).toBe(words)
  })

  test.each([
    ['Latin-1 that says nothing', ''],
    ['Latin-1 that says it is UTF-8', 'utf-8'],
    ['Latin-1 that says so', 'iso-8859-1'],
  ])('%s', async (_, label) => {
    expect((await one(narrow(feedOfWords(label)))).posts[0]?.title).toBe(words.replace('—', '-'))
  })
})

const page = (head: string) =>
  `<!doctype html><html><head><title>Blog</title>${head}</head><body><p>Hello</body></html>`
const link = (href: string, type = 'application/rss+xml', title = 'Posts') =>
  `<link rel="alternate" type="${type}" title="${title}" href="${href}">`

describe('a page entered as a feed', () => {
  const feed = () => new Response(rss(item(`<link>${blog}/1</link>`)), { headers: { etag: '"1"' } })

  test('is searched for its feed, which is read from then on', async () => {
    const own = 'https://feeds.example/posts.rss'
    const site = () => new Response(page(`${link('/c.rss', undefined, 'Comments')}${link('/posts.rss')}`))
    const first = await read({ [target]: site, [own]: feed })
    expect([first.posts.map(({ url }) => url), first.read_from, first.asked]).toEqual([
      [`${blog}/1`],
      own,
      [target, own],
    ])
    const next = await read({ [own]: () => new Response(null, { status: 304 }) }, first.cursor)
    expect([next.isUnchanged, next.asked]).toEqual([true, [own]])
    const moved = 'https://feeds.example/new.rss'
    const again = await read(
      { [target]: () => new Response(page(link('new.rss'))), [moved]: feed },
      first.cursor,
    )
    expect([again.read_from, again.asked]).toEqual([moved, [own, target, moved]])
  })

  test.each([
    ['Atom', link('a', 'application/atom+xml')],
    ['JSON Feed', link('a', 'application/feed+json')],
    ['a base', `<base href="/">${link('a', 'application/rss+xml; charset=utf-8')}`],
    ['a word more in rel', '<link rel="alternate home" type="APPLICATION/RSS+XML" href="/a">'],
  ])('is searched for %s', async (_, head) => {
    const found = await read({ [target]: () => new Response(page(head)), 'https://feeds.example/a': feed })
    expect(found.posts).toHaveLength(1)
  })

  test('is searched for the addresses of feeds that people follow, after those of its head', async () => {
    const body = page('').replace(
      '<p>',
      '<a href="/about">About</a><a href="/comments/feed/">c</a><a href="/feed/">RSS</a>',
    )
    const found = await read({ [target]: () => new Response(body), 'https://feeds.example/feed/': feed })
    expect(found.read_from).toBe('https://feeds.example/feed/')
  })

  test('is a fault where a feed was read before, and leads to no other feed', async () => {
    const first = await read({ [target]: feed })
    const answers = {
      [target]: () => new Response(page(link('/other'))),
      'https://feeds.example/other': feed,
    }
    await expect(read(answers, first.cursor)).rejects.toThrow('it is a web page now')
  })

  test('that a program printed before a feed does not hide it', async () => {
    const body = `${page('')}<?xml version="1.0"?>\n${rss(item(`<link>${blog}/1</link>`))}`
    expect(await urls(body)).toEqual([`${blog}/1`])
  })

  test('that names no feed, or none that can be read, is a fault with the reason', async () => {
    await expect(one(page(''), 'text/html')).rejects.toThrow('it is a web page that names no feed')
    await expect(one(page(link('/none')), 'text/html')).rejects.toThrow(
      'the feed that it names answered with status 404',
    )
  })
})

describe('a date in a feed', () => {
  const dated = (...dates: string[]) =>
    one(rss(dates.map((date, n) => item(`<link>${blog}/${n}</link><pubDate>${date}</pubDate>`)).join('')))

  test('that cannot be read is unknown, and is counted with its reason', async () => {
    const { posts, doubts } = await dated(
      '26/11/2026 10:00',
      'soon',
      '2027-11-26T10:00:00Z',
      '26 Nov 2026 10:00 CET',
    )
    expect(posts.map(({ posted_at }) => posted_at)).toEqual([
      undefined,
      undefined,
      undefined,
      '2026-11-26T09:00:00.000Z',
    ])
    expect(doubts?.map(({ reason }) => reason).toSorted()).toEqual([
      'posted_at',
      'the date "26/11/2026 10:00": it says no zone that is known for certain',
      'the date "soon": it says no time of day',
    ])
  })

  test('is read in the language of the feed', async () => {
    const body = rss(
      `<language>pl</language>${item(`<link>${blog}/1</link><pubDate>czw, 26 lis 2026 10:00:00 +0100</pubDate>`)}`,
    )
    expect((await one(body)).posts[0]?.posted_at).toBe('2026-11-26T09:00:00.000Z')
  })

  test('is that of the last change only if there is no other', async () => {
    const both = atom('<link href="/1"/><published>soon</published><updated>2026-11-26T10:00:00Z</updated>')
    expect((await one(both)).posts[0]).toMatchObject({ edited_at: '2026-11-26T10:00:00.000Z' })
    expect((await one(both)).posts[0]).not.toHaveProperty('posted_at')
  })
})

describe('a hostile feed', () => {
  const size = 4_000_000
  const fill = (part: string) => part.repeat(Math.floor(size / part.length))
  const bomb = `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">${Array.from('bcdefghij', (name, n) => `<!ENTITY ${name} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]>`

  test.each([
    ['many elements', () => rss(item(`<link>${blog}/1</link>${fill('<a></a>')}`))],
    ['many open tags', () => rss(item(fill('<a>')))],
    ['many attributes', () => rss(item(`<link>${blog}/1</link><a ${fill('b="c" ')}/>`))],
    [
      'many namespaces',
      () =>
        rss(
          item(
            `<link>${blog}/1</link>${Array.from({ length: 60_000 }, (_, n) => `<a xmlns:p${n}="urn:${n}"/>`).join('')}`,
          ),
        ),
    ],
    ['many links in one item', () => rss(item(fill(`<link>${blog}/1</link>`)))],
    ['many empty items', () => rss(fill('<item/>'))],
    [
      'deep markup in a text',
      () => rss(item(`<link>${blog}/1</link><description>${'<p>'.repeat(90)}${fill('x<br/>')}`)),
    ],
    [
      'entities in entities',
      () => `${bomb}${rss(item(`<link>${blog}/1</link><description>&j;</description>`))}`,
    ],
    ['many lesser-than signs', () => fill('<')],
    ['many spaces', () => `${fill(' ')}${rss('')}`],
    ['a page of links', () => page(fill(link('/a')))],
    ['many open comments', () => fill('<!--')],
    ['deep JSON', () => `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(size / 2)}`],
  ])(
    'with %s takes bounded work',
    async (_, make) => {
      const body = make()
      const before = process.cpuUsage()
      await one(body).catch(() => null)
      const { user } = process.cpuUsage(before)
      expect(user / 1_000).toBeLessThan(6_000)
    },
    30_000,
  )

  test('in a small archive is not unpacked beyond the limit', async () => {
    const archive = Uint8Array.from(gzipSync(Buffer.alloc(64 * 2 ** 20, 32)))
    await expect(one(archive)).rejects.toThrow('is larger than')
  })
})
