import { afterAll, beforeAll, expect, test } from 'bun:test'
import { resolveOne } from '../../../core/contexts/references'
import { createSources } from '../../../core/contexts/sources'
import type { CredentialInfo } from '../../../core/contracts/context'
import { Refusal } from '../../../core/contracts/errors'
import { withCore } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../plugins'
import { Review } from '../../../plugins/reviews/records/Review'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { callTool } from '../../support/mcp'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let ids: { bakery: string; first: string; second: string; site: string }
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: withCore(builtin), columns })
  const location = async (business_name: string, website: string, workspace?: string) => {
    const row = { business_name, website, is_active: true, is_prospect: false, auto_response_enabled: false }

    return String((await gate.put(BusinessLocation, row, workspace)).id)
  }
  const bakery = await location('Harbour Bakehouse', 'https://www.harbour.example/welcome')
  const first = await location('Copper Kettle', 'https://kettle.example')
  const second = await location('copper kettle', 'https://other.example')
  await location('Next Door', 'https://next.example', gate.tenant.otherWorkspaceId)
  await location('Stranger and Sons', 'https://stranger.example', gate.stranger.workspaceId)
  const site = {
    location_id: bakery,
    domain: 'harbour.example',
    timezone: 'UTC',
    site_key: 'rnw_site_1',
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: 'a'.repeat(64),
  }
  ids = { bakery, first, second, site: String((await gate.put(AiTrafficSite, site)).id) }
})
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

const explain = async (location_id: string) => {
  const answer = await gate.call('explainReviewCount', { location_id })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test.each(['Harbour Bakehouse', ' harbour bakehouse', 'harbour.example', 'https://harbour.example/shop?x=1'])(
  'a location is found by its name, its domain and any address on it: %s',
  async (name) => {
    const { status, body } = await explain(name)
    expect([status, body.location_id]).toEqual([200, ids.bakery])
  },
)

test('a name of several records is refused with their ids', async () => {
  const { status, body } = await explain('COPPER KETTLE')
  const [fault] = body.errors as { pointer: string; code: string; allowed: string[] }[]
  expect([status, body.code, fault?.pointer, fault?.code]).toEqual([
    422,
    'invalid_field',
    '/location_id',
    'ambiguous',
  ])
  expect(fault?.allowed.toSorted()).toEqual([ids.first, ids.second].sort())
})

test.each(['Harbor Bakehouse', '%', 'bake', '', 'x'.repeat(3_000)])(
  'what no record of the workspace is named is refused: %s',
  async (name) => {
    const { status, body } = await explain(name)
    expect([status, body.code]).toEqual([404, 'not_found'])
    const [fault] = body.errors as { allowed: string[]; did_you_mean?: string }[]
    expect(fault?.allowed).not.toContain('Next Door')
    if (name.startsWith('Harbor')) expect(fault?.did_you_mean).toBe('Harbour Bakehouse')
  },
)

test.each(['Next Door', 'next.example'])(
  'what a record of another own workspace is named is refused with the name of the workspace: %s',
  async (name) => {
    const { status, body } = await explain(name)
    expect([status, body.code]).toEqual([403, 'not_in_workspace'])
    expect(body.detail).toContain('it belongs to Second: pass workspace_id')
    expect(body.workspace_id).toBe(gate.tenant.otherWorkspaceId)
  },
)

test('a name never tells that another agency has a client of this name', async () => {
  const { status, body } = await explain('Stranger and Sons')
  expect([status, body.code]).toEqual([404, 'not_found'])
  expect(JSON.stringify(body)).not.toContain(gate.stranger.workspaceId)
})

test('a search of other workspaces that is too broad says nothing of them, and its other faults are told', async () => {
  const { agencyId: agency_id, workspaceId: id, otherWorkspaceId } = gate.tenant
  const workspace = { id, agency_id, timezone: 'UTC', is_home: true }
  const credential = { kind: 'agent_key', agency_id, platform: false, scopes: ['read'] } as CredentialInfo
  const real = createSources(gate.documents, gate.owner.columns as never)
  const resolvedWith = (fault: Error) => {
    const reader: typeof real.reader = (entity) => {
      const found = real.reader(entity)
      const find: typeof found.find = (query) =>
        entity.name === 'BusinessLocation' && JSON.stringify(query.where).includes(otherWorkspaceId)
          ? Promise.reject(fault)
          : found.find(query)
      return { ...found, find }
    }
    const deps = { registry: gate.registry, sources: { ...real, reader } }
    return resolveOne(deps, { workspace, credential }, { argument: 'location_id', text: 'Next Door' })
  }
  const told = (fault: Error) => resolvedWith(fault).catch((error: unknown) => error)
  expect(await told(new Refusal('filter_too_broad', 'Too many.'))).toMatchObject({ code: 'not_found' })
  for (const fault of [new Refusal('unavailable', 'Away.'), new Error('The store is away.')])
    expect(await told(fault)).toBe(fault)
  const alike = Object.assign(new Error('Of another service.'), { code: 'filter_too_broad' })
  expect(await told(alike)).toBe(alike)
})

test('a site is found by its domain, and ids work as before', async () => {
  const answer = async (site_id: string) => (await gate.call('getAiTrafficSummary', { site_id })).json()
  expect(await answer('https://www.harbour.example/')).toEqual(await answer(ids.site))
  expect((await explain(ids.bakery)).body.location_id).toBe(ids.bakery)
})

test('a name in a filter over several workspaces is that of a record of any of them, and of no other', async () => {
  const { workspaceId, otherWorkspaceId } = gate.tenant
  const ask = async (workspaces: readonly string[]) =>
    (await gate.call('aggregateRecords', { entity: 'Review', workspaces, q: { location_id: 'Next Door' } }))
      .status
  expect(await ask(['*'])).toBe(200)
  expect(await ask([otherWorkspaceId])).toBe(200)
  expect(await ask([workspaceId])).toBe(403)
})

test('the only record of a workspace is meant where none is named, and never in place of one that is named', async () => {
  const workspace = gate.tenant.otherWorkspaceId
  const ask = (body: object) => gate.call('explainReviewCount', body, { workspace })
  const meant = (await (await ask({})).json()) as { readonly location_id: string }
  const named = (await (await ask({ location_id: 'Next Door' })).json()) as { readonly location_id: string }
  expect(named.location_id).toBe(meant.location_id)
  expect((await ask({ location_id: 'Nobody' })).status).toBe(404)
  expect((await ask({ location_id: ids.bakery })).status).toBe(403)
})

const filters = [
  { location_id: 'Harbour Bakehouse' },
  { location_id: { $eq: 'harbour.example' } },
  { location_id: { $in: ['Harbour Bakehouse', 'kettle.example'] } },
  { $and: [{ $or: [{ location_id: 'Harbour Bakehouse' }] }, { star_rating: { $lte: 2 } }] },
]

test.each(filters.map((q) => [JSON.stringify(q), q] as const))(
  'a filter takes names as well: %s',
  async (_, q) => {
    const sample = { source: 'google', star_rating: 1, review_created_at: '2026-11-01T00:00:00.000Z' }
    const source_id = crypto.randomUUID()
    await gate.put(Review, { ...sample, source_id, location_id: ids.bakery })
    await gate.put(Review, { ...sample, source_id: `${source_id}2`, location_id: ids.first })
    const meant = JSON.parse(
      JSON.stringify(q)
        .replaceAll(/Harbour Bakehouse|harbour\.example/g, ids.bakery)
        .replaceAll('kettle.example', ids.first),
    ) as object
    const count = async (filter: object) =>
      ((await (await gate.call('countRecords', { entity: 'Review', q: filter })).json()) as { count: number })
        .count
    const wanted = await count(meant)
    expect(wanted).toBeGreaterThan(0)
    expect(await count(q)).toBe(wanted)
    const listed = async (filter: object) =>
      (await callTool(gate, '2026-07-28', 'list_records', { entity: 'Review', q: filter })).structuredContent
    expect((await listed(q))?.rows).toHaveLength(wanted)
  },
)

test('a filter with a name that nothing has is refused, and never answers that there are no records', async () => {
  for (const q of [{ location_id: 'Harbor Bakehouse' }, { $nor: [{ location_id: { $in: ['Nobody'] } }] }]) {
    const answer = await gate.call('countRecords', { entity: 'Review', q })
    const { errors } = (await answer.json()) as { errors: { pointer: string }[] }
    expect([answer.status, errors[0]?.pointer]).toEqual([404, '/q/location_id'])
    const told = await callTool(gate, '2026-07-28', 'list_records', { entity: 'Review', q })
    expect(told.isError).toBe(true)
  }
  const many = Array.from({ length: 11 }, (_, n) => `Name ${n}`)
  const answer = await gate.call('countRecords', { entity: 'Review', q: { location_id: { $in: many } } })
  expect(answer.status).toBe(422)
})

test('what two records of another own workspace are named is not said to be of it', async () => {
  const flags = { is_active: true, is_prospect: false, auto_response_enabled: false }
  for (const business_name of ['Twin Ovens', 'twin ovens'])
    await gate.put(BusinessLocation, { business_name, ...flags }, gate.tenant.otherWorkspaceId)
  const { status, body } = await explain('Twin Ovens')
  expect([status, body.code]).toEqual([404, 'not_found'])
})
