import { describe, expect, test } from 'bun:test'
import bluesky from '../../../../plugins/bluesky'
import facebook from '../../../../plugins/facebook'
import google from '../../../../plugins/google'
import linkedin from '../../../../plugins/linkedin'
import mastodon from '../../../../plugins/mastodon'
import { checkContent, contentFaults } from '../../../../plugins/posts/content/checkContent'
import type { PostTarget } from '../../../../plugins/posts/contract'
import webhook from '../../../../plugins/webhook'
import wordpress from '../../../../plugins/wordpress'

const plugins = { bluesky, facebook, google, linkedin, mastodon, webhook, wordpress }
type Name = keyof typeof plugins
function targetOf(name: Name): PostTarget {
  const found = plugins[name].provides?.find(({ point }) => point === 'posts.target')
  if (!found) throw new Error(`${name} provides no target`)
  return found.extension as PostTarget
}

const content = { summary: 'News', language: 'en', media: [] }
const photo = { format: 'photo' as const, source_url: 'https://acme.test/a.jpg' }
const video = { format: 'video' as const, source_url: 'https://acme.test/a.mp4' }
/** The fields that a target refuses. */
const faults = (name: Name, more: object = {}, post_type: 'update' | 'offer' | 'event' = 'update') =>
  contentFaults({ post_type, content: { ...content, ...more } }, targetOf(name)).map(({ field }) => field)

describe('the text', () => {
  test.each([
    ['bluesky', 300],
    ['mastodon', 500],
    ['google', 1_500],
    ['webhook', 1_500],
    ['linkedin', 3_000],
    ['wordpress', 5_000],
    ['facebook', 5_000],
  ] as const)('%s takes %i characters, and not one more', (name, max) => {
    expect(faults(name, { summary: 'a'.repeat(max) })).toEqual([])
    expect(faults(name, { summary: 'a'.repeat(max + 1) })).toEqual(['summary'])
    expect(faults(name, { summary: '  ' })).toEqual(['summary'])
  })

  test('counts what people see on Bluesky, and code points on Mastodon', () => {
    const family = '👨‍👩‍👧'
    expect(faults('bluesky', { summary: family.repeat(300) })).toEqual([])
    expect(faults('mastodon', { summary: family.repeat(101) })).toEqual(['summary'])
  })

  test('includes the link where the platform has no field for it', () => {
    const call_to_action = { type: 'learn_more', url: 'https://acme.test/' }
    const summary = 'a'.repeat(500)
    expect(faults('mastodon', { summary, call_to_action })).toEqual(['summary'])
    expect(faults('google', { summary, call_to_action })).toEqual([])
  })
})

describe('pictures and videos', () => {
  test.each([
    ['bluesky', 0, 0],
    ['mastodon', 0, 0],
    ['facebook', 0, 0],
    ['linkedin', 0, 0],
    ['google', 10, 0],
    ['wordpress', 10, 0],
    ['webhook', 10, 10],
  ] as const)('%s takes %i pictures and %i videos', (name, photos, videos) => {
    expect(faults(name, { media: [...Array(photos).fill(photo), ...Array(videos).fill(video)] })).toEqual([])
    expect(faults(name, { media: Array(photos + 1).fill(photo) })).toEqual(['media'])
    expect(faults(name, { media: Array(videos + 1).fill(video) })).toEqual(['media'])
  })
})

describe('every target', () => {
  const names = Object.keys(plugins) as Name[]
  test.each(names)('%s needs the dates of events and offers, in order', (name) => {
    for (const kind of ['event', 'offer'] as const) {
      expect(faults(name, {}, kind)).toContain('event')
      const event = { title: 'Party', start: '2026-05-02T10:00:00Z', end: '2026-05-01T10:00:00Z' }
      expect(faults(name, { event }, kind)).toContain('event.end')
      expect(faults(name, { event: { ...event, start: 'soon' } }, kind)).toContain('event')
    }
  })

  test.each(names)('%s refuses addresses that are none, and buttons without one', (name) => {
    const bad = { type: 'book', url: 'javascript:alert(1)' }
    expect(faults(name, { call_to_action: bad })).toContain('call_to_action.url')
    expect(faults(name, { call_to_action: { type: 'book' } })).toContain('call_to_action.url')
  })
})

test('names every fault with its field, for forms', () => {
  const given = { ...content, summary: '', media: [photo] }
  const error = (() => {
    try {
      checkContent({ post_type: 'update', content: given }, targetOf('bluesky'))
      return null
    } catch (caught) {
      return caught
    }
  })()
  expect(error).toMatchObject({ code: 'invalid_field', message: 'The post has no text.' })
  expect(JSON.stringify(error)).toContain('/media')
})
