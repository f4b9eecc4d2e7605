import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyEntity } from '../../../core/contracts/entity'
import { listPage, recordPage } from '../../../core/http/entities'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
})
afterAll(() => gate.stop())

const problem = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { code: string }),
})

describe('a list', () => {
  let home: Gate
  beforeAll(async () => {
    home = await startGate({ plugins: [notes] })
    for (let place = 0; place < 5; place++) {
      await home.put(Note, { ...aNote, title: `Note ${place}`, score: place * 10 })
      home.clock.advance(5)
    }
    await home.put(Note, { ...aNote, title: 'put away', is_archived: true })
    await home.put(Note, { ...aNote, title: 'gone', removed_at: '2026-01-01T00:00:00.000Z' })
    await home.put(Note, { ...aNote, title: 'theirs' }, home.stranger.workspaceId)
    await home.put(Note, { ...aNote, title: 'elsewhere' }, home.tenant.otherWorkspaceId)
  })
  afterAll(() => home.stop())
  const titles = async (query: string, options = {}) => {
    const response = await home.ask(`/api/entities/Note${query}`, options)
    expect(response.status).toBe(200)
    return ((await response.json()) as { title: string }[]).map(({ title }) => title)
  }

  test("is a bare array of the workspace's rows, newest first", async () => {
    expect(await titles('')).toEqual(['Note 4', 'Note 3', 'Note 2', 'Note 1', 'Note 0'])
  })

  test('reads the workspace that is named, and no other', async () => {
    expect(await titles('', { workspace: home.tenant.otherWorkspaceId })).toEqual(['elsewhere'])
  })

  test('lets a platform credential read any workspace', async () => {
    const asPlatform = { key: home.platform.key, workspace: home.stranger.workspaceId }
    expect(await titles('', asPlatform)).toEqual(['theirs'])
  })

  test('shows what it leaves out only where the filter asks, and never what its source let go', async () => {
    expect(await titles('?q={"is_archived":true}')).toEqual(['put away'])
    expect(await titles('?q={"title":"gone"}')).toEqual([])
  })

  test('never shows a hidden field, nor lets it be filtered, sorted or asked for', async () => {
    const text = await (await home.ask('/api/entities/Note')).text()
    expect(text).not.toContain('secret')
    expect(text).not.toContain('workspace_id')
    for (const query of [
      'q={"secret":"x"}',
      'q={"workspace_id":"x"}',
      'sort=secret',
      'fields=title,secret',
    ]) {
      expect((await home.ask(`/api/entities/Note?${query}`)).status).toBe(422)
    }
  })

  test('pages by cursor without repeats, and says in headers where it goes on', async () => {
    const first = await home.ask('/api/entities/Note?limit=2&sort=-score&count=1')
    expect(first.headers.get('x-has-more')).toBe('true')
    expect(first.headers.get('x-total-count')).toBe('5')
    const cursor = first.headers.get('x-next-cursor') ?? ''
    expect(first.headers.get('link')).toBe(
      `<http://localhost:3000/api/entities/Note?limit=2&sort=-score&count=1&cursor=${cursor}>; rel="next"`,
    )
    const seen = [...((await first.json()) as { title: string }[])].map(({ title }) => title)
    let next: string | null = cursor
    while (next) {
      const page: Response = await home.ask(`/api/entities/Note?limit=2&sort=-score&cursor=${next}`)
      seen.push(...((await page.json()) as { title: string }[]).map(({ title }) => title))
      next = page.headers.get('x-next-cursor')
      if (!next) expect(page.headers.get('x-has-more')).toBe('false')
    }
    expect(seen).toEqual(['Note 4', 'Note 3', 'Note 2', 'Note 1', 'Note 0'])
  })

  test('leads on from a page that was reached by skip', async () => {
    const page = await home.ask('/api/entities/Note?limit=1&skip=2&sort=-score')
    const link = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect(await titles(link.slice(link.indexOf('?')))).toEqual(['Note 1'])
  })

  test('clamps a limit that is too large, and says so', async () => {
    const response = await home.ask('/api/entities/Note?limit=5000')
    expect([response.status, response.headers.get('x-limit-applied')]).toEqual([200, '1000'])
    expect((await home.ask('/api/entities/Note')).headers.get('x-limit-applied')).toBeNull()
  })

  test('is answered 304 while nothing changed, always private and varied by credential and workspace', async () => {
    const first = await home.ask('/api/entities/Note')
    const etag = first.headers.get('etag') ?? ''
    for (const sent of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const again = await home.ask('/api/entities/Note', { headers: { 'if-none-match': sent } })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      expect(again.headers.get('cache-control')).toBe('private')
      expect(again.headers.get('vary')).toBe('Authorization, X-Workspace-Id')
    }
    const changed = await home.ask('/api/entities/Note?limit=1', { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
  })

  test('answers only the fields that were asked for', async () => {
    const rows = (await (await home.ask('/api/entities/Note?fields=title&limit=1')).json()) as object[]
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['id', 'title'])
  })

  test.each([
    ['?colour=red', 400, 'unknown_parameter'],
    ['?limitt=1', 400, 'unknown_parameter'],
    ['?q=[1]', 400, 'malformed_filter'],
    ['?q=%7B', 400, 'malformed_filter'],
    ['?q=%zz', 400, 'malformed_filter'],
    ['?limit=0', 422, 'invalid_parameter'],
    ['?limit=-1', 422, 'invalid_parameter'],
    ['?limit=1.5', 422, 'invalid_parameter'],
    ['?skip=100001', 422, 'invalid_parameter'],
    ['?limit=1&limit=2', 422, 'invalid_parameter'],
    ['?cursor=nonsense', 422, 'invalid_parameter'],
  ])('refuses %s with %d %s', async (query, status, code) => {
    expect(await problem(await home.ask(`/api/entities/Note${query}`))).toMatchObject({ status, code })
  })

  test('names the parameter that was probably meant', async () => {
    const body = (await (await home.ask('/api/entities/Note?limitt=1')).json()) as { errors: object[] }
    expect(body.errors[0]).toMatchObject({ parameter: 'limitt', did_you_mean: 'limit' })
  })
})

describe('a filter that is an attack', () => {
  const attacks: [string, number][] = [
    ['{"stage":{"$ne":1}}', 422],
    ['{"$where":"sleep(1000)"}', 422],
    ['{"title":{"$where":"1"}}', 422],
    ['{"$expr":{"$eq":[1,1]}}', 422],
    ['{"$function":{"body":"x","args":[],"lang":"js"}}', 422],
    ['{"title":{"$regex":".*"}}', 422],
    ['{"$jsonSchema":{}}', 422],
    ['{"$text":{"$search":"x"}}', 422],
    ['{"__proto__":{"stage":"new"}}', 422],
    ['{"constructor":{"prototype":{"x":1}}}', 422],
    ['{"a":{"b":{"$ne":null}}}', 422],
    ['{"title":{"b":{"$ne":null}}}', 422],
    ['{"title.__proto__.x":1}', 422],
    ['{"workspace_id":{"$exists":true}}', 422],
    ['{"$or":[{"workspace_id":"x"},{"stage":"new"}]}', 422],
    ['{"$nor":[]}', 422],
    ['{"title":"\\u0000"}', 422],
    ['{"title":{"$eq":{"$ne":1}}}', 422],
    ['{"title":{"$in":[{"$ne":1}]}}', 422],
    ['{"id":{"$gt":""},"id":{"$gt":{}}}', 422],
    [`{"title":{"$in":${JSON.stringify(Array.from({ length: 201 }, String))}}}`, 422],
    [`{"title":"${'x'.repeat(9000)}"}`, 422],
    [`${'{"$and":['.repeat(8)}{}${']}'.repeat(8)}`, 422],
    ['"stage"', 400],
    ['null', 400],
    ["{'stage':'new'}", 400],
  ]

  test.each(attacks)('%s never reaches a store as it came', async (q, status) => {
    const spied = await startGate({ plugins: [notes] })
    const seen: unknown[] = []
    const { collection } = spied.documents
    const { findJson, count, examined, ...rest } = collection(Note)
    const watch =
      <Args extends unknown[], T>(verb: (...args: Args) => T) =>
      (...args: Args) => {
        seen.push(args)
        return verb(...args)
      }
    const watched = { ...rest, findJson: watch(findJson), count: watch(count), examined: watch(examined) }
    Object.assign(spied.documents, {
      collection: (entity: AnyEntity) => (entity === Note ? watched : collection(entity)),
    })
    const response = await spied.ask(`/api/entities/Note?q=${encodeURIComponent(q)}&count=1`)
    expect(response.status).toBe(status)
    expect(seen).toEqual([])
    await spied.ask('/api/entities/Note?q={"stage":"new"}&count=1')
    expect(seen.length).toBe(3)
    await spied.stop()
  })

  test('a filter cannot widen the clamp by any of its joins', async () => {
    await gate.put(Note, { ...aNote, title: 'not yours' }, gate.stranger.workspaceId)
    for (const q of [
      '{"$or":[{"title":"not yours"},{"stage":"new"}]}',
      '{"$nor":[{"title":"nothing"}]}',
      '{"title":{"$not":{"$eq":"nothing"}}}',
      '{"title":{"$in":["not yours"]}}',
    ]) {
      const rows = await (await gate.ask(`/api/entities/Note?q=${encodeURIComponent(q)}`)).text()
      expect(rows).not.toContain('not yours')
    }
  })
})

describe('a single read', () => {
  test('answers the record, without its hidden fields', async () => {
    const { id } = await gate.put(Note, { ...aNote, title: 'One' })
    const response = await gate.ask(`/api/entities/Note/${id}`)
    const row = (await response.json()) as object
    expect(response.status).toBe(200)
    expect(row).toMatchObject({ id, title: 'One', stage: 'new' })
    expect(Object.keys(row)).not.toContain('secret')
    expect(response.headers.get('etag')).toStartWith('W/"')
    expect(await (await gate.ask(`/api/entities/Note/${id}?fields=stage`)).json()).toEqual({
      id,
      stage: 'new',
    })
  })

  test('shows what lists leave out', async () => {
    const { id } = await gate.put(Note, { ...aNote, removed_at: '2026-01-01T00:00:00.000Z' })
    expect((await gate.ask(`/api/entities/Note/${id}`)).status).toBe(200)
  })

  test('tells another workspace (403) from nowhere (404)', async () => {
    const { id } = await gate.put(Note, aNote, gate.stranger.workspaceId)
    expect(await problem(await gate.ask(`/api/entities/Note/${id}`))).toMatchObject({
      status: 403,
      code: 'not_in_workspace',
    })
    expect(await problem(await gate.ask('/api/entities/Note/not_nowhere'))).toMatchObject({
      status: 404,
      code: 'not_found',
    })
  })

  test('takes fields and nothing else', async () => {
    expect((await gate.ask('/api/entities/Note/x?limit=1')).status).toBe(400)
  })
})

describe('the surface and its ceiling', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s through the entities route is outside the ceiling',
    async (method) => {
      for (const path of [
        '/api/entities/Note',
        '/api/entities/Note/x',
        '/api/entities/Ghost',
        '/api/entities/a/b/c',
      ]) {
        const answer = await problem(await gate.ask(path, { method, body: {} }))
        expect(answer).toMatchObject({ status: 403, code: 'outside_ceiling' })
      }
    },
  )

  test.each([
    '/api/entities/AgentKey',
    '/api/entities/Agency/x',
    '/api/entities/Ghost',
    '/api/entities/note',
    '/api/entities',
    '/api/other',
    '/api',
    '/api/entities/__proto__',
    '/api/entities/Note/x/y',
    '/api/entities/Note/',
  ])('%s is outside the surface', async (path) => {
    expect(await problem(await gate.ask(path))).toMatchObject({ status: 403, code: 'outside_surface' })
  })

  test('Workspace lists the workspaces that the credential reads', async () => {
    const ids = async (key: string) =>
      ((await (await gate.ask('/api/entities/Workspace', { key })).json()) as { id: string }[]).map(
        ({ id }) => id,
      )
    expect((await ids(gate.tenant.key)).sort()).toEqual(
      [gate.tenant.workspaceId, gate.tenant.otherWorkspaceId].sort(),
    )
    expect((await ids(gate.platform.key)).length).toBe(6)
    const foreign = await gate.ask(`/api/entities/Workspace/${gate.stranger.workspaceId}`)
    expect(await problem(foreign)).toMatchObject({ status: 403 })
    // What no workspace is called is no secret: it is not found, with the names that there are.
    for (const name of ['wsp_none', 'No such name'])
      expect(await problem(await gate.ask(`/api/entities/Workspace/${name}`))).toMatchObject({
        status: 404,
        code: 'not_found',
        errors: [{ parameter: 'id', code: 'not_found', allowed: expect.any(Array) }],
      })
  })

  test('HEAD is answered like GET, without a body', async () => {
    const { raw } = gate.listen()
    const answer = await raw(
      `HEAD /api/entities/Note HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${gate.tenant.key}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toStartWith('HTTP/1.1 200')
    expect(answer.split('\r\n\r\n')[1]).toBe('')
  })

  test('a filter that would examine too much names the fields that narrow it', async () => {
    const broad = await startGate({ plugins: [notes] })
    const { collection } = broad.documents
    Object.assign(broad.documents, {
      collection: (entity: typeof Note) => ({
        ...collection(entity),
        examined: async (_: unknown, limit: number) => limit,
      }),
    })
    const answer = await broad.ask('/api/entities/Note?q={"score":1}')
    const body = (await answer.json()) as { code: string; errors: { allowed: string[] }[] }
    await broad.stop()
    expect([answer.status, body.code]).toEqual([422, 'filter_too_broad'])
    expect(body.errors[0]?.allowed).toEqual(['id', 'created_date', 'stage', 'slug'])
  })
})

test('neither a list nor a record is read with a credential without the scope read', async () => {
  const deps = { registry: gate.registry } as never
  for (const scopes of [[], ['write']]) {
    const state = { principal: { scopes }, search: '' } as never
    const refused = { code: 'insufficient_scope', message: 'Reading Note needs the scope "read".' }
    await expect(listPage(deps, state, 'Note')).rejects.toMatchObject(refused)
    await expect(recordPage(deps, state, 'Note', 'not_1')).rejects.toMatchObject(refused)
  }
})
