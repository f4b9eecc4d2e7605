import { expect, test } from 'bun:test'
import { BusinessLocation } from 'renown/records'
import { type Gate, testInboxSource } from 'renown/testing'
import { corePlugins } from '../../../../core/product/core-plugins'
import { builtin } from '../../../../plugins'
import posts from '../../../../plugins/posts'
import { Post } from '../../../../plugins/posts/records/Post'
import { startGate } from '../../../support/harness'
import { signedIn } from '../../../support/signed-in'

const place = { is_active: true, is_prospect: false, auto_response_enabled: false }

const prepare = (more: object) => async (gate: Gate, workspaceId: string) => {
  const location = await gate.put(BusinessLocation, { ...place, business_name: 'Bakery' }, workspaceId)
  const content = { summary: 'Bread <b>today</b>', language: 'en', media: [] }
  const post = { business_location_id: location.id, platform: 'feed', post_type: 'update', content }
  const put = (fields: object) =>
    gate.put(Post, { ...post, is_active: true, revision: 1, ...fields } as never, workspaceId)
  await put(more)
  await put({ status: 'published', external_post_id: 'x', published_at: '2026-03-01T10:00:00.000Z' })
  await put({ status: 'draft', ai_generated: false })
  await put({ status: 'draft', approval: 'in_review', ai_generated: true })
}

const suite = { plugin: posts, name: 'posts' } as const
testInboxSource({
  ...suite,
  prepare: prepare({ status: 'failed', failure_kind: 'unknown_outcome', error_message: 'Nobody knows.' }),
  shows: 'Is this post on Feed?',
})

testInboxSource({
  ...suite,
  prepare: prepare({
    status: 'failed',
    failure_kind: 'held_by_platform',
    error_message: 'It waits.',
    platform_state: 'pending',
  }),
  shows: 'Feed still holds back a post',
})

testInboxSource({
  ...suite,
  name: 'post-holds',
  prepare: prepare({
    status: 'publishing',
    held_since: '2026-03-01T10:00:00.000Z',
    platform_state: 'pending',
  }),
  shows: 'Feed holds back a post',
})

testInboxSource({
  ...suite,
  name: 'post-drafts',
  prepare: prepare({ status: 'draft', approval: 'rejected', approval_note: 'Name the hours.' }),
  shows: 'A client rejected a draft for Feed',
})

testInboxSource({
  ...suite,
  name: 'post-drafts',
  prepare: prepare({ status: 'draft', ai_generated: true }),
  shows: 'A draft for Feed waits',
})

test('home counts planned posts, and the page of a location shows the next one', async () => {
  const gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  try {
    const { cookie } = await signedIn(gate)
    const location = await gate.put(BusinessLocation, { ...place, business_name: 'Bakery' })
    const soon = new Date(gate.owner.now().getTime() + 86_400_000).toISOString()
    await gate.put(Post, {
      business_location_id: location.id,
      platform: 'feed',
      post_type: 'update',
      status: 'scheduled',
      scheduled_at: soon,
      is_active: true,
      revision: 1,
      content: { summary: 'Bread', language: 'en', media: [] },
    })
    const open = async (path: string) => (await gate.ask(path, { key: null, headers: { cookie } })).text()
    expect(await open('/app')).toContain('Planned posts')
    const html = await open(`/app/locations/one?location=${location.id}`)
    expect(html).toContain('/app/posts/post?post=')
    expect(html).toContain('None published')
  } finally {
    await gate.stop()
  }
})
