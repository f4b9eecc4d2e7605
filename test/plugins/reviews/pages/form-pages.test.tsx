/** @jsxImportSource ../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import { lowStarsMeaning } from '../../../../plugins/reviews/operations/low-stars'
import ApprovePage from '../../../../plugins/reviews/pages/ApprovePage'
import LinksPage from '../../../../plugins/reviews/pages/LinksPage'
import RulesPage from '../../../../plugins/reviews/pages/RulesPage'

const wordsIn = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const page = { csrf: 'token', outcome: null, notice: null }

const draft = {
  id: 'rev 1',
  mark: 'rev_1 digest',
  stars: 2,
  by: 'Ann' as string | null,
  platform: 'Google',
  location: 'Bakery',
  at: '2026-01-01T00:00:00.000Z' as string | null,
  text: 'Cold',
  language: 'de' as string | null,
  draft: 'We are sorry',
  held: null as string | null,
}
const approveOf = (drafts: readonly object[], more: object = {}, data: object = {}) => {
  const props = { ...page, data: { drafts, has_more: false, is_demo: false, ...data }, ...more }
  return renderToString(<ApprovePage {...(props as unknown as Parameters<typeof ApprovePage>[0])} />)
}

describe('the page of drafts', () => {
  test('shows each draft with its review, to be ticked', () => {
    const html = approveOf([draft])
    expect(wordsIn(html)).toContain(
      'Ann Google Bakery 1 Jan 2026 (1 Jan 2026, 00:00 UTC) Cold We are sorry Draft',
    )
    expect(wordsIn(html)).toContain('Send this reply to Ann Open review Send ticked replies')
    expect(html).toContain('lang="de">Cold</blockquote>')
    expect(html).toContain('<a href="/app/reviews?review=rev+1">Open review</a>')
    expect(html).toContain('action="/app/reviews/approve/send"')
    expect(html).toMatch(
      /<input(?=[^>]* type="checkbox")(?=[^>]* name="drafts")(?=[^>]* value="rev_1 digest")/,
    )
    expect(html).toContain('id="draft-rev 1"')
    expect(html).toContain('href="/app/reviews/approve" aria-current="page"')
    expect(html).not.toMatch(/class="notice|class="toast|newest 25|No draft waits/)
  })

  test('says which draft cannot be sent here, and has no button where none can', () => {
    const held = { ...draft, id: 'rev_2', held: 'It mentions a price' }
    const html = approveOf([held])
    expect(html).toContain('Not here: It mentions a price')
    expect(html).not.toMatch(/type="checkbox"|Send ticked replies/)
    expect(approveOf([held, draft])).toContain('Send ticked replies')
  })

  test('of a review without a name, a date or a text', () => {
    const words = wordsIn(approveOf([{ ...draft, by: null, at: null, text: '', language: null }]))
    expect(words).toContain('Anonymous Google Bakery never We are sorry')
    expect(words).toContain('Send this reply to Anonymous')
    expect(approveOf([{ ...draft, language: null }])).toContain('dir="auto">Cold</blockquote>')
  })

  test('says when none waits, when there are more, and that a demo sends nothing', () => {
    const none = approveOf([])
    expect(wordsIn(none)).toContain('No draft waits. Reviews that need a reply')
    expect(none).toContain('href="/app/reviews?needs=1"')
    expect(none).not.toContain('<form')
    expect(approveOf([draft], {}, { has_more: true })).toContain('The page shows the newest 25.')
    expect(approveOf([], {}, { is_demo: true })).toContain('Demo: nothing leaves this machine')
  })

  test('says what was sent and what was not', () => {
    expect(approveOf([], { notice: '2 queued' })).toContain('2 queued')
    const refused = [{ id: 'rev 9', why: 'It changed' }]
    const partly = approveOf([], { outcome: { ok: true, shown: { done: 3, refused } } })
    expect(wordsIn(partly)).toContain('3 queued, 1 not Review : It changed')
    expect(partly).toContain('href="/app/reviews?review=rev+9"')
    expect(partly).not.toContain('Nothing was sent')
    const fault = { ok: false, fault: 'A fault' }
    expect(wordsIn(approveOf([], { outcome: fault }))).toContain('Nothing was sent A fault')
    const faults = { ...fault, faults: { drafts: 'Tick one' } }
    expect(wordsIn(approveOf([], { outcome: faults }))).toContain('Nothing was sent Tick one')
  })
})

const links = {
  location: 'loc_1',
  name: 'Bakery',
  locations: [['loc_1', 'Bakery']],
  links: [
    { platform: 'Google', url: 'https://g.test/r', qr: '<svg id="qr"></svg>' },
    { platform: 'Facebook', url: 'https://f.test/r', qr: '<svg></svg>' },
  ],
}
const linksOf = (more: object = {}) => {
  const props = { ...page, data: { ...links, ...more } } as unknown as Parameters<typeof LinksPage>[0]
  return renderToString(<LinksPage {...props} />)
}

describe('the page of links', () => {
  test('has a link, a code and a message for each platform', () => {
    const html = linksOf()
    for (const [place, url] of ['https://g.test/r', 'https://f.test/r'].entries()) {
      expect(html).toContain(`link-${place}`)
      expect(html).toContain(`words-${place}`)
      expect(html).toContain(`value="${url}"`)
      expect(html).toContain(`Thank you for your visit to Bakery. We would be glad about your review: ${url}`)
    }
    expect(html).toContain('aria-label="QR code of the link to write a review at Google"><svg id="qr"></svg>')
    expect(html).toContain('<bdi>Bakery</bdi>')
    expect(html).toContain('href="/app/reviews/links" aria-current="page"')
    expect(html).not.toMatch(/no link yet|name="location"/)
  })

  test('lets people choose between locations, and says when one has no link', () => {
    const locations = [...links.locations, ['loc_2', 'Café']]
    const html = linksOf({ locations, links: [] })
    expect(html).toContain('action="/app/reviews/links"')
    expect(html).toMatch(/name="location"/)
    expect(wordsIn(html)).toContain('This location has no link yet')
    expect(html).toContain('href="/app/locations"')
    expect(html).not.toContain('class="qr"')
  })
})

const rules = {
  is_enabled: true,
  ratings: [5, 4],
  include_unrated: false,
  newest_days: 7,
  delay_min_minutes: 60,
  delay_max_minutes: 1_440,
  tone: 'concise',
  model_stars_min: 4,
  allow_templates: true,
}
const rulesOf = (more: object = {}, data: object = {}) => {
  const locations = [
    { id: 'loc 1', name: 'Bakery', is_on: true },
    { id: 'loc_2', name: 'Café', is_on: false },
  ]
  const whole = { rules, is_new: false, may_change: true, locations, ...data }
  const props = { ...page, data: whole, ...more } as unknown as Parameters<typeof RulesPage>[0]
  return renderToString(<RulesPage {...props} />)
}
/** The names and values of what is ticked. */
const ticked = (html: string) =>
  [...html.matchAll(/<input [^>]*type="checkbox"[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => / checked/.test(input))
    .map((input) => [/name="([^"]+)"/.exec(input)?.[1], /value="([^"]+)"/.exec(input)?.[1]].join(' '))
const typedIn = (html: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*`).exec(html)?.[0].match(/value="([^"]*)"/)?.[1]
const chosen = (html: string) =>
  [...html.matchAll(/<option value="([^"]+)" selected/g)].map(([, value]) => value)

describe('the page of reply rules', () => {
  test('has the rules as they are', () => {
    const html = rulesOf()
    const names = ticked(html).map((each) => each.split(' ')[0])
    expect(names).toEqual(['enabled', 'ratings', 'ratings', 'allow_templates'])
    expect(ticked(html).filter((each) => each.startsWith('ratings'))).toEqual(['ratings 5', 'ratings 4'])
    expect([
      ...html.matchAll(/name="ratings"[^>]*value="(\d)"|value="(\d)"[^>]*name="ratings"/g),
    ]).toHaveLength(5)
    expect(typedIn(html, 'newest_days')).toBe('7')
    expect(typedIn(html, 'delay_min_minutes')).toBe('60')
    expect(typedIn(html, 'delay_max_minutes')).toBe('1440')
    expect(chosen(html)).toEqual(['concise', '4'])
    for (const tone of ['friendly', 'professional', 'empathetic', 'concise', 'playful'])
      expect(html).toContain(`<option value="${tone}"`)
    for (const stars of [1, 2, 3, 4, 5]) expect(html).toContain(`<option value="${stars}"`)
    expect(wordsIn(html)).toContain('5 stars 4 stars 3 stars 2 stars 1 star')
    expect(html).toContain('action="/app/reviews/rules/save"')
    expect(html).not.toMatch(/class="notice|class="toast|role="alert"/)
  })

  test('has the locations, and whether each is answered', () => {
    const html = rulesOf()
    expect(html).toContain('<a href="/app/locations/one?location=loc+1"><bdi>Bakery</bdi></a>')
    expect(html).toContain('<span class="badge good">On</span>')
    expect(html).toContain('<span class="badge plain">Off</span>')
    expect(rulesOf({}, { locations: [] })).toContain('No locations yet.')
  })

  test('says what it means to answer 1 to 3 stars without a person, and asks for a tick', () => {
    const html = rulesOf({}, { low_stars_meaning: lowStarsMeaning })
    expect(wordsIn(html)).toContain(lowStarsMeaning)
    expect(html).toContain('action="/app/reviews/rules/allow"')
    expect(html).toContain('name="sure"')
    const allowed = rulesOf({}, { rules: { ...rules, low_stars_allowed: true } })
    expect(allowed).toContain('action="/app/reviews/rules/stop"')
    expect(allowed).not.toContain('name="sure"')
    const outcome = { action: 'allow', ok: false, fault: 'Tick the box', faults: { sure: 'Tick the box' } }
    expect(wordsIn(rulesOf({ outcome }))).toContain('Tick the box')
    expect(rulesOf({}, { is_new: true })).not.toContain('rules/allow')
  })

  test('that are new, or of somebody who cannot change them, says so', () => {
    expect(rulesOf({}, { is_new: true })).toContain('No rules yet')
    const read = rulesOf({}, { may_change: false })
    expect(read).toContain('Only owners of the agency can change these rules.')
    expect(read).not.toContain('<form')
    expect(rulesOf({ notice: 'Reply rules saved.' })).toContain('Reply rules saved.')
  })

  test('keeps what was typed after a fault, each with its fault', () => {
    const values = {
      newest_days: '9',
      delay_min_minutes: ['8', 'x'],
      tone: 'playful',
      model_stars_min: '2',
      ratings: '3',
      include_unrated: 'yes',
    }
    const faults = {
      newest_days: 'Fault one',
      delay_min_minutes: 'Fault two',
      delay_max_minutes: 'Fault three',
      tone: 'Fault four',
      model_stars_min: 'Fault five',
    }
    const html = rulesOf({ outcome: { ok: false, fault: 'A fault', faults, values } })
    expect(wordsIn(html)).toContain('The rules were not saved A fault')
    for (const fault of Object.values(faults)) expect(html).toContain(fault)
    expect(ticked(html).map((each) => each.trim())).toEqual([
      'ratings 3',
      expect.stringMatching(/^include_unrated/),
    ])
    expect(typedIn(html, 'newest_days')).toBe('9')
    expect(typedIn(html, 'delay_min_minutes')).toBe('8')
    expect(typedIn(html, 'delay_max_minutes') ?? '').toBe('')
    expect(chosen(html)).toEqual(['playful', '2'])
    const two = rulesOf({ outcome: { ok: false, fault: 'A fault', values: { ratings: ['1', '2'] } } })
    expect(ticked(two)).toEqual(['ratings 2', 'ratings 1'])
    const bare = rulesOf({ outcome: { ok: false, fault: 'A fault' } })
    expect(ticked(bare)).toEqual([])
    expect(chosen(rulesOf({ outcome: { ok: true } }))).toEqual(['concise', '4'])
  })
})
