import { describe, expect, test } from 'bun:test'
import { hackerNews } from '../../../plugins/hackernews/hackernews'
import { redditPostId } from '../../../plugins/reddit/post-id'
import { youTubePostId } from '../../../plugins/youtube/youtube'

type Table = readonly (readonly [address: string, id: string | null])[]

const reddit: Table = [
  ['https://www.reddit.com/r/leeds/comments/1abc/who_mends_roofs/', 't3_1abc'],
  ['https://old.reddit.com/r/leeds/comments/1abc', 't3_1abc'],
  ['https://reddit.com/comments/1abc/', 't3_1abc'],
  ['https://www.reddit.com/user/ann/comments/1abc/title', 't3_1abc'],
  ['https://www.reddit.com/r/leeds/comments/1abc/who/k9z/?context=3', 't1_k9z'],
  ['https://redd.it/1abc', 't3_1abc'],
  ['https://www.reddit.com/r/leeds/', null],
  ['https://www.reddit.com/r/leeds/s/AbCdEf', null],
  ['https://notreddit.com/r/leeds/comments/1abc/', null],
  ['https://reddit.com.evil.example/r/leeds/comments/1abc/', null],
]
const youtube: Table = [
  ['https://www.youtube.com/watch?v=abc-123_X', 'abc-123_X'],
  ['https://m.youtube.com/watch?v=abc&t=3', 'abc'],
  ['https://youtu.be/abc?t=3', 'abc'],
  ['https://www.youtube.com/shorts/abc', 'abc'],
  ['https://www.youtube.com/live/abc', 'abc'],
  ['https://www.youtube.com/watch?v=abc&lc=Ugx-1', 'abc/Ugx-1'],
  ['https://www.youtube.com/@acme', null],
  ['https://www.youtube.com/watch', null],
  ['https://youtube.example/watch?v=abc', null],
]
const hackernews: Table = [
  ['https://news.ycombinator.com/item?id=123', '123'],
  ['https://news.ycombinator.com/item?id=123#456', '123'],
  ['https://news.ycombinator.com/user?id=ann', null],
  ['https://news.ycombinator.com/item?id=x', null],
  ['https://ycombinator.example/item?id=123', null],
]

describe('the id of a post by its address', () => {
  test.each(reddit)('Reddit: %s', (address, id) => expect(redditPostId(new URL(address))).toBe(id as string))
  test.each(youtube)('YouTube: %s', (address, id) =>
    expect(youTubePostId(new URL(address))).toBe(id as string),
  )
  test.each(hackernews)('Hacker News: %s', (address, id) =>
    expect(hackerNews.postId?.(new URL(address), { settings: {} as never }) ?? null).toBe(id as string),
  )
})
