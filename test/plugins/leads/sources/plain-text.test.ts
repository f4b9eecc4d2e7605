import { expect, test } from 'bun:test'
import { cleanText, plainText } from '../../../../plugins/leads/sources/plain-text'

test.each([
  ['a<p>b</p>c', 'a\nb\nc'],
  ['a<br>b<br/>c', 'a\nb\nc'],
  ['<ul><li>a<li>b</ul>', 'a\n\nb'],
  ['<b>a</b> <i>b</i>', 'a b'],
  ['a\nb <span>c\td</span>', 'a b c d'],
  ['a &amp; b &lt;c&gt;', 'a & b <c>'],
  ['a<script>x</script>b<style>y</style>c<title>t</title>d', 'abcd'],
  ['<noscript><template>x</template></noscript>a', 'a'],
  ['</script>a', 'a'],
  ['a\nb', 'a\nb'],
  ['a < b', 'a < b'],
  ['<p>a</p>\n\n<p></p><p>b</p>', 'a\n\nb'],
])('%j is %j', (html, text) => {
  expect(plainText(html)).toBe(text)
})

test('a text has no signs that nobody sees, no long gaps, and at most so many characters', () => {
  expect(cleanText('  a\u200b\u202eb \u00a0  c\r\n\r\n\n\n d\u0085e  ')).toBe('ab c\n\nd\ne')
  expect(cleanText('\ud83d\ude00x', 1)).toBe('\ufffd')
  expect(cleanText('abc def', 4)).toBe('abc')
  expect(cleanText('x'.repeat(20_001))).toHaveLength(20_000)
  expect(plainText(`<p>${'x'.repeat(20_001)}`)).toHaveLength(20_000)
})
