import { describe, expect, test } from 'bun:test'
import pinnedBounds from './schema-bounds.json'
import { schemaPin } from './support/schema-pin'
import { surfacePin } from './support/surface-pin'
import { type Pinned, shrinkage } from './support/surface-shrinkage'
import pinned from './surface.json'

const today = new Date().toISOString().slice(0, 10)

test('the callable surface is what it was; a change is deliberate (`bun run pin`, and a word in CHANGELOG.md)', () => {
  expect(surfacePin()).toEqual(pinned as unknown as ReturnType<typeof surfacePin>)
})

test('the bounds of published fields are what they were; a change is deliberate (`bun run pin`)', () => {
  expect(schemaPin()).toEqual(pinnedBounds)
})

test('nothing in it can do more than read, draft, queue, set up and mark', () => {
  const classes = Object.values(pinned.operations).map((operation) => operation.class)
  expect([...new Set(classes)].filter((name) => !/^(read|draft|queue|setup|mark)$/.test(name))).toEqual([])
})

test('no secret is a field of it', () => {
  const names = Object.values(pinned.entities).flatMap((entity) => Object.keys(entity.fields))
  expect(
    names.filter(
      (name) =>
        name !== 'data_hash' && /hash|password|secret|render_token|^ip$|_ip$|forwarder_token$/.test(name),
    ),
  ).toEqual([])
})

describe('the surface cannot shrink before an announcement has run out:', () => {
  const before = {
    entities: {
      Note: {
        reads: 'list get',
        order: '-created_date',
        fields: {
          title: 'string filter:search sortable',
          stage: 'new|done',
          old: 'string deprecated:2025-01-01/2026-01-01',
        },
      },
    },
    operations: {
      countNotes: {
        class: 'read',
        scope: 'read',
        cross_agency: 'allowed',
        input: { stage: 'new|done optional' },
        output: { count: 'number' },
      },
      leaveNote: {
        deprecated: '2025-01-01/2026-02-01',
        class: 'draft',
        scope: 'write',
        cross_agency: 'own',
        input: {},
        output: {},
      },
    },
  }
  /** The surface with one change, by the way to it; undefined takes away. */
  const changed = (path: string, value: unknown) => {
    const after = structuredClone(before) as unknown as Record<string, never>
    const names = path.split('.')
    const last = names.pop() ?? ''
    const parent = names.reduce<Record<string, unknown>>((node, name) => node[name] as never, after)
    if (value === undefined) delete parent[last]
    else parent[last] = value
    return after as unknown as Pinned
  }
  const lost = (path: string, value: unknown, day = '2026-01-15') =>
    shrinkage(before as Pinned, changed(path, value), day)

  test.each([
    ['entities.Note', undefined, 'Note is gone'],
    ['entities.Note.reads', 'list', 'Note: reads is no longer list get'],
    ['entities.Note.order', 'title', 'Note: order is no longer -created_date'],
    ['entities.Note.fields.title', undefined, 'Note.title is gone'],
    ['entities.Note.fields.title', 'integer filter:search sortable', 'Note.title is no longer string'],
    ['entities.Note.fields.title', 'string filter:search', 'Note.title is no longer sortable'],
    ['entities.Note.fields.title', 'string sortable', 'Note.title is no longer filter:search'],
    ['entities.Note.fields.title', 'string optional filter:search sortable', 'Note.title became optional'],
    ['entities.Note.fields.stage', 'new', 'Note.stage is no longer new|done'],
    ['operations.countNotes', undefined, 'countNotes is gone'],
    ['operations.countNotes.class', 'draft', 'countNotes: class is no longer read'],
    ['operations.countNotes.cross_agency', 'own', 'countNotes: cross_agency is no longer allowed'],
    ['operations.countNotes.input.stage', 'new|done', 'countNotes.stage is no longer optional'],
    ['operations.countNotes.input.more', 'string', 'countNotes asks for more'],
    ['operations.countNotes.output.count', undefined, 'countNotes.count is gone'],
    ['operations.leaveNote', undefined, 'leaveNote is gone'],
  ])('%s as %p', (path, value, fault) => {
    expect(lost(path, value)).toEqual([fault])
  })

  test('what was announced goes on its day, and what is new comes at any time', () => {
    expect(lost('entities.Note.fields.old', undefined)).toEqual([])
    expect(lost('entities.Note.fields.old', undefined, '2025-12-31')).toEqual(['Note.old is gone'])
    expect(lost('operations.leaveNote', undefined, '2026-02-01')).toEqual([])
    expect(lost('entities.Note.fields.stage', 'new|done|lost')).toEqual([])
    expect(lost('entities.Note.fields.more', 'string')).toEqual([])
    expect(lost('operations.countNotes.input.more', 'string optional')).toEqual([])
    expect(lost('operations.leaveNote.cross_agency', 'allowed')).toEqual([])
  })

  test('the surface as it stands holds all that is pinned', () => {
    expect(shrinkage(pinned, surfacePin(), today)).toEqual([])
  })
})
