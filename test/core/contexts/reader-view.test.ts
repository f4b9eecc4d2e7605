import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  defineEntity,
  defineOperation,
  definePlugin,
  field,
  foreignEntity,
  type GroupQuery,
  type ListQuery,
  type ReadContext,
  where,
} from 'renown'
import * as v from 'valibot'
import { fieldsOfEntries } from '../../../core/contexts/reader-view'
import { Workspace } from '../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../support/harness'
import { quietLog } from '../../support/quiet-log'

const Person = defineEntity({
  name: 'Person',
  summary: 'Somebody',
  idPrefix: 'per',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  fields: {
    city: field.text('City'),
    email: v.optional(field.text('Address')),
    called_at: v.optional(field.instant('When they were called')),
    address: v.optional(v.object({ street: v.string() })),
    note: v.optional(field.text('Kept by the plugin')),
  },
  personal: ['email', 'called_at', 'address'],
  hidden: ['note'],
  sortable: ['created_date'],
})
const ForeignPerson = foreignEntity('Person', { city: field.text('City') })
const ForeignEmail = foreignEntity('Person', { city: v.string(), email: v.optional(v.string()) })

/** What an operation tries, and how its field reaches the query. */
const queries = (name: string): Record<string, ListQuery & Partial<Pick<GroupQuery, 'by' | 'measures'>>> => ({
  where: { where: where.eq(name, 'x') },
  nested: { where: where.or(where.eq('city', 'a'), where.not(where.and(where.ne(name, null)))) },
  exists: { where: { op: 'exists', field: name, value: true } },
  sort: { sort: [{ field: name, direction: 'asc' }] },
  by: { by: [name] },
  period: { by: [{ field: name, unit: 'day', timezone: 'UTC' }] },
  measure: { measures: [{ as: 'm', fn: 'min', field: name }] },
})
const kinds = ['where', 'nested', 'exists', 'sort', 'by', 'period', 'measure'] as const
const whose = { own: Person, foreign: ForeignPerson, foreignEmail: ForeignEmail } as const

const tryWith = async (ctx: ReadContext, as: keyof typeof whose, name: string, kind: string) => {
  const rows = ctx.rows(whose[as] as typeof Person)
  const { by, measures = [], ...list } = queries(name)[kind] ?? {}
  if (by || measures.length > 0) return rows.group({ where: where.and(), by: by ?? [], measures })
  const listed = await rows.list(list)
  if (list.where) {
    await rows.count(list.where)
    await rows.group({ where: list.where, by: ['city'], measures: [] })
  }
  return listed
}

const tried = defineOperation({
  name: 'tryField',
  summary: 'Names a field in a query',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    as: field.oneOf(['own', 'foreign', 'foreignEmail'], 'Whose declaration'),
    name: field.text('Field'),
    kind: field.oneOf(kinds, 'Its state'),
  }),
  output: v.object({ rows: v.pipe(v.array(v.unknown()), v.description('Answer')) }),
  run: async (ctx, { as, name, kind }) => ({ rows: await tryWith(ctx, as, name, kind) }),
})
const stamped = defineOperation({
  name: 'stampPeople',
  summary: 'Stamps people as called',
  class: 'mark',
  crossAgency: 'own',
  input: v.strictObject({ ids: field.batch('Person', 200, 'Ids') }),
  output: v.object({ ids: v.pipe(v.array(v.string()), v.description('Ids')) }),
  run: async (ctx, { ids }) => ({ ids: await ctx.rows(Person).stamp(ids, 'called_at') }),
})
const people = definePlugin({
  name: 'persons',
  renown: '^1.0.0',
  entities: [Person],
  operations: [tried, stamped],
})
const stranger = definePlugin({ name: 'stranger', renown: '^1.0.0', reads: [ForeignPerson, ForeignEmail] })

let gate: Gate
let redacted: string
const ids: string[] = []
beforeAll(async () => {
  gate = await startGate({ plugins: [people, stranger], log: quietLog })
  redacted = gate.tenant.otherWorkspaceId
  await gate.owner.rows(Workspace).update(redacted, { redact_pii: true })
  for (const workspace of [redacted, gate.tenant.workspaceId])
    ids.push((await gate.put(Person, { city: 'a', email: 'x', note: 'x' }, workspace)).id)
})
afterAll(() => gate.stop())

const attempt = async (as: string, name: string, kind: string, workspace?: string) => {
  const response = await gate.call('tryField', { as, name, kind }, workspace ? { workspace } : {})
  const { code, detail } = (await response.json()) as { code?: string; detail?: string }
  return { status: response.status, code, detail }
}
const textKinds = kinds.filter((kind) => kind !== 'period')

describe('where the workspace keeps contact details back', () => {
  test.each([...kinds])('no operation reaches them by %s', async (kind) => {
    const name = kind === 'period' ? 'called_at' : 'email'
    for (const as of kind === 'period' ? ['own'] : ['own', 'foreignEmail']) {
      const { status, code, detail } = await attempt(as, name, kind, redacted)
      expect([as, status, code]).toEqual([as, 422, 'invalid_filter'])
      expect(detail).toContain(`Person.${name}`)
    }
  })
  test('nor by a part of them, nor by a stamp that tells which are set', async () => {
    expect(await attempt('own', 'address.street', 'where', redacted)).toMatchObject({ status: 422 })
    const response = await gate.call('stampPeople', { ids: ids.slice(0, 1) }, { workspace: redacted })
    expect(response.status).toBe(422)
  })
  test('elsewhere an operation of the plugin uses them', async () => {
    for (const kind of textKinds) expect(await attempt('own', 'email', kind)).toMatchObject({ status: 200 })
    expect(await attempt('own', 'called_at', 'period')).toMatchObject({ status: 200 })
  })
})

describe('of another plugin’s rows', () => {
  test.each([...textKinds])('fields that were not declared as read cannot be named by %s', async (kind) => {
    for (const name of ['email', 'note']) {
      expect([kind, (await attempt('foreign', name, kind)).status]).toEqual([kind, 500])
    }
    expect(await attempt('foreign', 'city', kind)).toMatchObject({ status: 200 })
  })
  test('the same holds above workspaces', async () => {
    const rows = gate.owner.rows(ForeignPerson)
    const email = where.eq('email', 'x')
    await expect(rows.list({ where: email })).rejects.toThrow('Person has no readable field email')
    await expect(rows.count(email)).rejects.toThrow('no readable field')
    await expect(rows.group({ by: ['email'], measures: [] })).rejects.toThrow('no readable field')
    await expect(rows.updateWhere(email, {})).rejects.toThrow('no readable field')
    await expect(rows.updateMany(email, {})).rejects.toThrow('no readable field')
    expect(await rows.count(where.eq('city', 'a'))).toBe(2)
    const changed = await rows.updateWhere(where.eq('city', 'a'), {})
    expect(Object.keys(changed ?? {}).sort()).toEqual([
      'city',
      'created_date',
      'id',
      'updated_date',
      'workspace_id',
    ])
  })
})

test('an entry query names the fields of its rows: those it opens, groups by and measures', () => {
  const query = { of: 'by_agent', by: ['date', { as: 'agent', entry: 'key' }] } as const
  const measures = [
    { as: 'first', fn: 'min', field: 'id' },
    { as: 'hits', fn: 'sum', entry: 'value.hits' },
  ] as const
  expect(fieldsOfEntries({ ...query, measures })).toEqual(['by_agent', 'date', 'id'])
})
