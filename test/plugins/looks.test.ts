import { describe, expect, test } from 'bun:test'
import { recheckSource } from 'renown/leads'
import github from '../../plugins/github'
import { gitHub } from '../../plugins/github/github'
import hackernews from '../../plugins/hackernews'
import { hackerNews } from '../../plugins/hackernews/hackernews'
import reddit from '../../plugins/reddit'
import { reddit as redditSource } from '../../plugins/reddit/reddit'
import stackexchange from '../../plugins/stackexchange'
import { stackExchange } from '../../plugins/stackexchange/stackexchange'
import { platformWorld } from '../support/source-world'

type Setup = Parameters<typeof platformWorld>[0]
type Source = Parameters<typeof recheckSource>[1]

/** Returns what a look says of ids whose platform answers with this. */
async function look(setup: Setup, source: Source, ids: readonly string[], answer: (path: string) => unknown) {
  const world = await platformWorld(setup, async (request) =>
    Response.json(answer(new URL(request.url).pathname) as object),
  )
  try {
    const found = await recheckSource(world.ctx, source, ids, new AbortController().signal)
    return Object.fromEntries(found.map((one) => [one.source_id, one]))
  } catch (error) {
    return String(error)
  } finally {
    await world.stop()
  }
}

describe('what an item of Hacker News says', () => {
  const setup = { plugin: hackernews, settings: { HACKERNEWS_ITEMS_URL: 'http://items.hn.test/v0' } }
  const item = { id: 7, type: 'comment', by: 'jo', time: 1_773_000_000, text: 'acme &amp; co', parent: 3 }
  const of = async (answer: unknown) => {
    const found = await look(setup, hackerNews, ['7'], () => answer)
    return typeof found === 'string' ? 'fault' : (found['7']?.state ?? 'nothing')
  }
  test.each([
    ['an item', item, 'found'],
    ['a deleted item', { id: 7, deleted: true, type: 'comment', time: 1 }, 'gone'],
    ['a dead item with its words', { ...item, dead: true }, 'gone'],
    ['null', null, 'missing'],
    ['another item', { ...item, id: 8 }, 'nothing'],
    ['another deleted item', { id: 8, deleted: true }, 'nothing'],
    ['an item without a text', { ...item, text: undefined, title: undefined }, 'nothing'],
    ['deleted: false', { ...item, deleted: false }, 'found'],
    ['deleted: "yes"', { id: 7, deleted: 'yes' }, 'fault'],
    ['an item without its author', { ...item, by: undefined }, 'fault'],
    ['a list', [item], 'fault'],
  ])('%s', async (_, answer, state) => expect(await of(answer)).toBe(state))

  test('reads the words as the search does', async () => {
    const found = await look(setup, hackerNews, ['7'], () => item)
    expect(found).toMatchObject({ 7: { post: { body: 'acme & co', author: { handle: 'jo' } } } })
  })
})

describe('what a node of GitHub says', () => {
  const setup = { plugin: github, settings: { GITHUB_URL: 'http://gh.test/graphql', GITHUB_TOKEN: 't0k3n' } }
  const node = {
    id: 'I_1',
    url: 'https://github.test/1',
    title: 'Acme',
    bodyText: 'acme',
    createdAt: '2026-03-01T00:00:00Z',
    lastEditedAt: null,
    author: null,
  }
  const lost = { type: 'NOT_FOUND', path: ['nodes', 1], message: 'Could not resolve to a node' }
  const of = async (answer: unknown) => {
    const found = await look(setup, gitHub, ['I_1', 'I_2'], () => answer)
    return typeof found === 'string' ? 'fault' : [found.I_1?.state, found.I_2?.state]
  }
  test.each([
    ['both', { data: { nodes: [node, { ...node, id: 'I_2' }] } }, ['found', 'found']],
    ['an error at the place of one', { data: { nodes: [node, null] }, errors: [lost] }, ['found', 'gone']],
    ['null without an error', { data: { nodes: [node, null] } }, ['found', undefined]],
    [
      'an error at another place',
      { data: { nodes: [node, null] }, errors: [{ ...lost, path: ['nodes', 0] }] },
      ['found', undefined],
    ],
    [
      'an error about rights',
      { data: { nodes: [node, null] }, errors: [{ ...lost, type: 'FORBIDDEN' }] },
      'fault',
    ],
    ['fewer nodes', { data: { nodes: [node] } }, 'fault'],
    ['all null', { data: { nodes: [null, null] } }, [undefined, undefined]],
  ])('%s', async (_, answer, states) => expect<unknown>(await of(answer)).toEqual(states))
})

describe('what an answer of Stack Exchange says', () => {
  const setup = {
    plugin: stackexchange,
    settings: { STACKEXCHANGE_URL: 'http://se.test/2.3', STACKEXCHANGE_SITE: 'stackoverflow' },
  }
  const row = { post_id: 1, link: 'https://so.test/q/1', body: '<p>acme</p>', creation_date: 1_773_000_000 }
  const of = (answer: unknown, ids = ['stackoverflow-1', 'stackoverflow-2']) =>
    look(setup, stackExchange, ids, () => answer)
  test('a post that a complete answer leaves out is missing, and not gone', async () => {
    const found = await of({ items: [row], has_more: false })
    expect(found).toMatchObject({
      'stackoverflow-1': { state: 'found' },
      'stackoverflow-2': { state: 'missing' },
    })
  })
  test('an answer that is not complete says nothing', async () => {
    expect(await of({ items: [row], has_more: true })).toContain('not complete')
    expect(await of({ items: [row, { post_id: 2 }], has_more: false })).toContain('not complete')
  })
  test('ids of another site are not asked', async () => {
    expect(await of({ items: [], has_more: false }, ['superuser-1', 'stackoverflow-x'])).toEqual({})
  })
})

describe('what Reddit says', () => {
  const setup = {
    plugin: reddit,
    settings: {
      REDDIT_URL: 'http://reddit.test',
      REDDIT_TOKEN_URL: 'http://reddit.test/token',
      REDDIT_CLIENT_ID: 'a',
      REDDIT_CLIENT_SECRET: 'b3cr3t',
      REDDIT_USER: 'ann',
    },
  }
  const base = { permalink: '/r/leeds/comments/1/', author: 'jo', created_utc: 1_773_000_000 }
  const link = (more: object) => ({
    kind: 't3',
    data: { name: 't3_1', title: 'T', selftext: 'acme', ...base, ...more },
  })
  const comment = (more: object) => ({ kind: 't1', data: { name: 't1_2', body: 'acme', ...base, ...more } })
  const of = async (id: string, child: object | null) => {
    const children = child === null ? [] : [child]
    const found = await look(setup, redditSource, [id], (path) =>
      path === '/token' ? { access_token: 'tok' } : { kind: 'Listing', data: { after: null, children } },
    )
    return typeof found === 'string' ? found : found[id]?.state
  }
  test.each([
    ['a post', 't3_1', link({}), 'found'],
    ['a post by a deleted author', 't3_1', link({ author: '[deleted]' }), 'gone'],
    ['a post whose text was removed', 't3_1', link({ selftext: '[removed]' }), 'gone'],
    ['a post that a moderator removed', 't3_1', link({ removed_by_category: 'moderator' }), 'gone'],
    ['no post', 't3_1', null, 'missing'],
    ['a comment', 't1_2', comment({}), 'found'],
    ['a deleted comment', 't1_2', comment({ body: '[deleted]', author: '[deleted]' }), 'gone'],
    ['a removed comment', 't1_2', comment({ body: '[removed]' }), 'gone'],
  ])('%s', async (_, id, child, state) => expect(await of(id, child)).toBe(state))
})
