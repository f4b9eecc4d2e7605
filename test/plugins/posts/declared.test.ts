import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { Post } from '../../../plugins/posts/records/Post'

test('the text of a post has at most 1,500 characters', () => {
  const takes = (length: number) =>
    v.is(Post.fields.content, { summary: 'x'.repeat(length), language: 'en', media: [] })
  expect([takes(1500), takes(1501)]).toEqual([true, false])
})
