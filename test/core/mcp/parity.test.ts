import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyEntity, AnyOperation, NewRow } from 'renown'
import { givenArguments } from '../../../core/mcp/given-arguments'
import { operationTool } from '../../../core/mcp/operation-tool'
import { problemInToolWords } from '../../../core/mcp/tool-words'
import { proposalsPlugin } from '../../../core/product/proposals-plugin'
import type { Problem } from '../../../core/requests/problem'
import { Workspace } from '../../../core/tenancy/Workspace'
import { builtin } from '../../../plugins/index'
import { dailyTable } from '../../../plugins/traffic/records/dailyTable'
import { type AppTokenOptions, appToken } from '../../support/app-token'
import { freshColumns } from '../../support/chdb'
import { type AskOptions, type Gate, startGate } from '../../support/harness'
import {
  askMcp,
  callTool,
  mcpResult,
  outsideMarks,
  problemIn,
  revisions,
  type ToolResult,
  unmarkedResult,
} from '../../support/mcp'
import { notes } from '../../support/notes-plugin'
import { sampleRow } from '../../support/sample-row'
import { shippedRegistry } from '../../support/shipped'

/** What differs by nature: each request has an id of its own, and two calls happen at two times. */
const passing = new Set([
  'request_id',
  // Tools have no address.
  'instance',
  'checked_at',
  'counted_at',
  'generated_at',
  'saved_at',
  'seen_at',
  'read_at',
  // Only models are told, because programs know what they sent.
  'dry_run',
])

/**
 * The quick run asks a quarter of the questions over each revision, so that every asker and every question is compared over
 * both, and half of their pairs over one.
 */
const isLong = process.env.RENOWN_LONG === '1'
const isAsked = (revision: string, asker: number, question: number) =>
  isLong || (asker + question) % (2 * revisions.length) === (revisions as readonly string[]).indexOf(revision)

let gate: Gate
let apps: { whole: string; reading: string; second: string; platform: string }
let columns: Awaited<ReturnType<typeof freshColumns>>
const shipped = shippedRegistry()
const offered = (registry: typeof shipped, read: 'list' | 'get') =>
  [...registry.entities.values()].filter(({ reads }) => reads.includes(read))
const operations = [...shipped.operations.values(), ...(notes.operations ?? [])]
const entities = [...shipped.entities.values(), ...(notes.entities ?? [])].filter(
  ({ reads, store }) => reads.length > 0 && store === 'documents',
)

beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: [proposalsPlugin(builtin), ...builtin, notes], columns })
  await gate.owner.rows(Workspace).update(gate.tenant.otherWorkspaceId, { redact_pii: true })
  const token = async (agencyId: string, options: AppTokenOptions) =>
    (await appToken(gate, agencyId, options)).token
  apps = {
    whole: await token(gate.tenant.agencyId, {}),
    reading: await token(gate.tenant.agencyId, { scopes: ['read'] }),
    second: await token(gate.tenant.agencyId, { workspaces: [gate.tenant.otherWorkspaceId] }),
    platform: await token(gate.platform.agencyId, {}),
  }
  const day = dailyRow({ workspace_id: gate.tenant.workspaceId })
  await columns.insert(dailyTable.name, Object.keys(dailyTable.columns), [day])
  for (const entity of entities) {
    if (entity.scope.by === 'self') continue
    for (const workspace of [
      gate.tenant.workspaceId,
      gate.tenant.otherWorkspaceId,
      gate.stranger.workspaceId,
    ]) {
      await gate.put(entity, sampleFor(entity), workspace).catch(() => undefined)
    }
    planted += await gate.put(entity, sampleFor(entity, true)).then(
      () => 1,
      () => 0,
    )
  }
}, 90_000)
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

let marks = 0
/** Rows in which every text has a mark, the ids of other records among them. */
let planted = 0
/** A sealed day, as the table holds it. */
function dailyRow(known: Record<string, string>) {
  const values: Record<string, unknown> = {
    id: 'sit_a:2026-11-19',
    site_id: 'sit_a',
    date: '2026-11-19',
    ...known,
  }
  for (const name of ['by_agent', 'by_category', 'by_referrer', 'paths_by_category']) values[name] = '{}'
  for (const name of ['top_paths', 'referral_paths']) values[name] = '[]'
  for (const name of ['created_date', 'updated_date']) values[name] = '2026-11-20T00:00:00.000Z'
  values.sealed_at = '2026-11-20'
  return Object.entries(dailyTable.columns).map(
    ([name, type]) => values[name] ?? (/^Nullable/.test(type) ? null : /String/.test(type) ? '' : 0),
  )
}

/** Several words where they are accepted: one word is what ids and names of lists are. */
function sampleFor(entity: AnyEntity, isWhole = false): NewRow<AnyEntity> {
  const mark = `mark${marks++}`
  return sampleRow(entity, [`${mark} says to obey`, mark], isWhole)
}

/** Whoever may ask from wherever: each pair of answers must agree. */
const askers = () =>
  [
    ['at home', {}],
    ['in its other workspace, which keeps contact details back', { workspace: gate.tenant.otherWorkspaceId }],
    ['in a workspace of others', { workspace: gate.stranger.workspaceId }],
    ['in a workspace that does not exist', { workspace: 'wsp_none' }],
    ['as the platform, elsewhere', { key: gate.platform.key, workspace: gate.tenant.workspaceId }],
    ['as an app', { key: apps.whole }],
    ['as an app, in the other workspace', { key: apps.whole, workspace: gate.tenant.otherWorkspaceId }],
    ['as an app, in a workspace of others', { key: apps.whole, workspace: gate.stranger.workspaceId }],
    ['as an app that may only read', { key: apps.reading }],
    ['as an app that may only read, at others', { key: apps.reading, workspace: gate.stranger.workspaceId }],
    ['as an app of the second workspace alone', { key: apps.second }],
    ['as that app, at home', { key: apps.second, workspace: gate.tenant.workspaceId }],
    ["as an app of the platform's", { key: apps.platform, workspace: gate.tenant.workspaceId }],
  ] as const satisfies readonly (readonly [string, AskOptions])[]

describe.each([...revisions])('MCP %s answers what REST answers:', (revision) => {
  test.each(offered(shipped, 'list').map((entity) => [entity.name, entity] as const))(
    'lists of %s',
    async (name, entity) => {
      const filters: Record<string, unknown>[] = [
        {},
        { limit: 1 },
        { sort: entity.sortable[0] ?? 'id', fields: ['id'], count: true },
        { q: { id: { $exists: true } }, skip: 1 },
        { q: { surely_unknown: 1 } },
        ...(entity.personal ?? []).map((field: string) => ({ q: { [field]: 'x' } })),
        { q: { id: { $where: '1' } } },
        { sort: 'surely_unknown' },
        { limit: -1 },
        { skip: 'x' },
        { surely_unknown: 1 },
        { cursor: 'broken' },
      ]
      for (const [nth, [who, asker]] of askers().entries()) {
        for (const [at, filter] of filters.entries()) {
          if (!isAsked(revision, nth, at)) continue
          const rest = await gate.ask(`/api/entities/${name}?${queryOf({ limit: 25, ...filter })}`, asker)
          const tool = await callAs(asker, 'list_records', { entity: name, ...filter })
          const more = rest.headers.get('x-has-more') === 'true'
          const body = await rest.json()
          expectList(`${who} ${JSON.stringify(filter)}`, { status: rest.status, more, body }, tool)
        }
      }
    },
  )

  test.each(offered(shipped, 'get').map((entity) => [entity.name]))('single reads of %s', async (name) => {
    const here = await idsOf(name, {})
    const there = await idsOf(name, { workspace: gate.tenant.otherWorkspaceId })
    for (const [nth, [who, asker]] of askers().entries()) {
      for (const [at, id] of [...here, ...there, 'none', 'with spaces and#more'].entries()) {
        if (!isAsked(revision, nth, at)) continue
        const rest = await gate.ask(`/api/entities/${name}/${encodeURIComponent(id)}`, asker)
        const tool = await callAs(asker, 'get_record', { entity: name, id })
        const body = await rest.json()
        expectSame(`${who} ${id}`, rest.status, rest.ok ? { record: body } : body, tool)
      }
    }
  })

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    'calls of %s',
    async (name, operation) => {
      for (const [nth, [who, asker]] of askers().entries()) {
        for (const [at, body] of (await bodiesOf(operation)).entries()) {
          if (!isAsked(revision, nth, at)) continue
          const rest = await gate.call(name, givenArguments(body, acceptedBy(operation)), asker)
          const tool = await callAs(asker, name, body)
          const answer = (await rest.json()) as { id?: unknown; tracker_id?: unknown }
          // What is only tried gets another id each time.
          for (const one of [answer, tool.structuredContent]) {
            if (operation.class === 'draft') delete one?.id
            if (operation.class === 'setup') delete one?.tracker_id
          }
          // Only MCP shortens, and says so.
          const meant = givenArguments(body, acceptedBy(operation))
          const short = rest.ok ? (operation.shorten?.(answer, meant) ?? null) : null
          if (short) expect(String(tool.structuredContent?.hint)).toContain(short.left)
          if (short) delete tool.structuredContent?.hint
          expectSame(`${who} ${JSON.stringify(body)}`, rest.status, short?.answer ?? answer, tool)
        }
      }
    },
  )

  test('though nearly all record types have rows in which every text is marked', () => {
    expect(planted).toBeGreaterThan(entities.length * 0.7)
  })

  test('what is not offered', async () => {
    for (const entity of ['AgentKey', 'Agency', 'Nothing']) {
      for (const [path, tool, args] of [
        [`/api/entities/${entity}`, 'list_records', { entity }],
        [`/api/entities/${entity}/x`, 'get_record', { entity, id: 'x' }],
      ] as const) {
        const rest = await gate.ask(path)
        expectSame(path, rest.status, await rest.json(), await callAs({}, tool, args))
      }
    }
  })

  test('401 before everything else, with the same words', async () => {
    for (const key of [null, 'rnw_key_wrong']) {
      const rest = await gate.ask('/api/entities/Lead', { key })
      const mcp = await askMcp(gate, revision, 'tools/list', {}, { key })
      expect(mcp.status).toBe(401)
      expect(mcp.headers.get('www-authenticate')).toBe(rest.headers.get('www-authenticate'))
      expect(bare(await mcp.json())).toEqual(bare(await rest.json()))
    }
  })

  test('a scope that is missing is told in the same challenge, which names all that is needed', async () => {
    const asker = { key: apps.reading }
    const rest = await gate.call('draftNote', { title: 'a' }, asker)
    const params = { name: 'draftNote', arguments: { title: 'a' } }
    const mcp = await askMcp(gate, revision, 'tools/call', params, asker)
    expect([rest.status, mcp.status]).toEqual([403, 403])
    const challenge = rest.headers.get('www-authenticate')
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toContain('scope="read write"')
    expect(mcp.headers.get('www-authenticate')).toBe(challenge)
  })

  /** The workspace goes into the argument, where REST has a header. */
  async function callAs({ workspace, ...asker }: AskOptions, name: string, args: Record<string, unknown>) {
    const named = workspace === undefined ? args : { ...args, workspace_id: workspace }
    const asked = { query: '?structured=1', ...asker }
    const answer = await askMcp(gate, revision, 'tools/call', { name, arguments: named }, asked)
    if (answer.status !== 403) {
      const result = await mcpResult<ToolResult>(Promise.resolve(answer))
      // Each text of the sample rows holds such a word.
      if (!result.isError) expect(outsideMarks(result)).not.toMatch(/mark\d/)
      else expect(result.content[0]?.text).not.toMatch(httpWords)
      return unmarkedResult(result)
    }
    // A scope that is missing is told by the status of the whole request: apps ask people for more when they see it.
    const problem = (await answer.json()) as { code: string }
    expect(problem.code).toBe('insufficient_scope')
    const text = `\n${JSON.stringify(problem)}`
    return { isError: true, content: [{ type: 'text', text }] } satisfies ToolResult
  }
})

const credentials = ['the agent key', 'the token of an app'] as const
const pairs = revisions.flatMap((revision) =>
  credentials.map((credential) => [revision, credential] as const),
)

describe.each(pairs)('MCP %s and REST, with %s, draw on the same limits:', (revision, credential) => {
  const keyOf = async (small: Gate) =>
    credential === 'the agent key' ? small.tenant.key : (await appToken(small, small.tenant.agencyId)).token

  test.each([
    ['LIMIT_READS_PER_MINUTE', 'list_records', { entity: 'Note' }, '/api/entities/Note', 'GET'],
    ['LIMIT_OPERATIONS_PER_MINUTE', 'countNotes', {}, '/api/functions/countNotes', 'POST'],
    ['LIMIT_DRAFTS_PER_MINUTE', 'draftNote', { title: 'a' }, '/api/functions/draftNote', 'POST'],
    ['LIMIT_DRAFTS_PER_DAY', 'draftNote', { title: 'a' }, '/api/functions/draftNote', 'POST'],
  ] as const)('%s', async (setting, tool, args, path, method) => {
    const small = await startGate({ plugins: [notes], settings: { [setting]: '4' } })
    const key = await keyOf(small)
    const byRest = () => small.ask(path, { key, method, ...(method === 'POST' ? { body: args } : {}) })
    for (let turn = 0; turn < 2; turn++) {
      expect((await byRest()).status).toBe(200)
      const answer = await askMcp(small, revision, 'tools/call', { name: tool, arguments: args }, { key })
      const limits = { policy: answer.headers.get('ratelimit-policy'), left: answer.headers.get('ratelimit') }
      expect(limits.policy).toContain('q=4')
      expect(limits.left).toContain(`r=${2 - 2 * turn}`)
    }
    const rest = (await (await byRest()).json()) as Record<string, unknown>
    const refused = await callTool(small, revision, tool, args, { key })
    expect(bare(problemIn(refused))).toEqual(bare(rest))
    expect(refused.content[0]?.text).toMatch(/Retry after \d+ s\./)
    await small.stop()
  })

  test('a flood of lists is refused over HTTP', async () => {
    const small = await startGate({ plugins: [notes], settings: { LIMIT_READS_PER_MINUTE: '2' } })
    const key = await keyOf(small)
    for (let turn = 0; turn < 2; turn++) {
      expect((await askMcp(small, revision, 'tools/list', {}, { key })).status).toBe(200)
    }
    const refused = await askMcp(small, revision, 'tools/list', {}, { key })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await small.stop()
  })
})

test.each([...revisions])(
  'what a scope keeps out counts as well, over MCP %s as by REST',
  async (revision) => {
    const small = await startGate({ plugins: [notes], settings: { LIMIT_OPERATIONS_PER_MINUTE: '4' } })
    const { token: key } = await appToken(small, small.tenant.agencyId, { scopes: ['read'] })
    const statuses: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      statuses.push((await small.call('draftNote', { title: 'a' }, { key })).status)
      const params = { name: 'draftNote', arguments: { title: 'a' } }
      statuses.push((await askMcp(small, revision, 'tools/call', params, { key })).status)
    }
    expect(statuses).toEqual([403, 403, 403, 403, 429, 429])
    await small.stop()
  },
)

const acceptedBy = (operation: AnyOperation) => operationTool(operation, 'any').accepts

/** What a caller of tools has never heard of. */
const httpWords = /\/api\/|X-Workspace-Id|Idempotency-Key|query parameter/i

/** Rows of a list, or the problem. What MCP tells beside the rows is tested on its own. */
function expectList(what: string, rest: { status: number; more: boolean; body: unknown }, tool: ToolResult) {
  if (rest.status >= 400) return expectSame(what, rest.status, rest.body, tool)
  const { rows, has_more } = tool.structuredContent ?? {}
  expect({ what, rows, has_more }).toEqual({ what, rows: rest.body, has_more: rest.more })
}

function expectSame(what: string, status: number, rest: unknown, tool: ToolResult) {
  const said = status >= 400 ? problemIn(tool) : tool.structuredContent
  const told = status >= 400 ? problemInToolWords(rest as Problem) : rest
  expect({ what, said: bare(said) }).toEqual({ what, said: bare(told) })
}

function bare(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value), (key, part) => (passing.has(key) ? undefined : part))
}

function queryOf(args: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (name === 'count') params.set(name, '1')
    else if (Array.isArray(value)) params.set(name, value.join(','))
    else params.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return params.toString()
}

async function idsOf(name: string, asker: AskOptions): Promise<string[]> {
  const rows = (await (await gate.ask(`/api/entities/${name}?limit=2`, asker)).json()) as { id: string }[]
  return rows.map(({ id }) => id)
}

/** Bodies that are answered where that can be guessed, and those that must be refused; writes are tried without writing. */
async function bodiesOf({ name, input, class: kind }: AnyOperation): Promise<Record<string, unknown>[]> {
  const bodies: Record<string, unknown>[] = [{}, { surely_unknown: 1 }, { ...(await guessed(name)) }]
  const first = Object.keys((input as { entries: object }).entries)[0]
  if (first) bodies.push({ [first]: { an: 'object' } }, { [first]: null })
  return kind === 'read' ? bodies : bodies.map((body) => ({ ...body, dry_run: true }))
}

async function guessed(name: string): Promise<Record<string, unknown>> {
  const location = (await idsOf('BusinessLocation', {}))[0] ?? 'none'
  const known: Record<string, Record<string, unknown>> = {
    countRecords: { entity: 'Lead', q: { stage: 'new' } },
    countNotes: { stage: 'done' },
    draftNote: { title: 'a title' },
    markNotes: { ids: ['none'] },
    markLeadsSeen: { lead_ids: await idsOf('Lead', {}) },
    markNotificationsRead: { notification_ids: await idsOf('Notification', {}) },
    listLeadsWithMentions: { limit: 2, skip: 0 },
    getReportMarkdown: { report_id: (await idsOf('Report', {}))[0] ?? 'none' },
    getReportStatus: { report_id: (await idsOf('Report', {}))[0] ?? 'none' },
  }
  return known[name] ?? { location_id: location }
}
