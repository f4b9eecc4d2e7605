import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { defineOperation, definePlugin, foreignEntity, ServiceFault } from 'renown'
import * as v from 'valibot'
import { everything, where } from '../../../core/contracts/where'
import { IdempotentAnswer } from '../../../core/requests/IdempotentAnswer'
import { type AskOptions, type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes, readers } from '../../support/notes-plugin'

let failing = true
const ForeignNote = foreignEntity('Note', { title: v.string() })
const faulty = definePlugin({
  name: 'faulty',
  renown: '^1.0.0',
  reads: [ForeignNote],
  operations: [
    defineOperation({
      name: 'answerTooMuch',
      summary: 'Answers more than its output declares',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({ title: v.string() }),
      run: async () => ({ title: 'x', secret: 'never' }) as { title: string },
    }),
    defineOperation({
      name: 'answerWrong',
      summary: 'Answers outside its output',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({ title: v.string() }),
      run: async () => ({ title: 5 }) as unknown as { title: string },
    }),
    defineOperation({
      name: 'failOnce',
      summary: 'Fails until it is mended',
      class: 'draft',
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({ ok: v.boolean() }),
      run: async () => {
        if (failing) throw new Error('a private detail')
        return { ok: true }
      },
    }),
    defineOperation({
      name: 'askOutside',
      summary: 'Fails as a service outside does',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({ kind: v.picklist(['transient', 'permission']), ms: v.optional(v.number()) }),
      output: v.object({}),
      run: async (_, { kind, ms }) => {
        throw new ServiceFault(kind, 'a private detail', ms === undefined ? {} : { retryAfterMs: ms })
      },
    }),
    defineOperation({
      name: 'requestOf',
      summary: 'Tells which request it answers',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({ request: v.string() }),
      run: async (ctx) => ({ request: ctx.requestId }),
    }),
    defineOperation({
      name: 'verbsOf',
      summary: 'Tells the verbs of a read context',
      class: 'read',
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({ verbs: v.array(v.string()), context: v.array(v.string()) }),
      run: async (ctx) => ({ verbs: Object.keys(ctx.rows(ForeignNote)), context: Object.keys(ctx) }),
    }),
  ],
})

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes, readers, faulty] })
})
afterAll(() => gate.stop())

interface Answer {
  status: number
  code?: string
  errors?: { pointer?: string; header?: string; code: string; allowed?: unknown[]; did_you_mean?: string }[]
  [name: string]: unknown
}
const call = async (name: string, body?: unknown, options?: AskOptions): Promise<Answer> => {
  const response = await gate.call(name, body, options)
  return { status: response.status, ...((await response.json()) as object) }
}
const noteCount = () => gate.documents.collection(Note).count(everything)

describe('the body of an operation', () => {
  test('may be empty, which is {}', async () => {
    const response = await gate.ask('/api/functions/countNotes', { method: 'POST' })
    expect([response.status, await response.json()]).toEqual([200, { count: 0 }])
  })

  test.each([
    ['[]', 400, 'malformed_body'],
    ['"text"', 400, 'malformed_body'],
    ['null', 400, 'malformed_body'],
    ['{', 400, 'malformed_body'],
    ['{"stage":"new"}x', 400, 'malformed_body'],
    ['{"colour":"red"}', 422, 'unknown_field'],
    ['{"__proto__":{"stage":"new"}}', 422, 'unknown_field'],
    ['{"dry_run":true}', 422, 'unknown_field'],
    ['{"stage":"gone"}', 422, 'invalid_field'],
    ['{"stage":null}', 422, 'invalid_field'],
  ])('%s is %d %s', async (body, status, code) => {
    expect(await call('countNotes', body)).toMatchObject({ status, code })
  })

  test('must come as JSON, without an encoding', async () => {
    const sent = (headers: Record<string, string>) => call('countNotes', '{}', { headers })
    expect(await sent({ 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await sent({ 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({ status: 415 })
    expect(await sent({ 'content-type': 'application/json; charset=utf-16' })).toMatchObject({ status: 415 })
    expect(await sent({ 'content-type': 'application/json', 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
    })
    expect(await sent({ 'content-type': 'Application/JSON; charset=UTF-8' })).toMatchObject({ status: 200 })
  })

  test('is refused over a mebibyte, by its length and in chunks alike', async () => {
    const big = `{"stage":"${'x'.repeat(1024 * 1024)}"}`
    expect(await call('countNotes', big)).toMatchObject({ status: 413, code: 'payload_too_large' })
    const { raw } = gate.listen()
    const head = `POST /api/functions/countNotes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${gate.tenant.key}\r\nContent-Type: application/json\r\n`
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`
    expect(await raw(chunked)).toStartWith('HTTP/1.1 413')
    // Refused by its length: the body that never comes is not waited for.
    expect(await raw(`${head}Content-Length: 99999999\r\n\r\n`)).toStartWith('HTTP/1.1 413')
  })

  test('is what was sent, neither less nor more, whichever way its length is told', async () => {
    const { raw } = gate.listen()
    const head = `POST /api/functions/countNotes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${gate.tenant.key}\r\nContent-Type: application/json\r\n`
    expect(await raw(`${head}Content-Length: 2\r\n\r\n{}`)).toStartWith('HTTP/1.1 200')
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toStartWith(
      'HTTP/1.1 200',
    )
    expect(await raw(`${head}Content-Length: 1\r\n\r\n{}`)).toStartWith('HTTP/1.1 400')
    const both = `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
    expect(await raw(both)).toStartWith('HTTP/1.1 400')
  })

  test('is told what is wrong by pointer, with the values that are accepted and the name that was meant', async () => {
    expect((await call('countNotes', { stage: 'gone' })).errors?.[0]).toMatchObject({
      pointer: '/stage',
      allowed: ['new', 'done'],
    })
    expect((await call('countNotes', { stagee: 'new' })).errors?.[0]).toMatchObject({
      pointer: '/stagee',
      did_you_mean: 'stage',
    })
    expect((await call('draftNote', {})).errors?.[0]).toMatchObject({ pointer: '/title', code: 'required' })
    expect((await call('markNotes', { ids: ['a', 5] })).errors?.[0]).toMatchObject({ pointer: '/ids/1' })
  })

  test('names by pointer the text that no store holds, and what it holds', async () => {
    expect(await call('markNotes', { ids: ['a', 'b: c\u0000'] })).toMatchObject({
      status: 422,
      code: 'invalid_field',
      errors: [
        {
          pointer: '/ids/1',
          code: 'invalid',
          message: 'must not contain U+0000 or half of a surrogate pair',
        },
      ],
    })
  })

  test('names each field that is not accepted, at most 20 of them and 5 in the sentence', async () => {
    const body = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`odd${at}`, 1]))
    const { detail, errors = [] } = await call('countNotes', body)
    expect(detail).toContain('does not accept odd0, odd1, odd2, odd3, odd4.')
    expect(errors.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 20 }, (_, at) => `/odd${at}`))
    const long = await call('countNotes', { ['x'.repeat(300)]: 1 })
    expect(long.detail).toContain(`does not accept ${'x'.repeat(200)}.`)
  })
})

describe('the ceiling', () => {
  test.each(['deleteEverything', 'CountNotes', '__proto__', 'constructor', 'countNotes/x'])(
    '%s is outside the surface',
    async (name) => {
      expect(await call(name, {})).toMatchObject({ status: 403, code: 'outside_surface' })
    },
  )

  test('an operation and the surface take no query parameter', async () => {
    const call = await gate.ask('/api/functions/countNotes?stage=new', { method: 'POST', body: {} })
    expect([call.status, ((await call.json()) as Answer).code]).toEqual([400, 'unknown_parameter'])
    expect((await gate.ask('/api/surface?x=1')).status).toBe(400)
  })

  test('an operation is called by POST only', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await gate.ask('/api/functions/countNotes', { method })
      expect(response.status).toBe(403)
    }
  })

  test('a read has no verb that writes, at run time either', async () => {
    const { verbs } = await call('verbsOf')
    expect(verbs).toEqual(['get', 'list', 'pages', 'each', 'count', 'group', 'daySums', 'groupEntries'])
  })

  test("another plugin's rows are read by the fields that were named, and never written", async () => {
    const { id } = await gate.put(Note, { ...aNote, title: 'theirs to read' })
    const { rows } = (await call('readTitles')) as unknown as { rows: { id: string }[] }
    const row = rows.find((one) => one.id === id) ?? {}
    expect(Object.keys(row).sort()).toEqual(['created_date', 'id', 'title', 'updated_date', 'workspace_id'])
    const before = await noteCount()
    for (const by of ['name', 'declaration']) {
      expect(await call('writeForeign', { by })).toMatchObject({ status: 500, code: 'internal' })
    }
    expect(await noteCount()).toBe(before)
  })
})

describe('workspaces and agencies', () => {
  test('an operation works in the workspace that is named', async () => {
    const { otherWorkspaceId } = gate.tenant
    const { id } = await call('draftNote', { title: 'there' }, { workspace: otherWorkspaceId })
    const row = await gate.documents.collection(Note).get(String(id))
    expect(row?.workspace_id).toBe(otherWorkspaceId)
    expect((await call('countNotes', {}, { workspace: otherWorkspaceId })).count).toBe(1)
  })

  test('an unreadable workspace is the same 403 whether it exists or not', async () => {
    const at = async (workspace: string) => {
      const { request_id: _, ...rest } = await call('countNotes', {}, { workspace })
      return rest
    }
    const existing = await at(gate.stranger.workspaceId)
    expect(existing).toMatchObject({ status: 403, code: 'workspace_not_readable' })
    expect(await at('wsp_none')).toEqual(existing)
    expect(await at('')).toEqual(existing)
  })

  test("a platform credential is refused in another agency where the operation is its agency's own, before any read", async () => {
    const there = { key: gate.platform.key, workspace: gate.stranger.workspaceId }
    expect(await call('countNotes', {}, there)).toMatchObject({ status: 200 })
    expect(await call('draftNote', { title: 'x' }, there)).toMatchObject({
      status: 403,
      code: 'cross_agency_refused',
    })
    expect(await call('draftNote', '[nonsense', there)).toMatchObject({ code: 'cross_agency_refused' })
    const own = { key: gate.platform.key, workspace: gate.platform.otherWorkspaceId }
    expect(await call('draftNote', { title: 'x' }, own)).toMatchObject({ status: 200 })
  })
})

describe('a write', () => {
  test('is stamped, checked against the entity and answered without what the output does not declare', async () => {
    const answer = await call('draftNote', { title: 'Stamped' })
    expect(answer).toEqual({ status: 200, id: expect.stringMatching(/^not_[0-9A-Z]{26}$/), title: 'Stamped' })
    const row = await gate.documents.collection(Note).get(String(answer.id))
    expect(row).toMatchObject({
      workspace_id: gate.tenant.workspaceId,
      created_date: row?.updated_date ?? '',
    })
    const long = await call('draftNote', { title: 'x'.repeat(201) })
    expect(long).toMatchObject({ status: 422, code: 'invalid_field' })
    expect(long.errors?.[0]?.pointer).toBe('/title')
  })

  test('that a unique index forbids is a conflict that names the field', async () => {
    expect(await call('draftNote', { title: 'a', slug: 'once' })).toMatchObject({ status: 200 })
    const again = await call('draftNote', { title: 'b', slug: 'once' })
    expect(again).toMatchObject({ status: 409, code: 'conflict' })
    expect(await call('draftNote', { title: 'b', slug: 'once', dry_run: true })).toMatchObject({
      status: 409,
    })
  })

  test('in a dry run answers what would be written and writes nothing', async () => {
    const before = await noteCount()
    expect(await call('draftNote', { title: 'dry', dry_run: true })).toMatchObject({
      status: 200,
      title: 'dry',
    })
    expect(await noteCount()).toBe(before)
    expect(await call('draftNote', { title: 'dry', dry_run: 'yes' })).toMatchObject({ status: 422 })
  })
})

describe('a mark', () => {
  test('stamps once, in its workspace only, and tells which', async () => {
    const own = await gate.put(Note, aNote)
    const foreign = await gate.put(Note, aNote, gate.stranger.workspaceId)
    const refused = await call('markNotes', { ids: [own.id, foreign.id] })
    expect(refused).toMatchObject({ code: 'not_in_workspace', errors: [{ pointer: '/ids/1' }] })
    const body = { ids: [own.id, own.id, 'not_none'] }
    expect((await call('markNotes', { ...body, dry_run: true })).stamped).toEqual([own.id])
    expect((await call('markNotes', body)).stamped).toEqual([own.id])
    const stamp = (await gate.documents.collection(Note).get(own.id))?.seen_at
    gate.clock.advance(1000)
    expect((await call('markNotes', body)).stamped).toEqual([])
    expect((await gate.documents.collection(Note).get(own.id))?.seen_at).toBe(stamp)
    expect((await gate.documents.collection(Note).get(foreign.id))?.seen_at).toBeUndefined()
  })
})

describe('an Idempotency-Key', () => {
  const under = (key: string, more: AskOptions = {}): AskOptions => ({
    ...more,
    headers: { 'idempotency-key': key },
  })

  test('gets the first answer again, and writes once', async () => {
    const before = await noteCount()
    const first = await gate.call('draftNote', { title: 'once', slug: 's1' }, under('k1'))
    const again = await gate.call('draftNote', { slug: 's1', title: 'once' }, under('k1'))
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
    expect(await noteCount()).toBe(before + 1)
  })

  test('with another body is refused', async () => {
    await call('draftNote', { title: 'a' }, under('k2'))
    expect(await call('draftNote', { title: 'b' }, under('k2'))).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    })
  })

  test('is another key in another workspace, operation or agency', async () => {
    await call('draftNote', { title: 'a' }, under('k3'))
    const before = await noteCount()
    const elsewhere = under('k3', { workspace: gate.tenant.otherWorkspaceId })
    expect(await call('draftNote', { title: 'b' }, elsewhere)).toMatchObject({ status: 200 })
    expect(await call('draftNote', { title: 'c' }, under('k3', { key: gate.stranger.key }))).toMatchObject({
      status: 200,
    })
    expect(await noteCount()).toBe(before + 2)
  })

  test('writes once where eight requests come at the same time', async () => {
    const before = await noteCount()
    const all = await Promise.all(
      Array.from({ length: 8 }, () => call('draftNote', { title: 'rush' }, under('k4'))),
    )
    expect(await noteCount()).toBe(before + 1)
    expect(new Set(all.map(({ status }) => status)).size).toBeLessThanOrEqual(2)
    for (const { status, id } of all)
      expect(status === 409 || (status === 200 && id !== undefined)).toBe(true)
  })

  test('is free again after a failure and after 24 hours', async () => {
    expect(await call('failOnce', {}, under('k5'))).toMatchObject({ status: 500 })
    failing = false
    expect(await call('failOnce', {}, under('k5'))).toMatchObject({ status: 200 })
    await call('draftNote', { title: 'old' }, under('k6'))
    gate.clock.advance(24 * 60 * 60_000 + 1)
    expect(await call('draftNote', { title: 'new' }, under('k6'))).toMatchObject({
      status: 200,
      title: 'new',
    })
  })

  test('is held by a name of its own, also when a caller sends a request id twice', async () => {
    const requestId = 'same-request-id'
    for (const key of ['k-held-1', 'k-held-2'])
      await call(
        'draftNote',
        { title: key },
        {
          headers: { 'idempotency-key': key, 'x-request-id': requestId },
        },
      )
    const rows = await gate.documents.collection(IdempotentAnswer).find({
      where: { op: 'startsWith', field: 'holder', value: `${requestId} ` },
      sort: [],
      limit: 9,
    })
    expect(rows).toHaveLength(2)
    expect(new Set(rows.map(({ holder }) => holder)).size).toBe(2)
  })

  test('whose first request died is taken over after two minutes, not before', async () => {
    await call('draftNote', { title: 'dead' }, under('k7'))
    const rows = gate.documents.collection(IdempotentAnswer)
    const found = await rows.find({ where: everything, sort: [], limit: 1_000 })
    const row = found.find(({ answer }) => String(answer).includes('"dead"'))
    const busy = new Date(gate.clock.now().getTime() + 60_000).toISOString()
    await rows.updateOne(where.eq('id', row?.id ?? ''), { set: { busy_until: busy }, unset: ['answer'] })
    expect(await call('draftNote', { title: 'dead' }, under('k7'))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    gate.clock.advance(60_001)
    expect(await call('draftNote', { title: 'dead' }, under('k7'))).toMatchObject({ status: 200 })
  })

  test('means nothing to a read', async () => {
    const first = await call('countNotes', {}, under('k9'))
    await gate.put(Note, aNote)
    expect((await call('countNotes', {}, under('k9'))).count).toBe(Number(first.count) + 1)
  })

  test('of a dry run is not kept, of a bad form is refused', async () => {
    const before = await noteCount()
    await call('draftNote', { title: 'a', dry_run: true }, under('k8'))
    expect(await call('draftNote', { title: 'a' }, under('k8'))).toMatchObject({ status: 200 })
    expect(await noteCount()).toBe(before + 1)
    expect(await call('draftNote', { title: 'a' }, under('x'.repeat(256)))).toMatchObject({ status: 422 })
  })
})

describe('what leaves', () => {
  test('is what the output declares, and nothing else', async () => {
    expect(await call('answerTooMuch')).toEqual({ status: 200, title: 'x' })
  })

  test('is JSON that no cache keeps, of the request that is named', async () => {
    const headers = { 'x-request-id': 'a-request-of-its-own' }
    const answer = await gate.call('requestOf', {}, { headers })
    expect(await answer.json()).toEqual({ request: 'a-request-of-its-own' })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-store',
      vary: expect.stringMatching(/^Authorization, X-Workspace-Id\b/),
      'x-request-id': headers['x-request-id'],
    })
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  })

  test('names the time to try again after the failure of a service outside', async () => {
    for (const [body, seconds] of [
      [{ kind: 'transient' }, '30'],
      [{ kind: 'permission' }, '300'],
      [{ kind: 'transient', ms: 1_001 }, '2'],
    ] as const) {
      const answer = await gate.call('askOutside', body)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, seconds])
      const said = await answer.text()
      expect(said).toContain('"unavailable"')
      expect(said).not.toContain('private')
    }
  })

  test('never tells the inside of a failure, only an id', async () => {
    const answer = await call('answerWrong')
    expect(answer).toMatchObject({ status: 500, code: 'internal', request_id: expect.any(String) })
    expect(JSON.stringify(answer)).not.toContain('output schema')
  })
})
