import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { deprecated, field } from '../../../core/contracts'
import { noticeHeaders } from '../../../core/http/deprecation'
import { createRegistry } from '../../../core/registry/registry'
import { type Gate, startGate } from '../../support/harness'
import { aNote, countNotes, draftNote, Note, notes } from '../../support/notes-plugin'

const entityNotice = { since: '2026-01-01', sunset: '2027-03-01', use: 'Letter' }
const fieldNotice = { since: '2026-02-01', sunset: '2027-02-01', use: '`label`' }
const Memo = {
  ...Note,
  name: 'Memo',
  idPrefix: 'mem',
  fields: {
    ...Note.fields,
    title: deprecated(Note.fields.title, fieldNotice),
    address: v.optional(
      deprecated(v.pipe(v.object({ city: field.text('City') }), v.description('Address')), fieldNotice),
    ),
    person: v.optional(
      v.pipe(
        v.object({ name: deprecated(field.text('Name'), fieldNotice), role: field.text('Role') }),
        v.description('Person'),
      ),
    ),
  },
}
const OldNote = { ...Note, deprecated: entityNotice }
const planted = {
  ...notes,
  entities: [OldNote, Memo],
  operations: [
    { ...countNotes, deprecated: entityNotice },
    {
      ...draftNote,
      input: v.strictObject({
        title: field.text('Title'),
        slug: v.optional(deprecated(field.text('Unique name'), fieldNotice)),
      }),
    },
  ],
}

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [planted] })
  for (let n = 0; n < 2; n++) await gate.put(OldNote, aNote)
})
afterAll(() => gate.stop())

const told = (response: Response) =>
  ['deprecation', 'sunset', 'link'].map((name) => response.headers.get(name))
const filter = (q: object) => `q=${encodeURIComponent(JSON.stringify(q))}`
const entityHeaders = ['@1767225600', 'Mon, 01 Mar 2027 00:00:00 GMT']
const fieldHeaders = ['@1769904000', 'Mon, 01 Feb 2027 00:00:00 GMT']
const link = (name: string) => `<http://localhost:3000/docs#${name}>; rel="deprecation"; type="text/html"`

describe('a planted deprecation', () => {
  test('of an entity is told on each read, beside the link to the next page, and on a page that is kept', async () => {
    const { id } = await gate.put(OldNote, aNote)
    expect(told(await gate.ask(`/api/entities/Note/${id}`))).toEqual([...entityHeaders, link('Note')])
    for (let n = 0; n < 3; n++) {
      expect(told(await gate.ask('/api/entities/Note'))).toEqual([...entityHeaders, link('Note')])
    }
    const page = await gate.ask('/api/entities/Note?limit=1')
    expect(told(page).slice(0, 2)).toEqual(entityHeaders)
    expect(page.headers.get('link')).toMatch(/^<[^>]+cursor=[^>]+>; rel="next", <[^>]+>; rel="deprecation"/)
  })

  test('of an operation is told on each call', async () => {
    expect(told(await gate.call('countNotes'))).toEqual([...entityHeaders, link('countNotes')])
  })

  test('of a field is told where the caller names it, and nowhere else', async () => {
    for (const query of [
      'sort=title',
      'fields=title,stage',
      filter({ $or: [{ title: 'x' }, { stage: 'new' }] }),
      filter({ $nor: [{ stage: 'new' }, { title: 'x' }] }),
      filter({ stage: 'new', score: { $not: { $gt: 3 } }, title: 'x' }),
      filter({ 'address.city': 'x' }),
      filter({ 'person.name': 'x' }),
      'sort=score,-title',
    ]) {
      const answer = await gate.ask(`/api/entities/Memo?${query}`)
      expect([query, answer.status, ...told(answer)]).toEqual([query, 200, ...fieldHeaders, link('Memo')])
    }
    for (const query of ['sort=-score', filter({ 'person.role': 'x' }), 'fields=person,stage', ''])
      expect(told(await gate.ask(`/api/entities/Memo?${query}`))).toEqual([null, null, null])
    expect(told(await gate.call('draftNote', { title: 'x', slug: 'y' }))).toEqual([
      ...fieldHeaders,
      link('draftNote'),
    ])
    expect(told(await gate.call('draftNote', { title: 'x' }))).toEqual([null, null, null])
  })

  test('says nothing to a caller without a credential', async () => {
    expect(told(await gate.ask('/api/entities/Note', { key: null }))).toEqual([null, null, null])
  })

  test('stands in the surface, in OpenAPI and on the reference page', async () => {
    const [surface, openapi, page] = await Promise.all(
      ['/api/surface', '/openapi.json', '/docs'].map(async (path) => (await gate.ask(path)).text()),
    )
    const { entities, operations } = JSON.parse(surface ?? '')
    interface Named {
      name: string
      fields?: Named[]
    }
    const named = (list: Named[] = [], name: string) => list.find((one) => one.name === name)
    expect(named(entities, 'Note')).toMatchObject({ deprecated: entityNotice })
    expect(named(named(entities, 'Memo')?.fields, 'title')).toMatchObject({ deprecated: fieldNotice })
    expect(named(operations, 'countNotes')).toMatchObject({ deprecated: entityNotice })
    const { paths, components } = JSON.parse(openapi ?? '')
    expect(paths['/api/entities/Note'].get.deprecated).toBe(true)
    expect(paths['/api/entities/Memo'].get.deprecated).toBeUndefined()
    expect(paths['/api/functions/countNotes'].post.deprecated).toBe(true)
    expect(components.schemas.Memo.properties.title).toMatchObject({ type: 'string', deprecated: true })
    expect(page).toContain('Deprecated since 2026-01-01, may be gone from 2027-03-01.')
    expect(page).toContain('Use instead: <code>label</code>.')
  })
})

test('of several deprecations the one that ends first is told', () => {
  const later = { since: '2026-03-01', sunset: '2028-01-01', use: 'x' }
  const headers = noticeHeaders('https://a.example', { name: 'Memo' }, [later, undefined, fieldNotice, later])
  expect(headers).toEqual({
    deprecation: String(fieldHeaders[0]),
    sunset: String(fieldHeaders[1]),
    link: '<https://a.example/docs#Memo>; rel="deprecation"; type="text/html"',
  })
  expect(noticeHeaders('https://a.example', { name: 'Memo' }, [undefined])).toEqual({})
})

describe('an announcement is refused at the start', () => {
  const faults = (notice: object) => {
    try {
      createRegistry([{ ...notes, entities: [{ ...Note, deprecated: { ...entityNotice, ...notice } }] }])
    } catch (error) {
      return (error as Error).message
    }
  }
  test.each([
    [{ sunset: '2026-12-31' }, 'sunset 2026-12-31 is less than 12 months after 2026-01-01'],
    [{ since: 'soon' }, 'since and sunset are days'],
    [{ use: ' ' }, 'does not name a replacement'],
  ])('%p', (notice, fault) => {
    expect(faults(notice)).toContain(fault)
    expect(faults({})).toBeUndefined()
  })

  test('of a field too, however deep', () => {
    const inner = v.object({ name: deprecated(field.text('Name'), { ...fieldNotice, sunset: '2026-03-01' }) })
    const fields = { ...Note.fields, people: v.optional(v.array(inner)) }
    expect(() => createRegistry([{ ...notes, entities: [{ ...Note, fields }] }])).toThrow(
      'Note.people.name: deprecated: sunset',
    )
  })
})
