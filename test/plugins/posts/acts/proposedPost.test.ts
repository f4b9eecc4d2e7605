import { expect, test } from 'bun:test'
import { proposedPublish } from '../../../../plugins/posts/acts/proposedPost'

test('a person sees the pictures of a proposed post, not only its text', async () => {
  const content = {
    ...{ summary: 'New cakes.', language: 'en' },
    media: [{ format: 'photo', source_url: 'https://example.com/cake.jpg', alt: 'A cake' }],
  }
  const post = { id: 'pst_1', status: 'draft', platform: 'gbp', post_type: 'update', content }
  const ctx = { rows: () => ({ get: async () => post }) } as unknown as Parameters<
    typeof proposedPublish.prepare
  >[0]
  const { effect } = await proposedPublish.prepare(ctx, { post_id: 'pst_1' })
  expect(effect).toContain('With this photo: https://example.com/cake.jpg A cake\nNew cakes.')
})
