import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import type { AnyOperation } from '../../../core/contracts/operation'
import { hiddenFields, visibleFields, visibleSchema } from '../../../core/kit/fields'
import { withCore } from '../../../core/product/core-plugins'
import { operatorsOf } from '../../../core/query/values'
import { builtin } from '../../../plugins'
import { freshColumns } from '../../support/chdb'
import { describedIn } from '../../support/described'
import { type Gate, startGate } from '../../support/harness'
import { inputFrom } from '../../support/operation-input'
import { type Planted, plantWorld, secretText, type World } from '../../support/proof-world'
import { type Random, randomSource } from '../../support/random-documents'

const requests = process.env.RENOWN_LONG === '1' ? 20_000 : 1000
const calls = requests / 5

let gate: Gate
let world: World
let described: (at: string, response: Response) => string[]
let columns: Awaited<ReturnType<typeof freshColumns>>
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: withCore(builtin), columns })
  world = await plantWorld(gate, columns)
  described = describedIn(await (await gate.ask('/openapi.json')).json())
}, 90_000)
afterAll(async () => {
  await gate.stop()
  await columns.close()
})

/** All that a caller gets to see, cursors opened; without the link, in which a caller's own words come back. */
async function seen(response: Response): Promise<string> {
  const headers = [...response.headers].filter(([name]) => name !== 'link')
  const cursor = Buffer.from(response.headers.get('x-next-cursor') ?? '', 'base64url').toString()
  return `${JSON.stringify(headers)}\n${cursor}\n${await response.text()}`
}

/** A filter of words that are in the rows of any workspace. */
function filterFor({ entity, row }: Planted, { one: pick }: Random): object {
  const fields = visibleFields(entity).filter((field) => !field.opaque && operatorsOf(field).includes('$eq'))
  const leaf = (): object => {
    const field = pick(fields)
    const stored = row[field.name]
    const value = Array.isArray(stored) ? (stored[0] ?? null) : (stored ?? null)
    const forms: unknown[] = [value, { $ne: value }, [value, null], { $exists: pick([true, false]) }]
    if (value !== null) forms.push({ $not: { $eq: value } }, { $nin: [value] })
    if (field.searchable) forms.push({ $contains: 'mark-w' }, { $startsWith: 'm' })
    return { [field.name]: pick(forms) }
  }
  const forms = [
    leaf,
    () => ({ id: [row.id, ...world.rows.filter((one) => one.entity === entity).map(({ id }) => id)] }),
    () => ({ $or: [leaf(), { id: { $exists: true } }] }),
    () => ({ $nor: [leaf(), { id: 'none' }] }),
    () => ({ $and: [{ $or: [leaf(), leaf()] }, { id: { $ne: 'none' } }] }),
  ]
  return pick(forms)()
}

const asker = fc.record({
  tenant: fc.nat(2),
  /** The last one names no workspace. */
  workspace: fc.nat(6),
  row: fc.nat(),
  seed: fc.integer(),
})
/** Who asks, from where, and about which row. */
function asked({ tenant, workspace, row }: { tenant: number; workspace: number; row: number }) {
  const who = world.tenants[tenant] as (typeof world.tenants)[number]
  const named = world.workspaces[workspace]
  const here = named ?? who.workspaceId
  return {
    who,
    here,
    options: { key: who.key, ...(named ? { workspace: named } : {}) },
    isReadable: world.readable(who).includes(here),
    target: world.rows[row % world.rows.length] as Planted,
  }
}
const codeOf = (text: string) => /"code":"([a-z_]+)"/.exec(text.split('\n')[2] ?? '')?.[1]

describe('over every record type, agency and workspace', () => {
  test(`no list, single read or count of ${requests} shows a row of another workspace`, async () => {
    const answers = { list: 0, get: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(asker, fc.boolean(), async (who, isList) => {
        const { here, options, isReadable, target } = asked(who)
        const random = randomSource(who.seed)
        const path = `/api/entities/${target.entity.name}`
        const q = JSON.stringify(filterFor(target, random))
        const query = new URLSearchParams({ q, count: '1', limit: random.chance(0.5) ? '1000' : '2' })
        const response = await gate.ask(isList ? `${path}?${query}` : `${path}/${target.id}`, options)
        const text = await seen(response)
        expect(world.leaks(text, here)).toEqual([])
        expect(described(isList ? `GET ${path}` : `GET ${path}/{id}`, response)).toEqual([])
        if (!isReadable) {
          answers.refused++
          expect([response.status, codeOf(text)]).toEqual([403, 'workspace_not_readable'])
        } else if (isList) {
          answers.list++
          // A filter that names a record of another workspace is refused.
          if (codeOf(text) === 'invalid_filter') {
            // Names of engines and countries are read in any spelling, and others are refused.
            expect(q).toMatch(/"(?:engines?|countr(?:y|ies))"/)
            return
          }
          if (response.status !== 200) {
            expect([q, codeOf(text)]).toEqual([
              expect.stringMatching(/"\w+_id"/),
              expect.stringMatching(/^(?:not_found|not_in_workspace|workspace_not_readable)$/),
            ])
            return
          }
          const rows = JSON.parse(text.split('\n')[2] ?? '') as { id: string }[]
          const own = world.rows.filter((row) => row.entity === target.entity && row.workspaceId === here)
          expect(rows.every(({ id }) => own.some((row) => row.id === id))).toBe(true)
          const schema = v.strictObject(visibleSchema(target.entity).entries)
          expect(rows.flatMap((row) => v.safeParse(schema, row).issues ?? [])).toEqual([])
          expect(Number(response.headers.get('x-total-count'))).toBeLessThanOrEqual(own.length)
        } else {
          answers.get++
          const isHere = target.workspaceId === here
          expect([response.status, codeOf(text)]).toEqual(
            isHere ? [200, undefined] : [403, 'not_in_workspace'],
          )
        }
      }),
      { numRuns: requests },
    )
    expect(Math.min(...Object.values(answers))).toBeGreaterThan(requests / 10)
  }, 600_000)

  test(`no operation of ${calls} calls, fed with ids from anywhere, answers with what is not of its workspace`, async () => {
    const operations = [...gate.registry.operations.values()]
    await fc.assert(
      fc.asyncProperty(asker, fc.nat(), async (who, place) => {
        const { who: tenant, here, options, isReadable } = asked(who)
        const operation = operations[place % operations.length] as AnyOperation
        const response = await gate.call(operation.name, inputFrom(operation, world.rows, who.seed), options)
        const text = await seen(response)
        expect(world.leaks(text, here)).toEqual([])
        expect(described(`POST /api/functions/${operation.name}`, response)).toEqual([])
        const isAway = ![tenant.workspaceId, tenant.otherWorkspaceId].includes(here)
        if (!isReadable) expect(codeOf(text)).toBe('workspace_not_readable')
        else if (isAway && operation.crossAgency === 'own') expect(codeOf(text)).toBe('cross_agency_refused')
        else expect(`${operation.name} ${response.status}`).toMatch(/ (200|403|404|409|422)$/)
      }),
      { numRuns: calls },
    )
  }, 600_000)

  test('no operation that writes, fed with ids from everywhere, changes a row of another workspace', async () => {
    const here = gate.tenant.workspaceId
    const standing = async () => {
      const stored = world.rows.map(async ({ entity, id, workspaceId }) =>
        workspaceId === here || entity.store !== 'documents'
          ? null
          : gate.documents.collection(entity).get(id),
      )
      return JSON.stringify(await Promise.all(stored))
    }
    const before = await standing()
    const writing = [...gate.registry.operations.values()].filter((operation) => operation.class !== 'read')
    expect(writing.length).toBeGreaterThan(1)
    for (const operation of writing) {
      for (let seed = 0; seed < 40; seed++)
        await gate.call(operation.name, inputFrom(operation, world.rows, seed))
    }
    expect(await standing()).toBe(before)
  })
})

describe('what the generated tests of each plugin cannot reach', () => {
  const statusOf = async (path: string, key: string) => {
    const response = await gate.ask(path, { key })
    return `${response.status} ${codeOf(await seen(response)) ?? 'answered'}`
  }

  test('an id that lives nowhere is 404, on every record type and in either store', async () => {
    const offered = [...gate.registry.entities.values()].filter(({ reads }) => reads.includes('get'))
    expect(offered.length).toBeGreaterThanOrEqual(17)
    for (const { name, idPrefix } of offered) {
      const path = `/api/entities/${name}/${idPrefix}_none`
      expect(`${name} ${await statusOf(path, gate.tenant.key)}`).toBe(`${name} 404 not_found`)
    }
  })

  test('a workspace is shown to its agency and the platform, and to no other', async () => {
    const { tenant, stranger, platform } = gate
    const of = (id: string) => `/api/entities/Workspace/${id}`
    expect(await statusOf(of(tenant.otherWorkspaceId), tenant.key)).toBe('200 answered')
    expect(await statusOf(of(tenant.otherWorkspaceId), platform.key)).toBe('200 answered')
    expect(await statusOf(of(stranger.workspaceId), tenant.key)).toBe('403 not_in_workspace')
    expect(await statusOf(of(platform.workspaceId), tenant.key)).toBe('403 not_in_workspace')
  })

  test('every plugin in the box has them that declares a record type or an operation', async () => {
    const declaring = builtin.filter(
      ({ entities = [], operations = [] }) => entities.length + operations.length > 0,
    )
    const files = declaring.map(({ name }) => join(import.meta.dir, `../../plugins/${name}/gate.test.ts`))
    const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
    expect(texts.filter((text) => !text.includes('testPlugin('))).toEqual([])
    expect(texts.length).toBeGreaterThanOrEqual(6)
  })
})

describe('hidden fields', () => {
  test('stand in the rows that were planted', () => {
    const planted = world.rows.filter(({ row }) => JSON.stringify(row).includes(secretText))
    expect([...new Set(planted.map(({ entity }) => entity.name))].sort()).toEqual(
      expect.arrayContaining(['AiTrafficSite', 'Report']),
    )
  })

  test('are in no body, header or error of any way to ask for them', async () => {
    for (const { entity, id, workspaceId } of world.rows) {
      if (workspaceId !== gate.tenant.workspaceId) continue
      const path = `/api/entities/${entity.name}`
      const wanted = hiddenFields(entity).flatMap((name) => [
        `${path}?fields=${name}`,
        `${path}?sort=${name}`,
        `${path}/${id}?fields=${name}`,
        ...[secretText, { $contains: secretText }, { $exists: true }].map(
          (value) => `${path}?q=${encodeURIComponent(JSON.stringify({ [name]: value }))}`,
        ),
      ])
      for (const address of [path, `${path}?limit=1`, `${path}/${id}`, ...wanted]) {
        const response = await gate.ask(address)
        const text = (await seen(response)).replaceAll(encodeURIComponent(secretText), '')
        expect({ address, leaks: world.leaks(text, workspaceId) }).toEqual({ address, leaks: [] })
        expect(response.status).toBe(wanted.includes(address) ? 422 : 200)
      }
    }
  })

  test('do not move an ETag', async () => {
    const moved: string[] = []
    let tried = 0
    for (const { entity, id, row, workspaceId } of world.rows) {
      if (workspaceId !== gate.tenant.workspaceId || entity.store !== 'documents') continue
      const hidden = hiddenFields(entity).filter((name) => row[name] === secretText)
      if (hidden.length === 0) continue
      const tags = async () =>
        Promise.all(
          [`/${id}`, '', '?limit=2'].map(async (rest) =>
            (await gate.ask(`/api/entities/${entity.name}${rest}`)).headers.get('etag'),
          ),
        )
      const before = await tags()
      const set = Object.fromEntries(hidden.map((name) => [name, `${secretText}-2`]))
      await gate.documents.collection(entity).updateOne({ op: 'eq', field: 'id', value: id }, { set })
      tried++
      if (JSON.stringify(await tags()) !== JSON.stringify(before)) moved.push(`${entity.name} ${id}`)
    }
    expect(moved).toEqual([])
    expect(tried).toBeGreaterThan(3)
  })
})
