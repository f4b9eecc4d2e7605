import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { defineEntity, defineOperation, definePlugin, definePrompt, field } from 'renown'
import * as v from 'valibot'
import type { AnyEntity } from '../../core/contracts/entity'
import { openapiOf } from '../../core/http/openapi'
import { compileTable } from '../../core/mcp/table'
import { createRegistry } from '../../core/registry/registry'
import { isOffered, surfaceOf, writesOf } from '../../core/registry/surface'
import { shippedRegistry } from '../support/shipped'

const root = join(import.meta.dir, '../..')
const registry = shippedRegistry()

/** The product's own code. Demos make rows of everything, so they do not count. */
const sources = await Promise.all(
  [...new Bun.Glob('{core,plugins}/**/*.ts').scanSync(root)]
    .filter((path) => !/(^|[/-])demo([-./]|$)/.test(path))
    .map((path) => Bun.file(join(root, path)).text()),
)

/** Whether a text makes records of an entity: those of the columns store come as rows of a table. */
function makes({ name, store }: Pick<AnyEntity, 'name' | 'store'>, text: string): boolean {
  if (store === 'columns') return /\bctx\.columns\.insert\(/.test(text)
  const isNamed = new RegExp(`\\b(rows|collection)\\(\\s*${name}\\s*\\)`).test(text)
  return isNamed && /\.insert(Many)?\(|\bupsert: true\b/.test(text)
}

describe('a record type that nothing makes yet says so, and one that is made does not', () => {
  const offered = [...registry.entities.values()]
    .filter(isOffered)
    .map((entity) => [entity.name, entity] as const)
  test.each(offered)('%s', (name, entity) => {
    const isMade = sources.some((text) => makes(entity, text))
    expect({ name, isMade }).toEqual({ name, isMade: registry.notYetOf('entity', name) === undefined })
  })

  test('the detector tells a write from a read', () => {
    const post = { name: 'Post', store: 'documents' } as const
    expect(makes(post, 'await ctx.rows(Post).insert(row)')).toBe(true)
    expect(makes(post, 'await ctx.rows(Post).get(id)')).toBe(false)
    expect(makes(post, 'await ctx.rows(Lead).insert(row)')).toBe(false)
    expect(makes({ name: 'Day', store: 'columns' }, 'await ctx.columns.select(days)')).toBe(false)
  })
})

describe('what a plugin cannot do yet is said wherever its parts are described', () => {
  const notYet = 'Renown does not grow ferns yet.'
  const Fern = defineEntity({
    name: 'Fern',
    summary: 'A fern',
    idPrefix: 'frn',
    store: 'documents',
    reads: ['list', 'get'],
    scope: { by: 'workspace', field: 'workspace_id' },
    fields: { workspace_id: field.text('Workspace of the fern') },
    sortable: ['created_date'],
  })
  const countFerns = defineOperation({
    name: 'countFerns',
    summary: 'Count ferns',
    class: 'read',
    crossAgency: 'own',
    input: v.strictObject({}),
    output: v.object({}),
    run: async () => ({}),
  })
  const water = definePrompt({ name: 'water', summary: 'Water the ferns', text: () => 'Water them.' })
  const ferns = createRegistry([
    definePlugin({
      name: 'ferns',
      renown: '^1.0.0',
      notYet,
      entities: [Fern],
      operations: [countFerns],
      prompts: [water],
    }),
  ])
  const surface = surfaceOf(ferns)
  const table = compileTable(ferns)

  test('in the surface', () => {
    expect(surface.entities.map((one) => one.not_yet)).toEqual([notYet])
    expect(surface.operations.map((one) => one.not_yet)).toEqual([notYet])
  })

  test('in OpenAPI', () => {
    const { paths } = openapiOf(ferns, 'http://localhost:3000') as {
      paths: Record<string, Record<string, { description?: string }>>
    }
    const described = ['/api/entities/Fern', '/api/entities/Fern/{id}', '/api/functions/countFerns']
    for (const path of described) {
      const [item] = Object.values(paths[path] ?? {})
      expect(`${path}: ${item?.description}`).toContain(notYet)
    }
  })

  test('to MCP clients', () => {
    expect(table.tools.get('countFerns')?.listing.description).toContain(notYet)
    expect(table.narrow('').resources.listings[0]?.description).toContain(notYet)
    expect(table.narrow('').resources.read('renown://records/Fern').contents[0]?.text).toContain(notYet)
    expect(table.prompts.listings[0]?.description).toContain(notYet)
    expect(table.prompts.get('water', {}).messages[0]?.content.text).toContain(notYet)
  })
})

describe('what may be written is said from what is registered', () => {
  const operation = (name: string, kind: 'draft' | 'queue' | 'setup') =>
    defineOperation({
      name,
      summary: name,
      class: kind,
      crossAgency: 'own',
      input: v.strictObject({}),
      output: v.object({}),
      run: async () => ({}),
    })
  const writes = (...operations: ReturnType<typeof operation>[]) => writesOf(operations)

  const inTheBox = writesOf(registry.operations.values())
  test('of the product in the box: drafts, reports, marks and first-time set-up', () => {
    expect(inTheBox).toBe(
      'save drafts, queue reports, set up what is missing, mark records as seen or read, and propose changes that people approve',
    )
    expect(compileTable(registry).instructions).toContain(`can write: ${inTheBox}.`)
  })

  test('of any other: each class that an operation has', () => {
    expect(writes()).toBe('nothing')
    expect(writes(operation('makeReport', 'queue'), operation('setUp', 'setup'))).toBe(
      'queue reports and set up what is missing',
    )
  })
})
