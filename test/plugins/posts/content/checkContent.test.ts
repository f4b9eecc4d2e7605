import { expect, test } from 'bun:test'
import { contentFaults } from '../../../../plugins/posts/content/checkContent'

const target = {
  label: 'Mastodon',
  rules: {
    postTypes: ['update' as const],
    textMax: 500,
    countedIn: 'characters' as const,
    photosMax: 0,
    videosMax: 0,
  },
}
const faults = (summary: string) =>
  contentFaults({ post_type: 'update', content: { summary, language: 'en', media: [] } }, target)

test.each(['', ' \n ', '\u200b\u200b', '\ufeff\u202e\u2060'])(
  'a text that shows nothing is none: %j',
  (text) => {
    expect(faults(text)).toEqual([{ field: 'summary', message: 'The post has no text.' }])
  },
)

test('a text with control characters is refused, but not its lines and tabs', () => {
  expect(faults('Open\u001b[31m today')).toMatchObject([{ field: 'summary' }])
  expect(faults('Open today\r\n\tfrom 9 \u{1f468}\u200d\u{1f469}\u200d\u{1f467}')).toEqual([])
})
