import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { where } from '../../../../../core/doors/front'
import { defineList, definePage, listedRows } from '../../../../../core/doors/pages'
import { type Gate, startGate } from '../../../../support/harness'
import { Note } from '../../../../support/notes-plugin'
import { withPages } from '../../../../support/pages'
import { signedIn } from '../../../../support/signed-in'

/** All that an author writes for a list: this declaration, and its place in `pages`. */
const page = definePage({
  path: '/app/notes',
  title: 'Notes',
  about: ({ workspace }) => `What was noted in ${workspace.timezone}.`,
  list: defineList({
    rows: 'notes',
    perPage: 3,
    filters: {
      stage: {
        kind: 'views',
        label: 'Stages',
        options: [
          ['', 'All'],
          ['new', 'New'],
          ['done', 'Done'],
        ],
      },
      find: { kind: 'find', label: 'Title' },
    },
    source: (ctx, { stage, find }) =>
      listedRows(ctx, Note, {
        where: where.and(
          where.ne('title', ''),
          ...(stage === '' ? [] : [where.eq('stage', stage)]),
          ...(find === '' ? [] : [{ op: 'contains', field: 'title', value: find } as const]),
        ),
        sort: [{ field: 'title', direction: 'asc' }],
      }),
    more: async (_, __, rows) => ({ read: rows.length }),
    columns: ({ stage }, { read }) => [
      { label: 'Note', name: 'title', value: ({ title }) => title, show: ({ title }) => ({ name: title }) },
      ...(stage === ''
        ? [{ label: 'Stage', name: 'stage', value: (row: { stage: string }) => row.stage }]
        : []),
      { label: 'Read', show: () => read },
      { name: 'archived', value: ({ is_archived }) => is_archived },
    ],
    detail: ({ id }) => `/app/notes/one?note=${id}`,
    empty: ({ find }) => (find === '' ? 'Nothing is noted.' : 'No note has this title.'),
  }),
})

let gate: Gate
let cookie: string
beforeAll(async () => {
  gate = await startGate({ plugins: [withPages(page)] })
  cookie = (await signedIn(gate)).cookie
  for (const title of ['a', 'b', 'c', 'd', '=1+1', '<b>'])
    await put(title, title < 'c' ? 'new' : 'done', gate.tenant.workspaceId)
  await put('theirs', 'new', gate.tenant.otherWorkspaceId)
})
afterAll(() => gate.stop())

const put = (title: string, stage: 'new' | 'done', workspaceId: string) =>
  gate.put(Note, { title, stage, secret: 'hush', is_archived: false }, workspaceId)
const ask = (path: string) => gate.ask(path, { key: null, headers: { cookie } })
const open = async (path: string) => {
  const answer = await ask(path)
  const html = (await answer.text()).replace(/^.*<main/s, '<main')
  return { status: answer.status, html, text: html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') }
}

describe('a declared list', () => {
  test('has a page with its rows, in its order, each leading to its own page', async () => {
    const { html, text } = await open('/app/notes')
    expect(text).toContain('What was noted in UTC.')
    expect(text).toContain('Note Stage Read &lt;b> new 3 =1+1 new 3 a new 3 More notes')
    expect(html).toMatch(/<th scope="row"><a href="\/app\/notes\/one\?note=\w+"><bdi>a<\/bdi><\/a><\/th>/)
    expect(text).not.toMatch(/theirs|hush/)
  })

  test('turns its pages, and keeps its filters while it does', async () => {
    const second = await open('/app/notes?at=2')
    expect(second.text).toContain('b new 3 c done 3 d done 3 Before')
    expect(second.text).not.toContain('More notes')
    const done = await open('/app/notes?stage=done&find=zz')
    expect(done.text).toContain('No note has this title.')
    expect(done.html).toContain('<input type="hidden" name="stage" value="done"/>')
    expect(done.html).toContain('href="/app/notes?stage=new"')
    for (const at of ['0', '-1', 'x', '1e9']) expect((await open(`/app/notes?at=${at}`)).status).toBe(200)
  })

  test('shows every row for a value that no filter has, and makes no file of it', async () => {
    const { html } = await open('/app/notes?stage=lost')
    expect(html).toContain('<a href="/app/notes" aria-current="page">All</a>')
    expect((await ask('/app/data/notes.csv?stage=lost')).status).toBe(422)
  })

  test('has files of all its rows, with the columns that have a name', async () => {
    const csv = await (await ask('/app/data/notes.csv?find=a')).text()
    expect(csv.replace('\uFEFF', '').trim().split('\r\n')).toEqual(['title,stage,archived', 'a,new,false'])
    const done = await (await ask('/app/data/notes.csv?stage=done')).text()
    expect(done.trim().split('\r\n')[0]).toContain('title,archived')
    expect(done).not.toContain('theirs')
    const lines = (await (await ask('/app/data/notes.csv')).text()).trim().split('\r\n')
    expect(lines.length).toBe(7)
    expect(lines.some((line) => line.startsWith('=1+1'))).toBe(false)
    const xlsx = await ask('/app/data/notes.xlsx')
    expect(xlsx.headers.get('content-disposition')).toContain('notes.xlsx')
    expect((await xlsx.bytes()).subarray(0, 2)).toEqual(new TextEncoder().encode('PK'))
  })
})
