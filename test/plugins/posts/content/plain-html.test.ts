import { expect, test } from 'bun:test'
import { textOfHtml } from 'renown/posts'
import { isSameWords } from 'renown/sources'

const sent = 'Hello & "bye" <b>\n\nBook at https://www.example.com/a/long/path?x=1&y=2 #bread'
const url = 'https://www.example.com/a/long/path?x=1&amp;y=2'
const tag = '<a href="https://s.test/tags/bread" class="mention hashtag" rel="tag">#<span>bread</span></a>'
const head = '<p>Hello &amp; &quot;bye&quot; &lt;b&gt;</p><p>Book at '

test.each([
  [
    'Mastodon hides parts of an address',
    `${head}<a href="${url}" target="_blank"><span class="invisible">https://www.</span><span class="ellipsis">example.com/a/long/path?x=1&amp;y=</span><span class="invisible">2</span></a> ${tag}</p>`,
  ],
  [
    'Pleroma uses line breaks',
    `Hello &amp; &quot;bye&quot; &lt;b&gt;<br/><br/>Book at <a href="${url}">${url}</a> ${tag}`,
  ],
  ['others show the beginning of an address', `${head}<a href="${url}">example.com/a/lo…</a> ${tag}</p>`],
  [
    'others leave out the scheme',
    `${head}<a rel="x" href="${url}">www.example.com/a/long/path?x=1&amp;y=2</a> ${tag}</p>`,
  ],
])('the words of a post stay the same when %s', (_, html) => {
  expect(isSameWords(sent, textOfHtml(html))).toBe(true)
})

test.each([
  `${head}<a href="https://evil.example/">example.com/a/lo…</a> ${tag}</p>`,
  `${head}<a href="${url}">Click here</a> ${tag}</p>`,
  `${head}<a href="${url}">…</a> ${tag}</p>`,
  `${head}${url}</p>`,
  `${head}<a href="${url}">${url}`,
  '',
])('other words are other words: %s', (html) => {
  expect(isSameWords(sent, textOfHtml(html))).toBe(false)
})

test('HTML without an end is read in linear time', () => {
  const began = performance.now()
  for (const part of ['<a href="', '<a >', '<p', '<', '&', '<a\thref="x">y']) textOfHtml(part.repeat(100_000))
  expect(performance.now() - began).toBeLessThan(3_000)
})
