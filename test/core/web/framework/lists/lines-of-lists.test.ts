import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { Refusal } from '../../../../../core/contracts/errors'
import { everything, where } from '../../../../../core/doors/front'
import { defineList, definePage, type PageContext } from '../../../../../core/doors/pages'
import { defineAct } from '../../../../../core/kit'
import { type Gate, startGate } from '../../../../support/harness'
import { Note } from '../../../../support/notes-plugin'
import { withPages } from '../../../../support/pages'
import { signedIn } from '../../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../../support/visitor'

const moveNote = (name: string, to: 'new' | 'done', undo?: string) =>
  defineAct({
    name: `note ${name}`,
    summary: `Make a note ${to}`,
    on: { entity: Note, field: 'note_id', called: 'note' },
    seen: { seen: v.optional(v.string()) },
    label: name,
    done: { [name]: `The note is ${to}.` },
    ...(undo === undefined ? {} : { undo }),
    async run(ctx, { row, seen }) {
      if (seen?.seen !== row.stage) throw new Refusal('conflict', 'Somebody else changed the note.')
      await ctx.rows(Note).update(row.id, { stage: to })
      return { answer: { note_id: row.id } }
    },
  })
const finish = moveNote('finish', 'done', 'note reopen')
const reopen = moveNote('reopen', 'new')
/** A member may not, and a demo neither. */
const forOwners = { ...finish, form: { ...finish.form, only: 'owner', refusesDemo: true } } as typeof finish

const titlesOf = async (ctx: PageContext) =>
  (await ctx.rows(Note).list({ limit: 10 })).map(({ id, title }) => [id, title] as const)

const page = definePage({
  path: '/app/notes',
  title: 'Notes',
  module: new URL('./NotesPage.tsx', import.meta.url),
  list: defineList({
    rows: 'notes',
    perPage: 2,
    filters: {
      find: { kind: 'find', label: 'Title' },
      stage: {
        kind: 'choice',
        label: 'Stage',
        none: 'New',
        options: [
          ['done', 'Done'],
          ['any', 'Any'],
        ],
      },
      like: { kind: 'record', label: 'Like', called: 'note', options: titlesOf, isFolded: true },
      day: {
        kind: 'link',
        isPosition: true,
        accepts: (text) => text === 'today',
        accepted: () => 'Use today.',
      },
    },
    check: async (_, { find }) =>
      find === 'bad' ? [{ name: 'find', value: find, accepted: 'Use a word.' }] : [],
    source: (ctx, { stage, find }) => ({
      async after({ after, limit, isWhole }) {
        const found = await ctx.rows(Note).list({
          where: where.and(
            where.gt('title', after),
            stage === 'any' ? everything : where.eq('stage', stage || 'new'),
            find === '' ? everything : { op: 'contains', field: 'title', value: find },
          ),
          sort: [{ field: 'title', direction: 'asc' }],
          limit: limit + 1,
        })
        const rows = found.slice(0, limit)
        return {
          rows,
          next: found.length > limit ? (rows.at(-1)?.title ?? null) : null,
          since: find === 'old' && !isWhole ? '2026-03-01T00:00:00.000Z' : null,
        }
      },
    }),
    columns: () => [
      { name: 'title', value: ({ title }) => title },
      { name: 'stage', value: ({ stage }) => stage },
    ],
    line: ({ title, stage }) => ({ title, stage }),
    beside: {
      param: 'note',
      load: async (ctx, id) => {
        const row = await ctx.rows(Note).get(id)
        return row && { title: row.title }
      },
    },
    several: {
      called: ['note', 'notes'],
      seen: ({ stage }) => stage,
      acts: {
        finish: {
          act: forOwners,
          words: 'Finish',
          did: 'finished',
          key: 'f',
          given: (seen) => ({ seen }),
          undo: {
            act: reopen,
            isFor: (seen) => seen === 'new',
            given: () => ({ seen: 'done' }),
          },
        },
        reopen: {
          act: reopen,
          words: 'Reopen',
          did: 'reopened',
          isFor: ({ stage }) => stage === 'done',
          given: (seen) => ({ seen }),
        },
      },
    },
    empty: (_, { isFiltered }) => (isFiltered ? 'No note matches.' : 'All done.'),
    hasAny: async (ctx) => (await ctx.rows(Note).list({ limit: 1 })).length > 0,
    notes: {
      of: ({ stage }) => (stage === 'done' ? 'done' : null),
      say: (counts) => [...counts].map(([what, count]) => `${count} are ${what}.`),
    },
  }),
})

let gate: Gate
let ada: Visitor
beforeAll(async () => {
  gate = await startGate({ plugins: [withPages(page)] })
  const { cookie } = await signedIn(gate)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
})
afterAll(() => gate.stop())
beforeEach(() => gate.owner.rows(Note).removeWhere(everything))

const put = (title: string, stage: 'new' | 'done' = 'new') =>
  gate.put(Note, { title, stage, secret: 'hush', is_archived: false }, gate.tenant.workspaceId)
const stageOf = async (id: string) => (await gate.owner.rows(Note).get(id))?.stage
const linkTo = (html: string, words: string) =>
  new RegExp(`href="([^"]+)">${words}<`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''

describe('a list with lines of its own', () => {
  test('says how the first row comes, that all is done, and that nothing matches', async () => {
    expect((await ada.open('/app/notes')).text).toContain('Write the first note.')
    await put('a', 'done')
    expect((await ada.open('/app/notes')).text).toContain('All done.')
    const { text, html } = await ada.open('/app/notes?find=zz&day=today')
    expect(text).toContain('No note matches.')
    expect(html).toContain('<a href="/app/notes">Remove all filters</a>')
    expect((await ada.open('/app/notes?day=today')).text).toContain('All done.')
  })

  test('turns its pages by cursor, and keeps its filters and the row beside it in the address', async () => {
    for (const title of ['a', 'b', 'c', 'd', 'e']) await put(title)
    const first = await ada.open('/app/notes?day=today')
    expect(first.text).toMatch(/a: new .*b: new/)
    expect(first.html).toContain('<input type="hidden" name="day" value="today"/>')
    const second = await ada.open(linkTo(first.html, 'Next page'))
    expect(second.text).toMatch(/c: new .*d: new/)
    expect(second.path).toContain('day=today')
    const beside = await ada.open(
      /href="([^"]+note=[^"]+)"/.exec(second.html)?.[1]?.replaceAll('&amp;', '&') ?? '',
    )
    expect(beside.text).toContain('The note c')
    expect(beside.text).toContain('d: new')
    expect(beside.html).toContain('aria-current="true"')
    const last = await ada.open(linkTo(second.html, 'Next page'))
    expect(last.text).not.toContain('Next page')
    expect((await ada.open(linkTo(last.html, 'First page'))).text).toContain('a: new')
  })

  test('names each value that it does not take, and makes no file of it', async () => {
    await put('a')
    for (const [query, accepted] of [
      ['stage=lost', 'Use done or any.'],
      ['day=never', 'Use today.'],
      [`like=${'x'.repeat(101)}`, 'Use the id of a note.'],
      ['find=bad', 'Use a word.'],
      [`find=${'x'.repeat(101)}`, 'Use at most 100 characters.'],
      [`note=${'x'.repeat(101)}`, 'Use the id of a note.'],
      ['all=yes', 'Use 1.'],
    ] as const) {
      const { text } = await ada.open(`/app/notes?${query}`)
      expect([query, text.includes('Some filters were ignored'), text.includes(accepted)]).toEqual([
        query,
        true,
        true,
      ])
      expect((await ada.open(`/app/data/notes.csv?${query}`)).status).toBe(422)
    }
    expect((await ada.open('/app/notes?note=not_none')).text).toContain(
      'There is no such note in this workspace',
    )
  })

  test('shows a record to choose only where there are two', async () => {
    await put('a')
    expect((await ada.open('/app/notes')).html).not.toContain('name="like"')
    await put('b')
    expect((await ada.open('/app/notes')).html).toContain('name="like"')
  })

  test('shows what the address chooses, although it is not among the choices', async () => {
    await put('a')
    expect((await ada.open('/app/notes?like=somebody')).html).toContain(
      '<option value="somebody" selected>somebody</option>',
    )
  })

  test('says how far back it searched, and leads to all', async () => {
    await put('old')
    const { html, text } = await ada.open('/app/notes?find=old')
    expect(text).toContain('Searched back to')
    const all = await ada.open(linkTo(html, 'Search all notes'))
    expect(all.path).toContain('all=1')
    expect(all.text).not.toContain('Searched back to')
  })

  test('has a file of every page, with the sentences about its rows', async () => {
    for (let n = 0; n < 5; n++) await put(`n${n}`, n % 2 === 0 ? 'done' : 'new')
    const { html } = await ada.open('/app/data/notes.csv?stage=any')
    expect(html.match(/n\d,/g)).toHaveLength(5)
    expect(html).toContain('3 are done.')
  })
})

describe('several rows of a list', () => {
  test('are acted on at once, each as it was seen, and taken back by one Undo', async () => {
    const rows = [await put('a'), await put('b')]
    const [a, b] = rows.map(({ id }) => id)
    const page = await ada.open('/app/notes')
    expect(page.html).toContain(`value="${a}~new" form="chosen-rows"`)
    expect(page.html).toMatch(
      /data-key="f"><button type="submit" class="button plain" formaction="\/app\/notes\/several-finish"/,
    )
    expect(page.html).not.toContain('several-reopen')
    await gate.owner.rows(Note).update(String(b), { stage: 'done' })
    const done = await ada.submit('/app/notes/several-finish', {
      chosen: [`${a}~new`, `${b}~new`, `${a}~new`],
    })
    expect(done.text).toContain('1 note finished.')
    expect(done.text).toContain('1 note: Somebody else changed the note.')
    expect(await stageOf(String(a))).toBe('done')
    const undone = await ada.submit('/app/notes/undo-finish')
    expect(undone.text).toContain('Undone for 1 note.')
    expect(await stageOf(String(a))).toBe('new')
  })

  test('have an Undo for those of them that can be taken back', async () => {
    const fresh = await put('a')
    const old = await put('b', 'done')
    await ada.open('/app/notes')
    const chosen = [`${fresh.id}~new`, `${old.id}~done`]
    const done = await ada.submit('/app/notes/several-finish', { chosen })
    expect(done.text).toContain('2 notes finished.')
    expect((await ada.submit('/app/notes/undo-finish')).text).toContain('Undone for 1 note.')
    expect([await stageOf(fresh.id), await stageOf(old.id)]).toEqual(['new', 'done'])
    await ada.open('/app/notes')
    const none = await ada.submit('/app/notes/several-finish', { chosen: [`${old.id}~done`] })
    expect(none.html).not.toContain('/app/notes/undo-finish')
    const refused = await ada.submit('/app/notes/several-finish', { chosen: [`${old.id}~new`] })
    expect(refused.text).toContain('Nothing was changed')
    expect(refused.text).not.toContain('0 notes')
  })

  test('are refused without a choice, and above the maximum', async () => {
    await put('a')
    await ada.open('/app/notes')
    expect((await ada.submit('/app/notes/several-finish')).text).toContain('Choose at least one.')
    await ada.open('/app/notes')
    const many = Array.from({ length: 151 }, (_, n) => `not_${n}~new`)
    expect((await ada.submit('/app/notes/several-finish', { chosen: many })).text).toContain(
      'Choose at most 150.',
    )
  })

  test('offer only what fits the filters', async () => {
    await put('a', 'done')
    expect((await ada.open('/app/notes?stage=done')).html).toContain('several-reopen')
  })
})
