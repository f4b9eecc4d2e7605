import { describe, expect, test } from 'bun:test'
import { textOfHtml } from '../../../../plugins/posts/content/plain-html'
import { normalText, postLink, postText, textHash } from '../../../../plugins/posts/content/post-text'

type Given = Parameters<typeof postText>[0]
const event = { title: 'Fair', start: '2026-12-01T09:00:00.000Z', end: '2026-12-03T18:00:00.000Z' }
const whole = {
  summary: 'Come in',
  media: [],
  language: 'en',
  event,
  offer: { coupon_code: 'X1', terms: 'Once', redeem_url: 'https://a.example/deal' },
  call_to_action: { type: 'book', url: 'https://a.example/book' },
} as unknown as Given['content']
const post = (post_type: Given['post_type'], more: object = {}): Given => ({
  post_type,
  content: { ...whole, ...more },
})

describe('the whole text of a post', () => {
  test('has what belongs to its type, each on its own lines', () => {
    expect(postText(post('update'))).toBe('Come in\n\nhttps://a.example/book')
    expect(postText(post('event'))).toBe('Come in\n\nFair: 2026-12-01 – 2026-12-03\n\nhttps://a.example/book')
    expect(postText(post('offer'))).toBe(
      'Come in\n\nFair: 2026-12-01 – 2026-12-03\n\nX1\n\nOnce\n\nhttps://a.example/deal',
    )
  })

  test('names a day once, and leaves out what is empty or not wanted', () => {
    const day = { event: { ...event, end: '2026-12-01T18:00:00.000Z' } }
    expect(postText(post('event', { ...day, call_to_action: undefined }))).toBe('Come in\n\nFair: 2026-12-01')
    const bare = { event: undefined, offer: { coupon_code: '', redeem_url: 'https://a.example/deal' } }
    expect(postText(post('offer', bare), { withLink: false })).toBe('Come in')
    expect(postText(post('offer', { event: undefined, offer: undefined }))).toBe('Come in')
  })

  test('leads to the address of its offer, or of its button', () => {
    expect([postLink(post('offer')), postLink(post('event')), postLink(post('update'))]).toEqual([
      'https://a.example/deal',
      'https://a.example/book',
      'https://a.example/book',
    ])
    expect(postLink(post('offer', { offer: undefined }))).toBeUndefined()
    expect(postLink(post('update', { call_to_action: undefined }))).toBeUndefined()
  })

  test('is the same without differences that people do not see', () => {
    expect(normalText('  ÉCLAIR\n\tﬁne\u200b １２  ')).toBe('éclair fine 12')
    const hash = (summary: string) => textHash(post('update', { summary }))
    expect(hash('Come  IN\u00ad')).toBe(hash('come in'))
    expect(hash('Come in!')).not.toBe(hash('Come in'))
  })
})

describe('the text of HTML', () => {
  test.each([
    ['<p>One</p><p>Two<br>Three</p>', '\nOne\n\nTwo\nThree\n'],
    ['A <b>bold</b> &amp; <em>plain</em>', 'A bold & plain'],
    [
      'see <a href="https://www.a.example/long/path">a.example/lo…</a>!',
      'see https://www.a.example/long/path!',
    ],
    ['see <a href="https://a.example/long">https://a.example/lo...</a>', 'see https://a.example/long'],
    ['see <a href="https://a.example/x">a.example/x</a>', 'see https://a.example/x'],
    ['see <a href="https://a.example/x">a.example</a>', 'see a.example'],
    ['see <a href="https://a.example/x">our site…</a>', 'see our site…'],
    ['see <a href="https://a.example/x">a…b…</a>', 'see a…b…'],
    ['see <a href="https://a.example/x">…</a>', 'see …'],
    [
      '<a class="x" href="https://a.example/?a=1&amp;b=2">a.example/?a=1&amp;b…</a>',
      'https://a.example/?a=1&b=2',
    ],
    ['<a>x</a> <article>y</article>', '<a>x</a> <article>y</article>'.replace(/<[^>]*>/g, '')],
  ])('%s', (html, text) => {
    expect(textOfHtml(html)).toBe(text)
  })
})
