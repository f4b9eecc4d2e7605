import { describe, expect, test } from 'bun:test'
import zlib from 'node:zlib'
import { assistants } from '../../../../ingest/data/assistants'
import { beaconScript } from '../../../../ingest/http/beacon/beacon-script'
import { browser, gptBot, site, withIngest } from '../../support/ingest'
import { readJournal } from '../../support/journal'

/** Runs the script in a page made of stand-ins; answers what it posted. */
function visit(page: {
  url?: string
  referrer?: string
  navigator?: Record<string, unknown>
  type?: number
  /** Whether nobody looks yet: a background tab, or a page that is rendered ahead. */
  isHidden?: boolean
  isTrial?: boolean
  /** How often its tag stands in the page. */
  tags?: number
  /** Loaded with `type=module`: the browser names no current script. */
  isModule?: boolean
}): { posts: { url: string; body: string; init: RequestInit }[]; look(isHidden?: boolean): void } {
  const posts: { url: string; body: string; init: RequestInit }[] = []
  let listeners: { name: string; tell: () => void; isOnce: boolean }[] = []
  const tag = { src: 'https://hits.example.net/s/key1.js' }
  const document = {
    referrer: page.referrer ?? '',
    currentScript: page.isModule ? null : tag,
    querySelector: (wanted: string) => (wanted === 'script[src*="/s/rnw_"]' ? tag : null),
    hidden: page.isHidden ?? false,
    addEventListener: (name: string, tell: () => void, { once = false } = {}) =>
      void listeners.push({ name, tell, isOnce: once }),
  }
  const globals = {
    document,
    navigator: { userAgent: browser, ...page.navigator },
    location: new URL(page.url ?? 'https://example.com/pricing?x=1#y'),
    performance: { navigation: { type: page.type ?? 0 } },
    fetch: async (url: string, init: RequestInit) => posts.push({ url, init, body: String(init.body) }),
  }
  const script = beaconScript({ respectDnt: true, isTrial: page.isTrial ?? false })
  for (let left = page.tags ?? 1; left > 0; left--) {
    new Function(...Object.keys(globals), script)(...Object.values(globals))
  }
  /** Tells the script that the page is looked at, or no longer. */
  function look(isHidden = false) {
    document.hidden = isHidden
    const told = listeners.filter(({ name }) => name === 'visibilitychange')
    listeners = listeners.filter(({ isOnce }) => !isOnce)
    for (const { tell } of told) tell()
  }
  return { posts, look }
}
const sent = (page: Parameters<typeof visit>[0]) => visit(page).posts.map(({ body }) => body)
const chatGpt = 'https://chatgpt.com/'

describe('the script', () => {
  test('is under 900 bytes gzipped', () => {
    for (const respectDnt of [false, true]) {
      expect(zlib.gzipSync(beaconScript({ respectDnt, isTrial: false }), { level: 9 }).length).toBeLessThan(
        900,
      )
    }
  })

  test('posts once to its own address what matched and the path, and nothing else of the page', () => {
    const { posts } = visit({ referrer: chatGpt })
    expect(posts.map(({ url, body }) => [url, body])).toEqual([
      ['https://hits.example.net/s/key1', ',https://chatgpt.com/,/pricing'],
    ])
    expect(posts[0]?.init).toMatchObject({ method: 'POST', keepalive: true })
  })

  test('posts once however often its tag stands in the page, hidden or not', () => {
    expect(sent({ referrer: chatGpt, tags: 3 })).toHaveLength(1)
    const { posts, look } = visit({ referrer: chatGpt, tags: 2, isHidden: true })
    look()
    expect(posts).toHaveLength(1)
  })

  test('finds its own tag where it is loaded as a module, and throws nothing where it does not', () => {
    expect(visit({ referrer: chatGpt, isModule: true }).posts.map(({ url }) => url)).toEqual([
      'https://hits.example.net/s/key1',
    ])
    const bare = { document: { querySelector: () => null, referrer: chatGpt }, navigator: {}, location: {} }
    const script = beaconScript({ respectDnt: true, isTrial: false })
    new Function(...Object.keys(bare), script)(...Object.values(bare))
  })

  test("knows every app of the registry, by its package and by its own browser's mark", () => {
    const apps = assistants.flatMap(({ android = [] }) => android)
    const markers = assistants.flatMap((assistant) => assistant.markers ?? [])
    expect([apps.length, markers.length]).toEqual([8, 4])
    for (const app of apps) {
      expect(sent({ referrer: `android-app://${app}/` })).toEqual([`,android-app://${app}/,/pricing`])
    }
    for (const marker of markers) {
      const userAgent = `${browser} ${marker}/1.3.92`
      expect(sent({ navigator: { userAgent } })).toEqual([',,/pricing'])
      expect(sent({ navigator: { userAgent }, referrer: 'https://news.example/' })).toEqual([])
      expect(sent({ navigator: { userAgent: `${browser} x${marker}/1.0` } })).toEqual([])
    }
  })

  test('knows every host of the registry, and below it', () => {
    for (const host of assistants.flatMap(({ hosts }) => hosts)) {
      expect(sent({ referrer: `https://${host}/` })).toHaveLength(1)
      expect(sent({ referrer: `https://www.${host}/` })).toHaveLength(1)
    }
  })

  test.each([
    '',
    'https://www.google.com/',
    'https://evilchatgpt.com/',
    'https://chatgpt.com.evil.example/',
    'https://x.com/',
    'https://www.bing.com/',
    'https://example.org/?u=//chatgpt.com/',
    'https://chat-z.ai/',
  ])('sends nothing after %j', (referrer) => {
    expect(sent({ referrer })).toEqual([])
  })

  test('believes utm_source only where there is no referrer', () => {
    const url = 'https://example.com/?utm_source=chatgpt.com'
    expect(sent({ url })).toEqual([',//chatgpt.com/,/'])
    expect(sent({ url: 'https://example.com/?a=1&utm_source=ChatGPT' })).toEqual([',//ChatGPT/,/'])
    expect(sent({ url, referrer: 'https://github.com/' })).toEqual([])
    for (const source of ['newsletter', 'mychatgpt.com', 'x', 'chatgpt.com.evil', '']) {
      expect(sent({ url: `https://example.com/?utm_source=${source}` })).toEqual([])
    }
  })

  test('leaves alone who asks for it, automated browsers, reloads and the way back', () => {
    const refused = [
      { navigator: { globalPrivacyControl: true } },
      { navigator: { doNotTrack: '1' } },
      { navigator: { webdriver: true } },
      { type: 1 },
      { type: 2 },
    ]
    for (const page of refused) expect(sent({ ...page, referrer: chatGpt })).toEqual([])
    const driven = { navigator: { webdriver: true }, referrer: chatGpt }
    expect(sent({ ...driven, isTrial: true })).toHaveLength(1)
  })

  test.each(['about:srcdoc', 'about:blank', 'data:text/html,x', 'blob:https://example.com/1'])(
    'sends nothing from a frame at %s, whose page has sent it already',
    (url) => {
      expect(sent({ url, referrer: chatGpt })).toEqual([])
      expect(sent({ url, navigator: { userAgent: `${browser} Kimi/1.2` } })).toEqual([])
      expect(sent({ url: 'http://example.com/', referrer: chatGpt })).toHaveLength(1)
    },
  )

  test('waits until somebody looks at a background tab, or at a page made ahead, and posts once', () => {
    const { posts, look } = visit({ referrer: chatGpt, isHidden: true })
    expect(posts).toEqual([])
    look()
    expect(posts).toHaveLength(1)
    look(true)
    look()
    expect(posts).toHaveLength(1)
  })

  test('reports a test visit whatever the page', () => {
    const url = 'https://example.com/a?renown_check=nonce-1'
    expect(sent({ url, navigator: { webdriver: true }, type: 1 })).toEqual(['nonce-1,,/a'])
  })
})

describe('the beacon’s door', () => {
  const headers = { origin: 'https://www.example.com', 'user-agent': browser, authorization: '' }
  const arrival = ',https://chatgpt.com/,/pricing?secret#x'
  const hitsAfter = async (work: Parameters<typeof withIngest>[0]) => {
    let hits: unknown[] = []
    await withIngest(async (tested) => {
      await work(tested)
      await tested.ingest.flush()
      hits = (await readJournal(tested.directory)).hits
    })
    return hits
  }

  test('counts a visit under the assistant’s host, and answers any origin', async () => {
    const hits = await hitsAfter(async ({ send }) => {
      const told = await send('/s/key1', arrival, headers)
      expect([told.status, told.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
      await send('/s/key1', ',//chatgpt/,/b', headers)
      await send('/s/key1', JSON.stringify({ p: '/c', r: 'https://www.perplexity.ai/search?q=x' }), headers)
    })
    expect(hits).toMatchObject([
      {
        kind: 'visit',
        site_id: 'site_1',
        agent: 'chatgpt.com',
        path: '/pricing',
        category: '',
        date: '2026-11-20',
      },
      { kind: 'visit', agent: 'chatgpt.com', path: '/b' },
      { kind: 'visit', agent: 'perplexity.ai', path: '/c' },
    ])
  })

  test('drops what is no visit from an assistant to this site', async () => {
    const hits = await hitsAfter(async ({ send }) => {
      const dropped: [string, Record<string, string>][] = [
        ['nonce-1,,/a', {}],
        [',https://www.google.com/,/', {}],
        [',,/', {}],
        ['nonsense', {}],
        ['{"p":', {}],
        [arrival, { origin: 'https://other.org' }],
        [arrival, { origin: 'https://example.com.evil.org' }],
        [arrival, { origin: 'null' }],
        [arrival, { 'sec-gpc': '1' }],
        [arrival, { dnt: '1' }],
        [arrival, { 'user-agent': gptBot }],
      ]
      for (const [body, more] of dropped) {
        expect((await send('/s/key1', body, { ...headers, ...more })).status).toBe(204)
      }
    })
    expect(hits).toEqual([])
  })

  test('notes a test visit and never counts it, whatever it came from', async () => {
    const matches = ['', 'https://chatgpt.com/', '//chatgpt.com/', 'https://www.perplexity.ai/']
    const hits = await hitsAfter(async ({ send, ingest }) => {
      for (const [n, match] of matches.entries()) {
        const told = await send('/s/key1', `nonce-${n},${match},/a`, headers)
        expect([told.status, told.headers.get('x-counted')]).toEqual([204, '0'])
      }
      const marked = { ...headers, 'user-agent': `${browser} DoubaoApp/1.2` }
      expect((await send('/s/key1', 'nonce-9,,/a', marked)).headers.get('x-counted')).toBe('0')
      const { test_visits } = await ingest.signals('site_1')
      expect(test_visits.map(({ nonce }) => nonce)).toEqual([
        'nonce-9',
        ...matches.map((_, n) => `nonce-${n}`).reverse(),
      ])
      expect(
        await (await ingest.fetch(new Request('http://localhost/metrics'), () => '127.0.0.1')).text(),
      ).not.toMatch(/_hits_total\{kind="visit"\} [1-9]/)
    })
    expect(hits).toEqual([])
  })

  test('serves the script to keep for a day, compressed where that is taken', () =>
    withIngest(async ({ ingest }) => {
      const get = (name: string, more: Record<string, string> = {}) =>
        ingest.fetch(new Request(`http://localhost/s/${name}`, { headers: more }), () => null)
      const plain = await get('key1.js')
      expect(await plain.text()).toBe(beaconScript({ respectDnt: true, isTrial: false }))
      expect(plain.headers.get('content-type')).toStartWith('text/javascript')
      expect(plain.headers.get('cache-control')).toContain('max-age=86400')
      const gzip = await get('key1.js', { 'accept-encoding': 'br, gzip' })
      expect(String(zlib.gunzipSync(await gzip.bytes()))).toBe(
        beaconScript({ respectDnt: true, isTrial: false }),
      )
      const etag = plain.headers.get('etag') ?? ''
      expect((await get('key1.js', { 'if-none-match': etag })).status).toBe(304)
      expect((await get('other.js')).status).toBe(404)
      ingest.setSites({ sites: [{ ...site, is_active: false }] })
      expect((await get('key1.js')).status).toBe(404)
    }))

  test("counts what the script sends of every app: its package, or nothing but its own browser's mark", () =>
    withIngest(async ({ ingest, directory, send }) => {
      const apps = assistants.flatMap(({ name, android = [], markers = [] }) => [
        ...android.map((app) => ({ name, body: `,android-app://${app}/,/b`, ua: browser })),
        ...markers.map((marker) => ({ name, body: ',,/b', ua: `${browser} ${marker}/1.2` })),
      ])
      for (const { body, ua } of apps) await send('/s/key1', body, { ...headers, 'user-agent': ua })
      await ingest.flush()
      const counted = (await readJournal(directory)).hits.map(({ agent }) => agent)
      const hostOf = (name: string) => assistants.find((one) => one.name === name)?.hosts[0] ?? ''
      expect(counted).toEqual(apps.map(({ name }) => hostOf(name)))
    }))

  test('bounds a site’s visits, and its logs are still taken', () =>
    withIngest(
      async ({ send }) => {
        const taken: number[] = []
        for (let n = 0; n < 20; n++) taken.push((await send('/s/key1', arrival, headers)).status)
        expect(taken).not.toContain(429)
        const refused = await send('/s/key1', arrival, headers)
        expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, '*'])
        expect((await send('/v1/hits', '')).status).toBe(200)
        expect((await send('/s/key1', 'x'.repeat(9_000), headers)).status).toBe(429)
      },
      { env: { INGEST_BEACONS_PER_SECOND: '2' } },
    ))
})
