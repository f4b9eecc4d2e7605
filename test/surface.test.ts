import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Field, fieldsOf, visibleFields } from '../core/kit/fields'
import { readSurface, surfaceLines, surfaceText } from './support/golden-surface'
import { shippedRegistry } from './support/shipped'
import { shrinkage } from './support/surface-shrinkage'

const today = new Date().toISOString().slice(0, 10)
const registry = shippedRegistry()
const now = surfaceLines(registry)
const pinnedText = readFileSync(join(import.meta.dir, 'surface.txt'), 'utf8')
const pinned = readSurface(pinnedText)
const entities = [...registry.entities.values()]

test('what the product declares is what it was; a change is deliberate (`bun run pin`, and a word in CHANGELOG.md)', () => {
  const before = new Set(pinnedText.split('\n'))
  const after = new Set(surfaceText(now).split('\n'))
  const changes = [
    ...[...before].filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ]
  expect(changes).toEqual([])
  expect(surfaceText(now) === pinnedText).toBe(true)
})

test('a file of the surface gives back what was written', () => {
  expect([...readSurface(surfaceText(now))]).toEqual([...now])
})

test('every kind of declaration has lines', () => {
  const kinds = new Set([...now.keys()].map((name) => name.split(' ')[0]))
  expect([...kinds]).toEqual(['record', 'operation', 'schema', 'store', 'command'])
  const stored = [...now.keys()].filter((name) => /^store \w+$/.test(name))
  expect(stored).toHaveLength(entities.length)
})

test('nothing in it can do more than read, draft, queue, set up and mark', () => {
  const operations = [...now].filter(([name]) => /^operation \w+$/.test(name))
  expect(operations.length).toBeGreaterThan(30)
  const classes = operations.map(([, words]) => words.split(' ')[0] ?? '')
  expect(classes.filter((name) => !/^(read|draft|queue|setup|mark)$/.test(name))).toEqual([])
})

test('no secret is a field that callers see', () => {
  const names = entities
    .filter(({ reads }) => reads.length > 0)
    .flatMap((entity) => visibleFields(entity).map((field) => field.name))
  expect(
    names.filter(
      (name) =>
        name !== 'data_hash' && /hash|password|secret|render_token|^ip$|_ip$|forwarder_token$/.test(name),
    ),
  ).toEqual([])
})

test('every field of every record type has a description', () => {
  const undescribed = (fields: readonly Field[]): string[] =>
    fields.flatMap((field) => [
      ...(field.description ? [] : [field.path]),
      ...undescribed(field.fields ?? []),
    ])
  const missing = entities
    .filter(({ reads }) => reads.length > 0)
    .flatMap((entity) => undescribed(fieldsOf(entity)).map((path) => `${entity.name}.${path}`))
  expect(missing).toEqual([])
})

describe('the surface cannot shrink before an announcement has run out:', () => {
  const before = readSurface(
    [
      'record Note: list get order:-created_date',
      'record Note.title: string filter:search sortable (maxLength 9)',
      'record Note.stage: new|done',
      'record Note.old: string deprecated:2025-01-01/2026-01-01',
      'operation countNotes: read scope:read own allowed',
      'operation countNotes in.stage: new|done optional',
      'operation countNotes out.count: number',
      'operation leaveNote: draft scope:write own deprecated:2025-01-01/2026-02-01',
      'store Note.secret: string',
    ].join('\n'),
  )
  const lost = (name: string, words: string | undefined, day = '2026-01-15') => {
    const after = new Map(before)
    if (words === undefined) after.delete(name)
    else after.set(name, words)
    return shrinkage(before, after, day)
  }

  test.each([
    ['record Note', undefined, 'record Note is gone'],
    ['record Note', 'list order:-created_date', 'record Note is no longer get'],
    ['record Note', 'list get order:title', 'record Note is no longer order:-created_date'],
    ['record Note.title', undefined, 'record Note.title is gone'],
    ['record Note.title', 'integer filter:search sortable', 'record Note.title is no longer string'],
    ['record Note.title', 'string filter:search', 'record Note.title is no longer sortable'],
    ['record Note.title', 'string sortable', 'record Note.title is no longer filter:search'],
    ['record Note.title', 'string optional filter:search sortable', 'record Note.title became optional'],
    ['record Note.stage', 'new', 'record Note.stage is no longer new|done'],
    ['operation countNotes', undefined, 'operation countNotes is gone'],
    ['operation countNotes', 'draft scope:read own allowed', 'operation countNotes is no longer read'],
    ['operation countNotes', 'read scope:read own', 'operation countNotes is no longer allowed'],
    ['operation countNotes in.stage', 'new|done', 'operation countNotes in.stage is no longer optional'],
    ['operation countNotes in.more', 'string', 'operation countNotes in.more is asked for'],
    ['operation countNotes out.count', undefined, 'operation countNotes out.count is gone'],
    ['operation leaveNote', undefined, 'operation leaveNote is gone'],
  ])('%s as %p', (name, words, fault) => {
    expect(lost(name, words)).toEqual([fault])
  })

  test('what was announced goes on its day, and what is new comes at any time', () => {
    expect(lost('record Note.old', undefined)).toEqual([])
    expect(lost('record Note.old', undefined, '2025-12-31')).toEqual(['record Note.old is gone'])
    expect(lost('operation leaveNote', undefined, '2026-02-01')).toEqual([])
    expect(lost('record Note.stage', 'new|done|lost')).toEqual([])
    expect(lost('record Note.title', 'string filter:search sortable (maxLength 10)')).toEqual([])
    expect(lost('record Note.more', 'string')).toEqual([])
    expect(lost('operation countNotes in.more', 'string optional')).toEqual([])
    expect(
      lost('operation leaveNote', 'draft scope:write own allowed deprecated:2025-01-01/2026-02-01'),
    ).toEqual([])
    expect(lost('store Note.secret', undefined)).toEqual([])
  })

  test('the surface as it stands holds all that is pinned', () => {
    expect(shrinkage(pinned, now, today)).toEqual([])
  })
})
