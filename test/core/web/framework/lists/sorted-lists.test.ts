import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { defineList, definePage } from '../../../../../core/doors/pages'
import { User } from '../../../../../core/tenancy/User'
import { currentWork } from '../../../../../core/work/scope'
import { type Gate, startGate } from '../../../../support/harness'
import { withPages } from '../../../../support/pages'
import { signedIn } from '../../../../support/signed-in'
import { waitFor } from '../../../../support/wait-for'

interface Shop {
  readonly id: string
  readonly name: string
  readonly stars: number | null
  readonly opened: string
  readonly is_big: boolean
}

const shop = (id: string, name: string, stars: number | null, opened: string): Shop => ({
  id,
  name,
  stars,
  opened,
  is_big: id > 'b',
})

/** The time that was left for the first read of a list, and for the one after a slow one. */
const left = { first: 0, second: 0 }

/** In their usual order. */
const shops = [
  shop('c', 'éclair', 4.5, '2026-03-01T10:00:00.000+02:00'),
  shop('a', 'Zoo', null, '2026-03-01T09:00:00.000Z'),
  shop('b', 'apple', 10, '2026-03-01T10:00:00.000Z'),
]

const page = definePage({
  path: '/app/shops',
  title: 'Shops',
  isFor: ({ role, workspace_ids }) => role === 'owner' && workspace_ids === undefined,
  list: defineList({
    rows: 'shops',
    order: 'Newest first',
    perPage: 2,
    filters: {
      show: {
        kind: 'choice',
        label: 'Show',
        isPosition: true,
        options: [['short', 'Short']],
      },
    },
    source: () => ({
      async all() {
        left.first = currentWork().leftMs()
        const began = performance.now()
        await waitFor(() => performance.now() - began > 20, { what: 'a slow read' })
        left.second = currentWork().leftMs()
        return shops
      },
    }),
    columns: () => [
      { label: 'Shop', name: 'name', value: ({ name }) => name, sort: { kind: 'words', first: 'ascending' } },
      {
        label: 'Stars',
        name: 'stars',
        value: ({ stars }) => stars,
        show: ({ stars }) =>
          stars === null
            ? null
            : [
                { link: '/app/shops', words: `${stars}`, about: 'stars' },
                { change: '+1', tone: 'good' },
              ],
        sort: { kind: 'number', first: 'descending' },
      },
      {
        label: 'Open',
        name: 'opened',
        value: ({ opened }) => opened,
        sort: { kind: 'time', first: 'ascending' },
      },
      {
        label: 'Big',
        name: 'big',
        value: ({ is_big }) => is_big,
        sort: { kind: 'number', first: 'descending' },
      },
      { label: 'Fixed', value: () => 'x' },
    ],
    detail: ({ id }) => (id === 'a' ? null : `/app/shops?one=${id}`),
    empty: () => 'No shop.',
  }),
})

let gate: Gate
let cookie: string
beforeAll(async () => {
  gate = await startGate({ plugins: [withPages(page)] })
  cookie = (await signedIn(gate)).cookie
})
afterAll(() => gate.stop())

const ask = (path: string) => gate.ask(path, { key: null, headers: { cookie } })
const open = async (query = '') => {
  const html = (await (await ask(`/app/shops${query}`)).text()).replace(/^.*<main/s, '<main')
  return { html, text: html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') }
}
const names = async (query: string) => {
  const lines = (await (await ask(`/app/data/shops.csv${query}`)).text()).trim().split('\r\n').slice(1)
  return lines.map((line) => line.split(',')[0])
}

describe('a list that is sorted by what is computed', () => {
  test('has its usual order, and each column in two, with what is not known last', async () => {
    expect(await names('')).toEqual(['éclair', 'Zoo', 'apple'])
    expect(await names('?sort=name')).toEqual(['apple', 'éclair', 'Zoo'])
    expect(await names('?sort=-name')).toEqual(['Zoo', 'éclair', 'apple'])
    expect(await names('?sort=stars')).toEqual(['apple', 'éclair', 'Zoo'])
    expect(await names('?sort=-stars')).toEqual(['éclair', 'apple', 'Zoo'])
    expect(await names('?sort=opened')).toEqual(['éclair', 'Zoo', 'apple'])
    expect(await names('?sort=-opened')).toEqual(['apple', 'Zoo', 'éclair'])
    expect(await names('?sort=big')).toEqual(['éclair', 'Zoo', 'apple'])
  })

  test('has headings that sort, and a field for phones with the way back to the usual order', async () => {
    const { html } = await open('?sort=stars')
    expect(html).toContain(
      '<th scope="col" class="end" aria-sort="descending"><a href="/app/shops?sort=-stars">Stars<span aria-hidden="true"> ↓',
    )
    expect(html).toContain('<th scope="col"><a href="/app/shops?sort=name">Shop</a>')
    expect(html).toContain('<th scope="col">Fixed</th>')
    expect(html).toContain('<option value>Newest first</option>')
    expect(html).toContain('<option value="stars" selected>Stars, high to low</option>')
    expect(html).toContain('<option value="-stars">Stars, low to high</option>')
    expect(html).toContain('<option value="name">Shop, A to Z</option>')
    expect(html).toContain('<option value="opened">Open, oldest first</option>')
    expect((await open('?sort=-stars')).html).toContain(
      'aria-sort="ascending"><a href="/app/shops?sort=stars">',
    )
  })

  test('keeps its order over its pages, its filters and its files, and says which rows it shows', async () => {
    const { html, text } = await open('?sort=stars')
    expect(text).toContain('1 to 2 of 3')
    expect(html).toContain('href="/app/shops?sort=stars&amp;at=2"')
    expect(html).toContain('shops.csv?sort=stars"')
    const last = await open('?sort=stars&at=99')
    expect(last.text).toContain('3 to 3 of 3')
    expect(last.text).toMatch(/Zoo –/)
    expect(last.text).not.toContain('More shops')
  })

  test('shows a link and a change in a cell, and a first cell that leads nowhere', async () => {
    const { html } = await open('?sort=-name')
    expect(html).toContain('<th scope="row">Zoo</th>')
    expect(html).toContain('<th scope="row"><a href="/app/shops?one=c">éclair</a></th>')
    expect(html).toContain(
      'data-label="Stars"><a href="/app/shops">4.5<span class="unseen"> stars</span></a><span class="change up"> +1</span>',
    )
  })

  test('names an order that no column has, and makes no file of it', async () => {
    const { text } = await open('?sort=<b>')
    expect(text).toContain('Use name, stars, opened, big.')
    expect(text).toContain('éclair')
    expect((await ask('/app/data/shops.csv?sort=fixed')).status).toBe(422)
  })

  test('says neither of its order nor of a way to show it that it left out rows', async () => {
    const { html } = await open('?sort=stars&show=short')
    expect(html).not.toContain('class="chips"')
    expect(html).not.toContain('Remove all filters')
  })

  test('gives each of its reads the whole time, so that one waits for none before it', async () => {
    for (const path of ['/app/shops', '/app/data/shops.csv']) {
      await ask(path)
      expect(Number.isFinite(left.first)).toBe(true)
      expect(left.second).toBe(left.first)
    }
  })

  test('is for the people whom its page names, and for nobody else', async () => {
    const member = await signedIn(gate, { email: 'member@example.com' })
    const user = gate.owner.rows(User)
    await user.update(member.userId, { role: 'member', workspace_ids: [gate.tenant.workspaceId] })
    const headers = { cookie: member.cookie }
    for (const path of ['/app/shops', '/app/data/shops.csv'])
      expect((await gate.ask(path, { key: null, headers })).status).toBe(404)
  })
})
