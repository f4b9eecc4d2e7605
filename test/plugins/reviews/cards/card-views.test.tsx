/** @jsxImportSource ../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import DoubtCard from '../../../../plugins/reviews/cards/doubt-card'
import RepliesCard from '../../../../plugins/reviews/cards/replies-card'
import { sentenceOf } from '../../../../plugins/reviews/cards/rules-sentence'

const card = { path: '/app/locations/one', csrf: 'token', hidden: { location: 'loc_1' }, outcome: null }
const wordsIn = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const rules = {
  is_enabled: true,
  ratings: [5],
  include_unrated: false,
  delay_min_minutes: 60,
  delay_max_minutes: 60,
  newest_days: 7,
  tone: 'friendly',
  allow_templates: false,
}
const repliesOf = (isOn: boolean, own: object | null, mayChange = true) => {
  const props = { ...card, mayChange, data: { isOn, rules: own } }
  return renderToString(<RepliesCard {...(props as unknown as Parameters<typeof RepliesCard>[0])} />)
}

describe('the card of automatic replies', () => {
  test('says by which rules they are sent, and can switch them', () => {
    const on = repliesOf(true, rules)
    expect(on).toContain('<span class="badge good">on</span>')
    expect(wordsIn(on)).toContain(sentenceOf(rules as never))
    expect(wordsIn(on)).toContain('Switch automatic replies off')
    expect(on).toContain('<input type="hidden" name="on" value="off"/>')
    expect(on).toContain('<input type="hidden" name="location" value="loc_1"/>')
    expect(on).toContain('action="/app/locations/one/replies"')
    expect(on).not.toContain('class="notice')
    const off = repliesOf(false, rules)
    expect(off).toContain('<span class="badge plain">off</span>')
    expect(off).toContain('<input type="hidden" name="on" value="on"/>')
    expect(wordsIn(off)).toContain('Switch automatic replies on')
  })

  test('says why none is sent', () => {
    const none = repliesOf(true, null)
    expect(none).toContain('class="notice warn"')
    expect(wordsIn(none)).toContain(
      'The agency has set no rules They are on for this location. Renown sends none until the rules of the agency are on. Set the reply rules',
    )
    expect(none).toContain('<a href="/app/reviews/rules">')
    const off = repliesOf(false, { ...rules, is_enabled: false })
    expect(off).not.toContain('class="notice warn"')
    expect(wordsIn(off)).toContain(
      'The agency has switched them off They are off for this location, and the rules of the agency are not on. Set the reply rules',
    )
    expect(wordsIn(off)).not.toContain('A review of')
  })

  test('only shows them to people who cannot change them', () => {
    expect(repliesOf(true, null, false)).not.toMatch(/<form|<a /)
    expect(repliesOf(true, rules, false)).not.toMatch(/<form|<a /)
  })
})

test.each([
  ['replies', 'Replies in doubt'],
  ['automatic_replies', 'Replies in doubt'],
  ['texts', 'Texts in doubt'],
])('the card of a doubt about %s says what and since when', (about, title) => {
  const data = { about, why: 'Two replies are missing.', since: '2026-01-01T00:00:00.000Z' }
  const props = { ...card, mayChange: true, data } as unknown as Parameters<typeof DoubtCard>[0]
  const html = renderToString(<DoubtCard {...props} />)
  expect(wordsIn(html)).toBe(
    `${title} Renown sends no automatic replies here Two replies are missing. Since 1 Jan 2026 (1 Jan 2026, 00:00 UTC)`,
  )
  expect(html).toContain('class="notice warn"')
})
