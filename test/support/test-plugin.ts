import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyEntity, AnyOperation, NewRow, PluginDeclaration } from 'renown'
import { type Field, fieldsOf, hiddenFields, shapeOf } from '../../core/kit/fields'
import type { Documents } from '../../core/stores/documents/port'
import { type AskOptions, type Gate, startGate } from './harness'
import { callTool, problemIn, revisions } from './mcp'
import { sampleRow } from './sample-row'
import { testPage } from './test-pages'
import { testInput, testListParameters } from './test-parameters'

export interface TestPluginOptions {
  /** Plugins that this one needs beside it. */
  readonly with?: readonly PluginDeclaration[]
  /** A row to store, by entity, where none can be guessed from the declaration. `mark` is to stand in some text. */
  readonly samples?: Readonly<Record<string, (mark: string) => object>>
  /** The store of documents. Default: SQLite in memory. The caller closes the store. */
  readonly documents?: () => Promise<Documents>
}

/**
 * Writes a plugin's tests of the gate from its declarations: 401 and 403, the clamp, hidden fields, the ceiling, unknown
 * keys and parameters, 422 on each parameter and input, agencies, descriptions, its pages, and its place in the surface and the documents. Call it in a test file.
 */
export function testPlugin(plugin: PluginDeclaration, options: TestPluginOptions = {}): void {
  const held: { gate?: Gate } = {}
  const gate = () => held.gate as Gate
  describe(`the gate holds for the plugin ${plugin.name}:`, () => {
    beforeAll(async () => {
      const documents = await options.documents?.()
      held.gate = await startGate({
        plugins: [...(options.with ?? []), plugin],
        ...(documents ? { documents } : {}),
      })
    })
    afterAll(() => held.gate?.stop())
    testDocuments(plugin, gate)
    for (const entity of plugin.entities ?? []) {
      if (entity.reads.length === 0) testInternal(entity, gate)
      else testEntity(entity, gate, options.samples?.[entity.name])
    }
    for (const operation of plugin.operations ?? []) testOperation(operation, gate)
    for (const page of plugin.pages ?? []) testPage(page, gate)
  })
}

type Ask = () => Gate

function testDocuments({ entities = [], operations = [] }: PluginDeclaration, gate: Ask) {
  test('every field and every input has a description', () => {
    const fields = entities.flatMap((entity) =>
      fieldsOf(entity).map((field) => [entity.name, field] as const),
    )
    const inputs = operations.flatMap(({ name, input }) =>
      fieldsIn(input).map((field) => [name, field] as const),
    )
    const bare = [...fields, ...inputs].filter(([, field]) => !field.description)
    expect(bare.map(([name, field]) => `${name}.${field.path}`)).toEqual([])
    expect([...entities, ...operations].filter(({ summary }) => !summary)).toEqual([])
  })

  test('every record type says what it has to do with people', () => {
    expect(entities.filter(({ people }) => people === undefined).map(({ name }) => name)).toEqual([])
  })

  test('surface, OpenAPI and the reference page name what is offered, and nothing hidden', async () => {
    const texts = await Promise.all(
      ['/api/surface', '/openapi.json', '/docs'].map(async (path) => (await gate().ask(path)).text()),
    )
    const offered = entities.filter(({ reads }) => reads.length > 0)
    const names = [...offered, ...operations].map(({ name }) => name)
    expect(names.filter((name) => !texts.every((text) => text.includes(name)))).toEqual([])
    const surface = JSON.parse(texts[0] ?? '') as { entities: { name: string; fields: { name: string }[] }[] }
    for (const entity of offered) {
      const shown = surface.entities.find(({ name }) => name === entity.name)?.fields.map(({ name }) => name)
      expect(shown?.filter((name) => hiddenFields(entity).includes(name))).toEqual([])
    }
  })
}

function testInternal(entity: AnyEntity, gate: Ask) {
  test(`${entity.name} is not offered`, async () => {
    for (const path of [`/api/entities/${entity.name}`, `/api/entities/${entity.name}/x`]) {
      expect(await codeOf(gate().ask(path))).toBe('403 outside_surface')
    }
  })
}

function testEntity(entity: AnyEntity, gate: Ask, sample?: (mark: string) => object) {
  const list = `/api/entities/${entity.name}`
  const paths = [
    ...(entity.reads.includes('list') ? [list] : []),
    ...(entity.reads.includes('get') ? [`${list}/none`] : []),
  ]
  describe(entity.name, () => {
    test('is read with a credential only, from a readable workspace only', async () => {
      for (const path of paths) await refusedFromOutside(gate, path, {})
    })

    test('is read over MCP as it is read here, in both revisions', async () => {
      const name = entity.name
      for (const revision of revisions) {
        if (entity.reads.includes('list') && entity.store === 'documents') {
          const rows = (await (await gate().ask(`${list}?limit=25`)).json()) as { id: string }[]
          const tool = await callTool(gate(), revision, 'list_records', { entity: name, fields: ['id'] })
          expect(tool.structuredContent?.rows).toEqual(rows.map(({ id }) => ({ id })))
        }
        const refused = await callTool(gate(), revision, 'list_records', { entity: name, surely_unknown: 1 })
        const { status, code } = problemIn(refused)
        expect(`${status} ${code}`).toBe(await codeOf(gate().ask(`${list}?surely_unknown=1`)))
      }
    })

    test('is never written', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const path of [list, `${list}/x`]) {
          expect(await codeOf(gate().ask(path, { method, body: {} }))).toBe('403 outside_ceiling')
        }
      }
    })

    test('refuses parameters it does not know', async () => {
      for (const path of paths) {
        expect(await codeOf(gate().ask(`${path}?surely_unknown=1`))).toBe('400 unknown_parameter')
      }
    })

    if (entity.reads.includes('list')) {
      test.each(hiddenFields(entity).map((name) => [name]))(
        '%s can be neither filtered, sorted nor asked for',
        async (name) => {
          const filter = encodeURIComponent(JSON.stringify({ [name]: 'x' }))
          for (const query of [`q=${filter}`, `sort=${name}`, `fields=${name}`]) {
            expect((await gate().ask(`${list}?${query}`)).status).toBe(422)
          }
        },
      )
    }
    if (entity.reads.includes('list')) testListParameters(entity, gate)
    const clamped = entity.store === 'documents' && entity.scope.by !== 'self'
    if (clamped) testRows(entity, gate, sample ?? ((mark) => sampleRow(entity, mark)))
  })
}

function testRows(entity: AnyEntity, gate: Ask, sample: (mark: string) => object) {
  const path = `/api/entities/${entity.name}`
  const put = (mark: string, workspaceId: string) =>
    gate().put(entity, sample(mark) as NewRow<AnyEntity>, workspaceId) as Promise<{ id: string }>

  test("shows its workspace's rows only, and never a hidden field", async () => {
    const { tenant, stranger } = gate()
    const own = await put('own-row', tenant.workspaceId)
    const second = await put('second-row', tenant.otherWorkspaceId)
    const foreign = await put('foreign-row', stranger.workspaceId)
    const hidden = hiddenFields(entity)
    if (entity.reads.includes('list')) {
      const filter = encodeURIComponent(JSON.stringify({ id: [own.id, second.id, foreign.id] }))
      const rows = (await (await gate().ask(`${path}?q=${filter}`)).json()) as { id: string }[]
      expect(rows.map(({ id }) => id)).toEqual([own.id])
      expect(rows.flatMap((row) => Object.keys(row)).filter((name) => hidden.includes(name))).toEqual([])
    }
    if (entity.reads.includes('get')) {
      const row = (await (await gate().ask(`${path}/${own.id}`)).json()) as { id: string }
      expect(row.id).toBe(own.id)
      expect(Object.keys(row).filter((name) => hidden.includes(name))).toEqual([])
      for (const { id } of [second, foreign]) {
        expect(await codeOf(gate().ask(`${path}/${id}`))).toBe('403 not_in_workspace')
      }
      expect(await codeOf(gate().ask(`${path}/${entity.idPrefix}_none`))).toBe('404 not_found')
    }
  })
}

function testOperation(operation: AnyOperation, gate: Ask) {
  const path = `/api/functions/${operation.name}`
  const call = (body: unknown, more: AskOptions = {}) => gate().ask(path, { method: 'POST', body, ...more })
  describe(operation.name, () => {
    test('is called with a credential only, from a readable workspace only, by POST only', async () => {
      await refusedFromOutside(gate, path, { method: 'POST', body: {} })
      for (const method of ['GET', 'PUT', 'DELETE']) {
        expect(await codeOf(gate().ask(path, { method }))).toBe('403 outside_surface')
      }
    })

    test('refuses a body that is no object, and keys it does not know', async () => {
      expect(await codeOf(call('[]'))).toBe('400 malformed_body')
      expect(await codeOf(call('"x"'))).toBe('400 malformed_body')
      expect(await codeOf(call({ surely_unknown: 1 }))).toBe('422 unknown_field')
      if (operation.class === 'read') expect(await codeOf(call({ dry_run: true }))).toBe('422 unknown_field')
    })

    testInput(operation, gate)

    test('is called over MCP under the same rules, in both revisions', async () => {
      for (const revision of revisions) {
        const { stranger } = gate()
        for (const [args, how] of [
          [{ surely_unknown: 1 }, {}],
          [{ workspace_id: stranger.workspaceId }, { workspace: stranger.workspaceId }],
        ] as const) {
          const { workspace_id: _, ...body } = args as Record<string, unknown>
          const { status, code } = problemIn(await callTool(gate(), revision, operation.name, args))
          expect(`${status} ${code}`).toBe(await codeOf(call(body, how)))
        }
      }
    })

    if (operation.crossAgency === 'own') {
      test("is refused to the platform in another agency's workspace", async () => {
        const { platform, tenant } = gate()
        const there = { key: platform.key, workspace: tenant.workspaceId }
        expect(await codeOf(call({}, there))).toBe('403 cross_agency_refused')
      })
    }
  })
}

async function refusedFromOutside(gate: Ask, path: string, how: AskOptions) {
  expect(await codeOf(gate().ask(path, { ...how, key: null }))).toBe('401 unauthenticated')
  expect(await codeOf(gate().ask(path, { ...how, key: 'rnw_key_wrong' }))).toBe('401 unauthenticated')
  for (const workspace of [gate().stranger.workspaceId, 'wsp_none']) {
    expect(await codeOf(gate().ask(path, { ...how, workspace }))).toBe('403 workspace_not_readable')
  }
}

async function codeOf(answer: Promise<Response>): Promise<string> {
  const response = await answer
  const text = await response.text()
  if (response.ok) return `${response.status} answered`
  return `${response.status} ${(JSON.parse(text) as { code: string }).code}`
}

const fieldsIn = (schema: AnyOperation['input']): readonly Field[] => shapeOf(schema).fields ?? []
