import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { defineEntity, defineOperation, definePlugin, foreignEntity } from '../../../core/kit'
import { version } from '../../../core/process/version'
import { createRegistry } from '../../../core/registry/registry'
import { surfaceOf } from '../../../core/registry/surface'
import manifest from '../../../package.json'

const Note = defineEntity({
  name: 'Note',
  summary: 'A note',
  idPrefix: 'not',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  fields: {
    title: v.pipe(v.string(), v.description('Title')),
    secret: v.pipe(v.string(), v.description('Never sent')),
    score: v.optional(v.pipe(v.number(), v.integer(), v.description('Score'))),
  },
  hidden: ['secret'],
  sortable: ['created_date', 'score'],
  searchable: ['title'],
})
const countNotes = defineOperation({
  name: 'countNotes',
  summary: 'Counts notes',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({ count: v.pipe(v.number(), v.description('How many')) }),
  run: async (ctx) => ({ count: await ctx.rows(Note).count() }),
})
const notes = definePlugin({
  name: 'notes',
  renown: '^1.0.0',
  entities: [Note],
  operations: [countNotes],
  migrations: [{ version: 2, summary: 'second', up: async () => {} }],
})
const faultsOf = (...plugins: Parameters<typeof createRegistry>[0]) => {
  try {
    createRegistry(plugins)
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1)
  }
  return []
}
const like = (changes: object) => definePlugin({ ...notes, ...changes })

describe('the registry', () => {
  test('holds what plugins declared, and says whose it is', () => {
    const registry = createRegistry([notes])
    expect(registry.entities.get('Note')).toBe(Note)
    expect(registry.operations.get('countNotes')).toEqual({ ...countNotes, run: expect.any(Function) })
    expect(registry.pluginOf('entity', 'Note')).toBe('notes')
    expect(registry.pluginOf('operation', 'nothing')).toBeUndefined()
  })

  test('keeps unique indexes within a tenant, unless one says in so many words that it spans them', () => {
    const withIndex = (index: object, scope: object = Note.scope) =>
      faultsOf(like({ entities: [{ ...Note, scope, reads: [], indexes: [index] }] }))
    const above = { by: 'agency', field: 'id' }
    expect(withIndex({ on: ['title'], unique: true })).toEqual([])
    expect(withIndex({ on: ['title'], unsafeUniqueAcrossTenants: true }, above)).toEqual([])
    expect(withIndex({ on: ['workspace_id', 'title'], unique: true }, above)).toEqual([])
    expect(withIndex({ on: ['title'], unique: true }, above)).toEqual([
      'entity Note: the unique index on title spans tenants: add workspace_id or agency_id to it, or replace unique by unsafeUniqueAcrossTenants',
    ])
    expect(withIndex({ on: ['title'], unique: true, unsafeUniqueAcrossTenants: true })).toEqual([
      'entity Note: an index says unique and unsafeUniqueAcrossTenants: name one of them',
    ])
    for (const odd of [{ uniqe: true }, { unsafeUniqueAcrossTenants: false }, { unique: 'yes' }])
      expect(withIndex({ on: ['title'], ...odd }).join()).toContain('unsafeUniqueAcrossTenants?')
  })

  test('names every mistake of a plugin that no compiler has seen, whatever is missing or misspelt', () => {
    const faults = faultsOf(
      null as never,
      like({ name: undefined }),
      like({ name: 'ranged', renown: 'latest', entities: [], operations: [], migrations: {} }),
      like({
        name: 'broken',
        entitys: [],
        needs: 'notes',
        entities: [
          null,
          { ...Note, name: 'Leaky', hidden: undefined, hiden: ['secret'] },
          { ...Note, name: 'Bare', scope: undefined, reads: undefined, sortable: undefined },
          { ...Note, name: 'Loose', fields: { title: 'string' } },
          { ...Note, name: 'Stated', states: [{ entity: 'Stated', field: 'title' }] },
          { ...Note, name: 'Sorted', idPrefix: 'srt', indexes: [{}] },
          { ...Note, name: 'Above', idPrefix: 'abv', scope: { by: 'self', field: 'id' } },
          { ...Note, name: 'Counted', idPrefix: 'cnt', store: 'columns' },
        ],
        operations: [undefined, { name: 'doIt' }],
        jobs: { tick: { summary: 'Ticks', everyMs: 5 }, tock: null },
        prompts: [{ name: 'say_it', summary: 'Says it', takes: { what: 'text' } }],
        feeds: { facts: 'facts' },
        commands: [{ name: 'go', summary: 'Goes', input: {} }],
        tables: [{ name: 'rows', columns: {}, engine: 'MergeTree' }],
        migrations: [{ version: 1, summary: 'first' }],
      }),
    ).join('\n')
    for (const part of [
      'A plugin is not an object',
      'A plugin without a name has no name',
      'ranged works with renown latest',
      'ranged: migrations is not a list',
      'broken: entitys is not a key of its declaration; did you mean entities?',
      'broken: needs is not a list of texts',
      'broken: entities[0] is not an object',
      'broken: entity Leaky: hiden is not a key of its declaration; did you mean hidden?',
      'broken: entity Bare has no scope: it is { by, field }',
      'broken: entity Bare has no reads',
      'broken: entity Bare has no sortable',
      'broken: entity Loose: fields is not an object of valibot schemas',
      'broken: entity Sorted: indexes is not a list of',
      'entity Above: the scope self names agency_id, which is not a field',
      'entity Counted is served from columns, and no table counted is declared',
      'broken: operations[0] is not an object',
      'broken: operation doIt has no summary',
      'operation doIt: its input must be a v.strictObject',
      'operation doIt has no run',
      'broken: job tick has no run: it is a function',
      'broken: job tock is not an object',
      'broken: prompt say_it has no text: it is a function',
      'broken: prompt say_it: takes is not an object of { description, required? }',
      'broken: feed facts is not an object',
      'broken: command go: input is not a valibot schema',
      'broken: command go has no run',
      'broken: table rows has no orderBy',
      'broken: entity Stated: states is not a list of { entity, field, initial, moves, stamps?, needs?, clears? }',
      'broken: migrations[0] has no up',
    ]) {
      expect(faults).toContain(part)
    }
  })

  test('cannot be changed', () => {
    const { entities } = createRegistry([notes])
    const writable = entities as Map<string, unknown>
    expect(() => writable.set('Evil', Note)).toThrow('cannot change')
    expect(() => writable.delete('Note')).toThrow('cannot change')
    expect(() => writable.clear()).toThrow('cannot change')
  })

  test('orders migrations by version across plugins', () => {
    const other = definePlugin({
      name: 'other',
      renown: '*',
      migrations: [
        { version: 3, summary: 'third', up: async () => {} },
        { version: 1, summary: 'first', up: async () => {} },
      ],
    })
    expect(createRegistry([notes, other]).migrations.map(({ plugin, version: at }) => [plugin, at])).toEqual([
      ['other', 1],
      ['notes', 2],
      ['other', 3],
    ])
  })

  test('reports every conflict at once, in one error', () => {
    const broken = like({
      name: 'Broken Name',
      renown: '^2.0.0',
      needs: ['reviews'],
      entities: [
        { ...Note, name: 'note', idPrefix: 'x', scope: { by: 'planet', field: 'orbit' }, sortable: ['rank'] },
      ],
      operations: [{ ...countNotes, name: 'Count', class: 'delete', input: v.object({}) }],
      commands: [{ name: 'Bad_Name', summary: '', input: v.strictObject({}), run: async () => ({}) }],
      jobs: { tick: { summary: '', everyMs: 0, run: async () => {} } },
      tables: [{ name: 'T', columns: { a: 'String' }, engine: 'MergeTree', orderBy: ['b'] }],
      migrations: [
        { version: 1, summary: '', up: async () => {} },
        { version: 1, summary: '', up: async () => {} },
      ],
    })
    const faults = faultsOf(broken).join('\n')
    for (const part of [
      'plugin name "Broken Name" is not kebab-case',
      `works with renown ^2.0.0, but this is ${version}`,
      'needs the plugin reviews, which is not loaded',
      'entity name "note" is not PascalCase',
      'id prefix "x" must be three letters',
      'unknown scope planet',
      'scope names orbit, which is not a field',
      'sortable names rank, which is not a field',
      'operation name "Count" is not camelCase',
      'class delete is not allowed',
      'input must be a v.strictObject',
      'command name "Bad_Name"',
      'job tick: everyMs',
      'orderBy names b, which is not a column',
      'two migrations of version 1',
    ]) {
      expect(faults).toContain(part)
    }
  })

  test('refuses pages that cannot be served', () => {
    const page = {
      path: '/app/notes',
      title: 'Notes',
      module: new URL('./page.tsx', import.meta.url),
      load: async () => ({}),
    }
    expect(faultsOf(like({ pages: [page] }))).toEqual([])
    const faults = faultsOf(
      like({
        pages: [
          { ...page, path: '/Notes' },
          { ...page, path: '/app/data/notes' },
          { ...page, path: '/app/remote', module: new URL('https://example.com/page.tsx') },
          { ...page, path: '/app/typo', titel: 'Notes' },
          { ...page, path: '/app/text', module: './page.tsx' },
          {
            ...page,
            path: '/app/acting',
            actions: { Add: { input: v.object({}), auth: 'none', run: async () => {} } },
            events: { Ticks: async function* () {} },
          },
          { ...page, path: '/app/half', actions: { add: { auth: 'session' } } },
        ],
      }),
      like({ name: 'twin', entities: [], operations: [], migrations: [], pages: [page, page] }),
    ).join('\n')
    for (const part of [
      'page name "/Notes" is not /app/ and words in kebab-case',
      'page /app/data/notes is under an address that core uses',
      'page /app/remote: module must be a .tsx or .jsx file',
      'page /app/typo: titel is not a key of its declaration; did you mean title?',
      'page /app/text: module is not a URL',
      'action name "Add" is not kebab-case',
      'topic name "Ticks" is not kebab-case',
      'the input of action Add must be a v.strictObject',
      'auth of action Add must be session or recent',
      'page /app/half: actions is not an object of { input, auth, only?, run }',
      'both twin and twin declare the page /app/notes',
    ])
      expect(faults).toContain(part)
  })

  test('refuses names and id prefixes that two plugins share', () => {
    const twin = like({ name: 'twin', migrations: [] })
    const faults = faultsOf(
      notes,
      twin,
      like({ name: 'third', entities: [{ ...Note, name: 'Memo' }], operations: [] }),
    )
    expect(faults).toContain('both notes and twin declare the entity Note')
    expect(faults).toContain('both notes and twin declare the operation countNotes')
    expect(faults).toContain('entities Note and Memo share the id prefix not')
  })

  test('refuses hidden fields that could be sorted or searched, and dry_run as an input of ours', () => {
    const leaky = { ...Note, sortable: ['secret'], searchable: ['secret', 'score'] }
    const grabbing = { ...countNotes, input: v.strictObject({ dry_run: v.boolean() }) }
    const faults = faultsOf(like({ entities: [leaky], operations: [grabbing] })).join('\n')
    expect(faults).toContain('secret is hidden and cannot be sorted on')
    expect(faults).toContain('secret is hidden and cannot be searched')
    expect(faults).toContain('score is integer and cannot be searched')
    expect(faults).toContain('dry_run is reserved for the gateway')
    const counted = { ...Note, counts: { by: ['score', 'ghost'] } }
    expect(faultsOf(like({ entities: [counted] })).join('\n')).toContain(
      'score is integer and cannot be counted by',
    )
    expect(faultsOf(like({ entities: [counted] })).join('\n')).toContain('ghost')
  })

  test('refuses sealed fields that callers could see, or that are no text', () => {
    const faults = faultsOf(like({ entities: [{ ...Note, sealed: ['title', 'score', 'ghost'] }] })).join('\n')
    expect(faults).toContain('title is sealed and must be a hidden text')
    expect(faults).toContain('score is sealed and must be a hidden text')
    expect(faults).toContain('sealed names ghost')
    expect(faultsOf(like({ entities: [{ ...Note, sealed: ['secret'] }] })).join('\n')).not.toContain('sealed')
  })

  test('refuses more indexes than MongoDB takes in one collection', () => {
    const indexes = Array.from({ length: 62 }, (_, n) => ({ on: ['score'], where: { title: `${n}` } }))
    const faults = (count: number) =>
      faultsOf(like({ entities: [{ ...Note, indexes: indexes.slice(0, count) }] })).join('\n')
    expect(faults(62)).toContain('entity Note: 62 indexes, of at most 61')
    expect(faults(61)).not.toContain('indexes')
  })

  test("checks the fields that are read from another plugin's entity", () => {
    const reader = (fields: Parameters<typeof foreignEntity>[1], name = 'Note') =>
      definePlugin({ name: 'reader', renown: '^1.0.0', reads: [foreignEntity(name, fields)] })
    expect(faultsOf(notes, reader({ title: v.string() }))).toEqual([])
    expect(faultsOf(notes, reader({ body: v.string() }))[0]).toContain('Note.body, which does not exist')
    expect(faultsOf(notes, reader({ title: v.boolean() }))[0]).toContain('as boolean, it is string')
    expect(faultsOf(notes, reader({}, 'Ghost'))[0]).toContain('no loaded plugin declares')
  })

  test("checks the fields that are written in another plugin's entity", () => {
    const fields = { title: v.string() }
    const writer = definePlugin({
      name: 'writer',
      renown: '^1.0.0',
      reads: [foreignEntity('Note', fields, { writes: ['title'] })],
    })
    const sharing = like({ entities: [{ ...Note, shared: ['title'] }] })
    expect(faultsOf(notes, writer)[0]).toContain('writes Note.title, which its plugin does not share')
    expect(faultsOf(sharing, writer)).toEqual([])
  })
})

describe('the surface', () => {
  const surface = surfaceOf(createRegistry([notes]))

  test('holds offered entities only, and no hidden field', () => {
    expect(surface.entities.map(({ name }) => name)).toEqual(['Note'])
    expect(surface.entities[0]?.fields.map(({ name }) => name)).toEqual([
      'id',
      'title',
      'score',
      'created_date',
      'updated_date',
    ])
    expect(JSON.stringify(surface)).not.toContain('secret')
  })

  test('tells what a filter and a sort may do with a field', () => {
    const fields = new Map(surface.entities[0]?.fields.map((field) => [field.name, field]))
    expect(fields.get('title')).toMatchObject({ type: 'string', filter: 'search', description: 'Title' })
    expect(fields.get('score')).toMatchObject({ type: 'integer', optional: true, sortable: true })
  })

  test('has a digest that a changed declaration changes, whatever the order of plugins', () => {
    const other = definePlugin({ name: 'other', renown: '*' })
    expect(surfaceOf(createRegistry([other, notes])).surface_hash).toBe(surface.surface_hash)
    const changed = like({ entities: [{ ...Note, reads: ['list'] }] })
    expect(surfaceOf(createRegistry([changed])).surface_hash).not.toBe(surface.surface_hash)
  })
})

test('the version that plugins name is the one of the package', () => {
  expect(version).toBe(manifest.version)
})
