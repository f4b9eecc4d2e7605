import { expect, test } from 'bun:test'
import { readSource, recheckSource } from 'renown/leads'
import { testMentionSource } from 'renown/testing'
import mastodon from '../../../plugins/mastodon'
import { mastodonTags, tagOf } from '../../../plugins/mastodon/mastodon-tags'
import { platformWorld } from '../../support/source-world'
import { createMastodon, statusOf } from '../../support/stand-ins/mastodon'

const token = 'mastodon-test-token'

testMentionSource({
  plugin: mastodon,
  name: 'mastodon',
  secrets: [token],
  settings: { MASTODON_URL: 'http://m.example', MASTODON_TOKEN: token },
  standIn: () => createMastodon({ token }),
  honest: ['[]'],
})

test.each([
  ['Acme Plumbing', 'acmeplumbing'],
  ['#Zürich', 'zürich'],
  ['C++', 'c'],
  ['東京', '東京'],
  ['2026', null],
  ['!!!', null],
])('reads the term %s as the hashtag %s', (term, tag) => {
  expect(tagOf(term)).toBe(tag)
})

const post = { id: 1, text: 'Acme', author: 'jo', at: new Date('2026-03-01') }
const honest = statusOf(post)
const closed: Readonly<Record<string, object>> = {
  'is not indexable': { account: { ...honest.account, indexable: false } },
  'says nothing, on a server without this choice, and is not discoverable': {
    account: { ...honest.account, indexable: undefined, discoverable: null },
  },
  'opted out of search engines': { account: { ...honest.account, noindex: true } },
  'wrote for followers only': { visibility: 'private' },
  'wrote an unlisted post': { visibility: 'unlisted' },
}

test.each(Object.entries(closed))(
  'leaves out a post whose author %s, and gives it up when it was stored',
  async (_, changes) => {
    const status = { ...honest, ...changes }
    const world = await platformWorld({ plugin: mastodon }, async (request) =>
      Response.json(request.url.includes('/timelines/') ? [status] : status),
    )
    const signal = new AbortController().signal
    const asked = { target: 'acme', cursor: null, since: '2026-01-01T00:00:00.000Z', signal }
    expect((await readSource(world.ctx, mastodonTags, asked)).posts).toEqual([])
    expect(await recheckSource(world.ctx, mastodonTags, [honest.id], signal)).toEqual([
      { source_id: honest.id, state: 'gone' },
    ])
    await world.stop()
  },
)
