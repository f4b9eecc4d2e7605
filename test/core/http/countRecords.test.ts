import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { defineOperation, definePlugin } from '../../../core/kit'
import { withCore } from '../../../core/product/core-plugins'
import { gatewayPlugin as gatePlugin } from '../../../core/product/gateway-plugin'
import { builtin } from '../../../plugins'
import { Lead } from '../../../plugins/leads/records/Lead'
import { Review } from '../../../plugins/reviews/records/Review'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { testPlugin } from '../../support/test-plugin'

testPlugin(gatePlugin)

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: withCore(builtin), columns })
  for (let n = 1; n <= 7; n++) await review(n, { star_rating: n > 5 ? null : n })
  await review(8, { star_rating: 1, removed_at_source_at: '2026-01-01T00:00:00.000Z' })
  await review(9, { star_rating: 1 }, gate.tenant.otherWorkspaceId)
  await review(10, { star_rating: 1 }, gate.stranger.workspaceId)
  for (let n = 1; n <= 3; n++) await lead(n, n === 3)
})
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

async function review(n: number, more: object, workspace = gate.tenant.workspaceId) {
  const row = { location_id: 'loc_1', source: 'google' as const, source_id: `r${n}` }
  await gate.put(Review, { ...row, ...more }, workspace)
}
const lead = (n: number, is_archived: boolean) =>
  gate.put(Lead, {
    mention_id: `men_${n}`,
    tracker_id: 'trk_1',
    location_id: 'loc_1',
    intent_score: n * 10,
    stage: 'new',
    is_archived,
    email: 'a@mail.example',
  })

async function ask(body: unknown, workspace?: string) {
  const answer = await gate.call('countRecords', body, workspace === undefined ? {} : { workspace })
  return { status: answer.status, body: (await answer.json()) as Record<string, never> }
}
const count = async (entity: string, q?: object) =>
  (await ask({ entity, ...(q ? { q } : {}) })).body.count as number | undefined

test('every record type that can be listed can be counted, and the count is that of the list', async () => {
  for (const { name, reads } of gate.registry.entities.values()) {
    if (!reads.includes('list')) continue
    const list = await gate.ask(`/api/entities/${name}?count=1`)
    expect([name, await count(name)]).toEqual([name, Number(list.headers.get('x-total-count'))])
  }
})

describe('counts what the list would show', () => {
  test.each<[string, object | undefined, number]>([
    ['Review', undefined, 7],
    ['Review', {}, 7],
    ['Review', { star_rating: null }, 2],
    ['Review', { star_rating: { $gte: 4 } }, 2],
    ['Review', { removed_at_source_at: { $ne: null } }, 0],
    ['Lead', undefined, 2],
    ['Lead', { is_archived: true }, 1],
    ['Lead', { $or: [{ intent_score: 10 }, { intent_score: 30 }] }, 1],
    ['AiTrafficDaily', { date: { $gte: '2026-01-01' } }, 0],
    ['Workspace', undefined, 2],
  ])('%s %j: %d', async (entity, q, wanted) => {
    expect(await count(entity, q)).toBe(wanted)
  })

  test('inside the workspace that was named', async () => {
    expect((await ask({ entity: 'Review' }, gate.tenant.otherWorkspaceId)).body).toMatchObject({ count: 1 })
  })
})

describe('refuses', () => {
  test.each<[unknown, number, string]>([
    [{}, 422, '/entity'],
    [{ entity: 'Reviw' }, 422, '/entity'],
    [{ entity: 'AgentKey' }, 422, '/entity'],
    [{ entity: '__proto__' }, 422, '/entity'],
    [{ entity: 'Review', q: [] }, 422, '/q'],
    [{ entity: 'Review', q: '{}' }, 422, '/q'],
    [{ entity: 'Review', q: { nope: 1 } }, 422, '/q/nope'],
    [{ entity: 'Review', q: { source_metadata: 1 } }, 422, '/q/source_metadata'],
    [{ entity: 'Review', q: { star_rating: { $where: '1' } } }, 422, '/q/star_rating/$where'],
    ['{"entity":"Review","q":{"__proto__":{"star_rating":1}}}', 422, '/q/__proto__'],
    ['{"entity":"Review","q":{"constructor":1}}', 422, '/q/constructor'],
    [{ entity: 'Report', q: { render_token: 'x' } }, 422, '/q/render_token'],
    [{ entity: 'Workspace', q: { redact_pii: true } }, 422, '/q/redact_pii'],
  ])('%j: %d at %s', async (body, status, pointer) => {
    const answer = await ask(body)
    const [fault] = (answer.body.errors ?? []) as { pointer?: string; parameter?: string }[]
    expect([answer.status, fault?.pointer, fault?.parameter]).toEqual([status, pointer, undefined])
  })

  test('a name that is nearly one, with the one that may be meant', async () => {
    expect(JSON.stringify((await ask({ entity: 'Reviw' })).body)).toContain('"did_you_mean":"Review"')
  })

  test('a name that is like none, without a suggestion', async () => {
    const { body } = await ask({ entity: 'Qqqqqqqqqq' })
    expect(JSON.stringify(body)).not.toContain('did_you_mean')
  })

  test('a filter on contact details where the workspace keeps them back', async () => {
    const { owner, tenant } = gate
    const redact = gate.registry.commands.get('workspace redact')
    await redact?.run(owner, { workspace_id: tenant.workspaceId, off: false })
    const answer = await ask({ entity: 'Lead', q: { email: 'a@mail.example' } })
    await redact?.run(owner, { workspace_id: tenant.workspaceId, off: true })
    expect(answer.status).toBe(422)
    expect(await count('Lead', { email: 'a@mail.example' })).toBe(2)
  })
})

test('what it takes is an object in the published documents', async () => {
  const document = (await (await gate.ask('/openapi.json')).json()) as { components: unknown; paths: object }
  expect(JSON.stringify(document)).toContain('"type":"object","description":"Filter, as in lists')
})

test('no other plugin is handed the counting of any record type', async () => {
  const seen: object[] = []
  const spy = definePlugin({
    name: 'spy',
    renown: '^1.0.0',
    operations: [
      defineOperation({
        name: 'spyOnContext',
        summary: 'Looks at what it is given',
        class: 'read',
        crossAgency: 'own',
        input: v.strictObject({}),
        output: v.object({}),
        async run(ctx) {
          seen.push(ctx)
          return {}
        },
      }),
    ],
  })
  const other = await startGate({ plugins: [spy] })
  expect((await other.call('spyOnContext')).status).toBe(200)
  expect(seen[0] && 'countRecords' in seen[0]).toBe(false)
  await other.stop()
})
