import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin, Refusal, where } from 'renown'
import type { PublicAddress, PublicPageDeclaration } from 'renown/pages'
import * as v from 'valibot'
import { Agency } from '../../../../../core/tenancy/Agency'
import { WhiteLabelDomain } from '../../../../../core/tenancy/domains/WhiteLabelDomain'
import { type Gate, type GateOptions, startGate } from '../../../../support/harness'

const token = 'abcdefGHIJ12'
const changed_at = '2026-03-04T05:06:07.800Z'

const looked: string[] = []
const sent: unknown[] = []
let address: PublicAddress | null = null
let text = 'Hello'
const board: PublicPageDeclaration<{ text: string }> = {
  summary: 'A board',
  async find(_, asked) {
    looked.push(asked.hash)
    expect(asked.hash).toBe(new Bun.CryptoHasher('sha256').update(asked.text).digest('hex'))
    return asked.text === token ? address : null
  },
  page: {
    module: new URL('../../../../support/pages/greeting.tsx', import.meta.url),
    title: 'Greeting',
    load: async () => ({ text }),
    style: '.greeting{color:red}',
    submit: {
      input: v.strictObject({ answer: v.picklist(['yes', 'no']) }),
      async run(_, { id }, { answer }) {
        if (answer === 'no') throw new Refusal('conflict', 'Nobody may refuse.')
        sent.push([id, answer])
      },
    },
  },
  files: {
    'notes.xml': {
      type: 'application/rss+xml',
      load: async (_, { id }, { url, origin }) => ({ body: `<a>${id} ${url} ${origin}</a>`, changed_at }),
    },
    'large.json': {
      type: 'application/json',
      load: async () => ({ body: 'x'.repeat(2 * 1024 * 1024 + 1), changed_at }),
    },
  },
}
/** A page that shows more after its password, for as long as the answer lasts. */
const locked: PublicPageDeclaration<{ text: string }> = {
  summary: 'A locked page',
  find: async (_, asked) => (asked.text === token ? address : null),
  page: {
    module: new URL('../../../../support/pages/greeting.tsx', import.meta.url),
    title: 'Locked',
    load: async (_, __, { shown, url }) => ({ text: shown === undefined ? 'closed' : `${shown} at ${url}` }),
    headOf: ({ text: loaded }) =>
      loaded === 'closed' ? {} : { title: 'Opened', brand: 'Harbour & Co', rules: '.a{color:#123456}' },
    submit: {
      input: v.strictObject({ password: v.string() }),
      isGuess: true,
      async run(_, __, { password }) {
        if (password !== 'right') throw new Refusal('conflict', 'Wrong password.')
        return { shown: 'secret' }
      },
    },
  },
}
const plugin = definePlugin({
  name: 'boards',
  summary: 'Boards',
  renown: '^1.0.0',
  publicPages: { board, locked, bare: { summary: 'Files only', find: async () => address, files: {} } },
})

describe('a public page of a plugin', () => {
  let gate: Gate
  const open = async (options: GateOptions = {}) => {
    await gate?.stop()
    gate = await startGate({ ...options, plugins: [plugin] })
    address = { id: 'brd_1', workspace_id: gate.tenant.workspaceId }
  }
  beforeEach(async () => {
    for (const list of [looked, sent]) list.length = 0
    text = 'Hello'
    await open()
  })
  afterAll(() => gate.stop())

  const ask = (path = `/p/board/${token}`, { method = 'GET', headers = {}, body = '' } = {}) =>
    gate.ask(path, {
      key: null,
      method,
      headers: { accept: 'text/html', ...headers },
      ...(method === 'POST'
        ? { body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }
        : {}),
    })

  test('is shown without a cookie, a script or a word to search engines', async () => {
    const answer = await ask(undefined, { headers: { cookie: 'visit=abc; look=dark.wide' } })
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('<h1>Hello</h1>')
    expect(html).not.toContain('<script')
    expect(html).not.toContain('data-theme')
    const { headers } = answer
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*form-action 'self'$/)
  })

  test('links its own style sheet', async () => {
    const sheets = (await (await ask()).text()).match(/\/app\/assets\/\w+\.css/g) ?? []
    const bodies = await Promise.all(sheets.map(async (path) => (await gate.ask(path, { key: null })).text()))
    expect(bodies).toContain('.greeting{color:red}')
  })

  test('escapes what its plugin loads', async () => {
    text = '<script>alert(1)</script>'
    expect(await (await ask()).text()).toContain('&lt;script>alert(1)&lt;/script>')
  })

  test('takes its form without a token, and shows why it was refused', async () => {
    const done = await ask(undefined, { method: 'POST', body: 'answer=yes', headers: { origin: 'null' } })
    expect([done.status, done.headers.get('location')]).toEqual([303, `/p/board/${token}`])
    expect(sent).toEqual([['brd_1', 'yes']])
    for (const [body, fault] of [
      ['answer=no', 'Nobody may refuse.'],
      ['answer=x', 'A value in the form is invalid.'],
    ] as const) {
      const refused = await ask(undefined, { method: 'POST', body })
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([422, null])
      expect(await refused.text()).toContain(fault)
    }
    expect(sent).toHaveLength(1)
  })

  test('answers a form with the page itself, once, and stores nothing', async () => {
    const path = `/p/locked/${token}`
    const opened = await ask(path, { method: 'POST', body: 'password=right' })
    expect([opened.status, opened.headers.get('set-cookie')]).toEqual([200, null])
    const html = await opened.text()
    expect(html).toContain(`secret at http://localhost:3000${path}`)
    expect(html).toContain('<title>Opened · Harbour &amp; Co</title>')
    expect(html).not.toContain('Renown')
    const refused = await ask(path, { method: 'POST', body: 'password=wrong' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).not.toContain('secret')
    expect(await (await ask(path)).text()).toContain('closed')
  })

  test('may have rules of its own, and its policy allows exactly these', async () => {
    const opened = await ask(`/p/locked/${token}`, { method: 'POST', body: 'password=right' })
    const [, rules = ''] = /<style>(.*?)<\/style>/.exec(await opened.text()) ?? []
    const digest = new Bun.CryptoHasher('sha256').update(rules).digest('base64')
    expect(rules).toBe('.a{color:#123456}')
    expect(opened.headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${digest}';`)
    expect((await ask()).headers.get('content-security-policy')).toContain("style-src 'self';")
  })

  test('counts passwords by page and network, and reads of the page are not affected', async () => {
    await open({ settings: { LIMIT_PUBLIC_PASSWORDS_PER_15_MINUTES: '2' } })
    gate.clock.stop()
    const guess = async () => (await ask(`/p/locked/${token}`, { method: 'POST', body: 'password=x' })).status
    expect([await guess(), await guess(), await guess()]).toEqual([422, 422, 429])
    expect((await ask(`/p/locked/${token}`)).status).toBe(200)
    expect((await ask(undefined, { method: 'POST', body: 'answer=no' })).status).toBe(422)
  })

  test('answers the same to an unknown token, a malformed one, an unknown page and an unknown file', async () => {
    const paths = [
      `/p/board/${token}x`,
      '/p/board/short',
      `/p/boards/${token}`,
      `/p/board/${token}/other.xml`,
      `/p/board/${token}/notes.xml/x`,
      `/p/board/${token}/`,
      `/p/bare/${token}`,
      '/p/board',
      '/p/',
      `/p/board/${token}/toString`,
    ]
    for (const path of paths) {
      const answer = await ask(path, { headers: { accept: 'application/json' } })
      const { code, detail } = (await answer.json()) as { code: string; detail: string }
      expect([path, answer.status, code, detail]).toEqual([
        path,
        404,
        'not_found',
        'There is nothing at this address.',
      ])
    }
  })

  test('shows nothing of an inactive agency', async () => {
    await gate.owner.rows(Agency).updateMany(where.and(), { is_active: false })
    expect((await ask()).status).toBe(404)
    expect((await ask(undefined, { method: 'POST', body: 'answer=yes' })).status).toBe(404)
    expect(sent).toEqual([])
  })

  test("is on the domain of its own agency under that agency's name, and on no other agency's", async () => {
    const on = async (domain: string, agency_id: string) => {
      await gate.put(WhiteLabelDomain, { agency_id, domain, state: 'verified', token: 't' }, agency_id)
      return ask(undefined, { headers: { host: domain } })
    }
    const own = await on('own.test', gate.tenant.agencyId)
    const agency = await gate.owner.rows(Agency).get(gate.tenant.agencyId)
    const html = await own.text()
    expect(own.status).toBe(200)
    expect(html).toContain(`<title>Greeting · ${agency?.name}</title>`)
    expect(html).not.toContain('Renown')
    expect((await on('other.test', gate.stranger.agencyId)).status).toBe(404)
  })

  test('sends a file with its type, that every site may read and keep for some minutes', async () => {
    const path = `/p/board/${token}/notes.xml`
    const answer = await ask(path)
    expect(await answer.text()).toBe(
      `<a>brd_1 http://localhost:3000/p/board/${token} http://localhost:3000</a>`,
    )
    const { headers } = answer
    expect(headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('last-modified')).toBe('Wed, 04 Mar 2026 05:06:07 GMT')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('set-cookie')).toBeNull()
    const head = await ask(path, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', headers.get('etag')])
  })

  test('answers 304 to a reader that has the file', async () => {
    const path = `/p/board/${token}/notes.xml`
    const etag = (await ask(path)).headers.get('etag') ?? ''
    const known = [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", ${etag}` },
      { 'if-modified-since': 'Wed, 04 Mar 2026 05:06:07 GMT' },
    ]
    for (const headers of known) {
      const answer = await ask(path, { headers })
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag])
    }
    const outdated = [
      { 'if-none-match': '"x"', 'if-modified-since': 'Wed, 04 Mar 2026 05:06:07 GMT' },
      { 'if-modified-since': 'Wed, 04 Mar 2026 05:06:06 GMT' },
      { 'if-modified-since': 'yesterday' },
    ]
    for (const headers of outdated) expect((await ask(path, { headers })).status).toBe(200)
  })

  test('sends no file that is too large', async () => {
    expect((await ask(`/p/board/${token}/large.json`)).status).toBe(500)
  })

  test('refuses other methods, and says which it takes', async () => {
    const page = await ask(undefined, { method: 'DELETE', headers: { accept: 'application/json' } })
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD'])
    const file = await ask(`/p/board/${token}/notes.xml`, { method: 'POST', headers: { accept: '*/*' } })
    expect([file.status, file.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('limits the requests of each address before it looks anything up, and those for unknown ones', async () => {
    await open({
      settings: { LIMIT_PUBLIC_PER_MINUTE: '2', LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: '1' },
    })
    gate.clock.stop()
    const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status)
    expect([statuses, looked.length]).toEqual([[200, 200, 429], 2])
    const guesses = [await ask(`/p/board/${token}1`), await ask(`/p/board/${token}2`)]
    expect(guesses.map(({ status }) => status)).toEqual([404, 429])
  })

  test('never writes its token into the log', async () => {
    const lines: string[] = []
    const note = (message: string, fields?: object) => void lines.push(JSON.stringify([message, fields]))
    await open({ log: { debug: note, info: note, warn: note, error: note } })
    await ask()
    await ask(`/p/board/${token}/notes.xml`)
    expect(lines.join()).toContain('/p/board/')
    expect(lines.join()).not.toContain(token)
  })

  test('needs a name in kebab-case that no other plugin has, and a page or files', async () => {
    const named = (own: string, publicPages: Record<string, object>) =>
      definePlugin({ name: own, summary: own, renown: '^1.0.0', publicPages: publicPages as never })
    const page = { summary: 'x', find: async () => null, files: {} }
    const faults: [string, ...ReturnType<typeof named>[]][] = [
      ['public page name "Board"', named('a', { Board: page })],
      ['both a and b declare the public page x', named('a', { x: page }), named('b', { x: page })],
      ['public page x has neither a page nor files', named('a', { x: { summary: 'x', find: page.find } })],
      ['public file name "RSS"', named('a', { x: { ...page, files: { RSS: board.files?.['notes.xml'] } } })],
    ]
    for (const [fault, ...plugins] of faults) await expect(startGate({ plugins })).rejects.toThrow(fault)
  })
})
