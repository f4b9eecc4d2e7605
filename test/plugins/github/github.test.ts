import { describe, expect, test } from 'bun:test'
import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/github'
import { readThreads } from '../../../plugins/github/comments'
import { createGitHub } from '../../support/stand-ins/github'

const token = 'github-test-token'

testMentionSource({
  plugin,
  name: 'github',
  needed: { GITHUB_TOKEN: token },
  secrets: [token],
  settings: { GITHUB_URL: 'http://api.github.test/graphql' },
  standIn: () => createGitHub({ token }),
})

describe('comments of GitHub', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString()
  const now = new Date(at(600))
  const list = (nodes: readonly unknown[], hasPreviousPage = false) => ({
    pageInfo: { hasPreviousPage },
    nodes,
  })
  const comment = (id: string, minute: number, more = {}) => ({
    id,
    url: `https://github.test/${id}`,
    bodyText: 'Acme',
    createdAt: at(minute),
    ...more,
    author: { login: 'ann', url: 'https://github.test/ann', avatarUrl: 'https://github.test/a.png' },
  })
  const thread = (id: string, minute: number, comments: object) => ({
    id,
    url: `https://github.test/${id}`,
    updatedAt: at(minute),
    comments,
  })
  const start = { at: at(0), from: at(0) }

  test('have the thread as their parent, also as replies', () => {
    const said = comment('C1', 1, { replies: list([comment('C2', 2)]) })
    const { posts, unread } = readThreads([thread('T1', 2, list([said]))], start, { now, pageMax: 25 })
    expect([posts.map(({ source_id }) => source_id), unread]).toEqual([['C1', 'C2'], []])
    for (const post of posts)
      expect(post).toMatchObject({ parent_url: 'https://github.test/T1', author: { handle: 'ann' } })
  })

  test('are not lost when their thread was updated again between two pages', () => {
    const page = [thread('T1', 1, list([comment('C1', 1)])), thread('T2', 50, list([comment('C2', 50)]))]
    const first = readThreads(page, start, { now, pageMax: 2 })
    expect([first.isMore, first.next]).toEqual([true, { at: at(50), from: at(0) }])
    const late = [thread('T3', 60, list([comment('C3', 20), comment('C4', 60)]))]
    const second = readThreads(late, first.next, { now, pageMax: 2 })
    expect(second.posts.map(({ source_id }) => source_id)).toEqual(['C3', 'C4'])
    expect([second.isMore, second.next]).toEqual([false, { at: at(50), from: at(50) }])
  })

  test('are counted when GitHub returned only the last ones', () => {
    const part = thread('T1', 9, list([comment('C8', 8), comment('C9', 9)], true))
    const reason = `comments of https://github.test/T1 before ${at(8)}`
    expect(readThreads([part], start, { now, pageMax: 25 }).unread).toEqual([{ reason }])
    const later = { at: at(9), from: at(9) }
    expect(readThreads([part], later, { now, pageMax: 25 }).unread).toEqual([])
  })
})
