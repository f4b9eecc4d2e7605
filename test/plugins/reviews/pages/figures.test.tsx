/** @jsxImportSource ../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import CountsPage from '../../../../plugins/reviews/pages/CountsPage'
import OverviewPage from '../../../../plugins/reviews/pages/OverviewPage'
import { RatingLine, type RatingPoint } from '../../../../plugins/reviews/pages/rating-line'
import { Stars } from '../../../../plugins/reviews/pages/stars'
import { Subnav } from '../../../../plugins/reviews/pages/subnav'

const point = (day: number, average_rating: number | null, rated = 1): RatingPoint => ({
  date_from: `2026-01-0${day}`,
  date_to: `2026-01-0${day + 1}`,
  average_rating,
  rated,
})
const lineOf = (...points: RatingPoint[]) => renderToString(<RatingLine points={points} />)
const wordsIn = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('the line of ratings', () => {
  test('has a point for each interval with ratings, and lines between neighbors', () => {
    const html = lineOf(point(1, 5), point(2, 1, 2), point(3, null), point(4, 3.25, 4), point(5, 2))
    const paths = [...html.matchAll(/<path [^>]*d="([^"]+)"/g)].map(([, d]) => d)
    expect(paths).toEqual(['M24 8L196 158', 'M540 73.625L712 120.5'])
    const points = [...html.matchAll(/<rect x="([^"]+)" y="([^"]+)" width="6" height="6" rx="3"/g)]
    expect(points.map(([, x, y]) => [x, y])).toEqual([
      ['21', '5'],
      ['193', '155'],
      ['537', '70.625'],
      ['709', '117.5'],
    ])
    expect(wordsIn(html)).toBe(
      '1 2 3 4 5 1 Jan 2026 to 2 Jan 2026: 5.00 over 1 2 Jan 2026 to 3 Jan 2026: 1.00 over 2 4 Jan 2026 to 5 Jan 2026: 3.25 over 4 5 Jan 2026 to 6 Jan 2026: 2.00 over 1 1 Jan 2026 6 Jan 2026',
    )
    expect(html).toContain('role="img" aria-label="Average rating: 5.0 at first, 2.0 at last."')
    expect(html).toContain('viewBox="0 0 720 180" width="100%"')
  })

  test('has a rule for each number of stars, and the first and the last day', () => {
    const html = lineOf(point(1, null), point(2, 4))
    const rules = [...html.matchAll(/<line x1="24" x2="720" y1="([^"]+)" y2="([^"]+)"/g)]
    expect(rules.map(([, from, to]) => [from, to])).toEqual([
      ['158', '158'],
      ['120.5', '120.5'],
      ['83', '83'],
      ['45.5', '45.5'],
      ['8', '8'],
    ])
    const texts = [...html.matchAll(/<text x="([^"]+)" y="([^"]+)"[^>]*>([^<]+)/g)].map(([, ...rest]) => rest)
    expect(texts).toEqual([
      ['4', '162', '1'],
      ['4', '124.5', '2'],
      ['4', '87', '3'],
      ['4', '49.5', '4'],
      ['4', '12', '5'],
      ['24', '176', '1 Jan 2026'],
      ['720', '176', '3 Jan 2026'],
    ])
    expect(html).not.toContain('<path')
    expect(html).toContain('<rect x="709" y="42.5"')
  })

  test('of one interval is a point, and of none a sentence', () => {
    expect(lineOf(point(1, 4))).toContain('<rect x="21" y="42.5"')
    for (const points of [[], [point(1, null)]])
      expect(lineOf(...points)).toBe('<p class="hint">No ratings in these days.</p>')
  })
})

describe('stars', () => {
  test.each([
    [1, 'stars low', '★', '★★★★'],
    [2, 'stars low', '★★', '★★★'],
    [3, 'stars', '★★★', '★★'],
    [5, 'stars', '★★★★★', ''],
  ])('%d are shown and read out', (stars, look, on, off) => {
    expect(renderToString(<Stars stars={stars} />)).toBe(
      `<span class="${look}" role="img" aria-label="${stars} of 5 stars">${on}<span class="off">${off}</span></span>`,
    )
  })

  test.each([
    [undefined, 'No stars'],
    [null, 'No stars'],
    [true, 'Recommends'],
    [false, 'Does not recommend'],
  ])('that are none are words: %s', (recommends, words) => {
    expect(renderToString(<Stars stars={null} recommends={recommends} />)).toBe(
      `<span class="stars none">${words}</span>`,
    )
  })
})

test('the links between the pages name the one that is open', () => {
  const paths = ['', '/overview', '/approve', '/counts', '/rules', '/links'].map(
    (end) => `/app/reviews${end}`,
  )
  for (const path of paths) {
    const html = renderToString(<Subnav path={path} />)
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(paths)
    expect(html.match(/<a [^>]*aria-current="page"/g)).toEqual([`<a href="${path}" aria-current="page"`])
  }
})

const rate = (k: number, n: number) => ({ k, n, rate: n === 0 ? null : k / n })
const overview = {
  days: 90,
  waiting: 1_234,
  changes: {
    rating: { difference: 0.126, change_significant: true },
    reviews: { difference: -12, change_significant: true },
  },
  reply_hours: 5,
  reply_sample: 40,
  themes: [] as unknown[],
  analytics: {
    period: { date_from: '2026-01-01', date_to: '2026-03-31' },
    trend: { points: [] },
    topics: { sample: 2_000 },
    totals: { average_rating: 4.256, reviews: 3_000, response_rate: rate(1_500, 3_000) },
    change: { average_rating: 0.126 as number | null, reviews: -12 },
    by_rating: [
      { stars: 5, reviews: 2_000 },
      { stars: null, reviews: 10 },
    ],
  },
}
const overviewOf = (more: object = {}, analytics: object = {}) => {
  const data = { ...overview, ...more, analytics: { ...overview.analytics, ...analytics } }
  const props = { data } as unknown as Parameters<typeof OverviewPage>[0]
  return renderToString(<OverviewPage {...props} />)
}

describe('the overview', () => {
  test('has its period, and links to the others', () => {
    const html = overviewOf()
    expect(wordsIn(html)).toContain('1 Jan 2026 to 31 Mar 2026, compared with the 90 days before.')
    for (const days of [28, 90, 365])
      expect(html).toContain(
        `<a href="/app/reviews/overview?days=${days}"${days === 90 ? ' aria-current="true"' : ''}>${days} days</a>`,
      )
    expect(html).toContain('href="/app/reviews/overview" aria-current="page"')
    expect(html).toContain('days=90')
    expect(html).toContain('No ratings in these days.')
  })

  test('has five figures', () => {
    const words = wordsIn(overviewOf())
    expect(words).toContain(
      'Rating 4.26 up 0.13 stars Reviews 3,000 down 12 Waiting now 1,234 Answer them Reply rate 50 %',
    )
    expect(words).toContain('With a reply 1,500 Reviews 3,000')
    expect(words).toContain('1,500 of 3,000')
    expect(words).toContain('Median reply time 5 h over 40 replies')
  })

  test('has no figures where there are none', () => {
    const totals = { average_rating: null, reviews: 0, response_rate: rate(0, 0) }
    const words = wordsIn(
      overviewOf(
        {
          reply_hours: null,
          changes: {
            rating: { difference: null, change_significant: null },
            reviews: { difference: 0, change_significant: false },
          },
        },
        { totals },
      ),
    )
    expect(words).toContain('Rating – not comparable Reviews 0 no change shown')
    expect(words).toContain('Reply rate –')
    expect(words).toContain('Median reply time –')
  })

  test.each([
    [0.3, false, 'no change shown'],
    [0.005, true, 'up 0.01 stars'],
    [-0.5, true, 'down 0.50 stars'],
  ])('has a change of the rating of %d, clear %p, as %s', (difference, change_significant, words) => {
    const rating = { difference, change_significant }
    const reviews = { difference: 1, change_significant: true }
    expect(wordsIn(overviewOf({ changes: { rating, reviews } }))).toContain(
      `Rating 4.26 ${words} Reviews 3,000 up 1 Waiting`,
    )
  })

  test.each([
    [0.51, '31 min'],
    [0.999, '60 min'],
    [1, '1 h'],
    [47.4, '47 h'],
    [48, '2 days'],
    [84, '4 days'],
  ])('has a time of %d hours as %s', (reply_hours, words) => {
    expect(wordsIn(overviewOf({ reply_hours }))).toContain(`Median reply time ${words} over`)
  })

  test('has the ratings, each with its reviews', () => {
    const html = overviewOf()
    expect(html).toContain('href="/app/reviews?rating=5&amp;from=2026-01-01&amp;to=2026-03-31"')
    expect(html).toContain('href="/app/reviews?rating=none&amp;from=2026-01-01&amp;to=2026-03-31"')
    expect(html).toContain(
      '<meter min="0" max="3000" value="2000">2000</meter><span class="much">2,000</span>',
    )
    const totals = { ...overview.analytics.totals, reviews: 0 }
    expect(overviewOf({}, { totals })).toContain('<meter min="0" max="1" value="10">')
  })

  test('has the themes, with words of a review', () => {
    expect(wordsIn(overviewOf())).toContain('No themes yet.')
    const quote = { text: 'Cold', language: 'de', by: 'Ann' }
    const html = overviewOf({ themes: [{ topic: 'so&up', reviews: 1_200, negative: 1_100, quote }] })
    expect(html).not.toContain('No themes yet.')
    expect(html).toContain('<a href="/app/reviews?theme=so%26up"><bdi>so&amp;up</bdi></a>')
    expect(wordsIn(html)).toContain('Counted over 2,000 reviews, the newest of the period.')
    expect(wordsIn(html)).toContain('so&amp;up 1,200 reviews, 1,100 negative Cold')
    expect(html).toContain('lang="de">Cold</blockquote>')
    expect(html).toContain('Ann')
    const bare = { topic: 'soup', reviews: 1, negative: 0, quote: null }
    expect(overviewOf({ themes: [bare] })).not.toContain('<blockquote')
    const nobody = { ...bare, quote: { text: 'x', language: null, by: null } }
    expect(overviewOf({ themes: [nobody] })).toContain('dir="auto">x</blockquote>')
  })
})

const source = {
  source: 'google',
  says: 'They differ by 3.',
  source_shows: 1_412 as number | null,
  we_list: 1_409,
  removed_at_source: 0,
}
const counts = {
  location: 'loc_1',
  locations: [['loc_1', 'Bakery']],
  explained: { sources: [source], differences: [] as object[], reviews: [] as object[] },
}
const countsOf = (more: object = {}, data: object = {}) => {
  const whole = { ...counts, explained: { ...counts.explained, ...more }, ...data }
  const props = { data: whole } as unknown as Parameters<typeof CountsPage>[0]
  return renderToString(<CountsPage {...props} />)
}

describe('the page of counts', () => {
  test('has both numbers of each platform', () => {
    const words = wordsIn(countsOf())
    expect(words).toContain('Google They differ by 3.')
    expect(words).toContain('Shown by the platform 1,412 Listed here 1,409 ')
    expect(words).toContain('explainReviewCount {&quot;location_id&quot;: &quot;loc_1&quot;}')
    expect(words).not.toMatch(
      /No locations|No review of this|Removed at the platform|Choose a location|At most 50/,
    )
    expect(wordsIn(countsOf({ sources: [{ ...source, source_shows: null }] }))).toContain(
      'Shown by the platform Not told Listed here',
    )
  })

  test('has each difference of a platform, and no other’s', () => {
    const differences = [
      { source: 'google', kind: 'since', reviews: 1_500, why: 'They are new.' },
      { source: 'google', kind: 'part', reviews: -2, why: 'They were not read.' },
      { source: 'facebook', kind: 'missed', reviews: 4, why: 'Of another.' },
    ]
    const words = wordsIn(countsOf({ differences, sources: [{ ...source, removed_at_source: 7 }] }))
    expect(words).toContain(
      'New since the last complete read +1,500 They are new. Not read −2 They were not read.',
    )
    expect(words).toContain('Removed at the platform 7 Stored, but not listed.')
    expect(words).not.toContain('Of another.')
  })

  test('has the reviews behind a difference', () => {
    const one = { kind: 'imported', review_created_at: '2026-01-01T00:00:00.000Z', begins: 'Cold' }
    const html = countsOf({
      reviews: [
        { ...one, review_id: 'rev 1', reviewer_name: 'Ann', star_rating: 2 },
        { ...one, review_id: 'rev_2' },
        { ...one, reviewer_name: 'Eve', source_id: 'g3' },
        { ...one, source_id: 'g4' },
      ],
    })
    expect(html).toContain('<a href="/app/reviews?review=rev+1"><bdi>Ann</bdi></a>')
    expect(html).toContain('<a href="/app/reviews?review=rev_2"><bdi>Anonymous</bdi></a>')
    expect(html).toMatch(/<bdi>Eve<\/bdi>(?!<\/a>)/)
    expect(html).toMatch(/<bdi>g4<\/bdi>(?!<\/a>)/)
    expect(html).not.toContain('g3')
    const day = '1 Jan 2026 (1 Jan 2026, 00:00 UTC)'
    expect(wordsIn(html)).toContain(`Ann 2 ${day} From another source Cold Anonymous – ${day}`)
    expect(html).toContain('<span dir="auto">Cold</span>')
  })

  test.each([
    ['uncounted', 'Counted, shown on no page'],
    ['overcounted', 'Shown, not counted'],
    ['unwritten', 'Not listed yet'],
    ['missing_once', 'Missed once'],
    ['missed', 'Missed by an incomplete read'],
    ['unrecorded', 'Not recorded'],
  ])('has words for the difference %s', (kind, words) => {
    const differences = [{ source: 'google', kind, reviews: 1, why: '' }]
    expect(wordsIn(countsOf({ differences }))).toContain(`${words} +1`)
  })

  test('without locations or readings says so, and with several lets people choose', () => {
    expect(wordsIn(countsOf({}, { explained: null }))).toContain('No locations yet. Add a location')
    expect(wordsIn(countsOf({ sources: [] }))).toContain('No review of this location has been read yet.')
    const locations = [
      ['loc_1', 'Bakery'],
      ['loc_2', 'Café'],
    ]
    const html = countsOf({}, { locations })
    expect(html).toContain('action="/app/reviews/counts"')
    expect(html).toContain('name="location"')
    expect(html).toContain('Café')
    expect(countsOf()).not.toContain('name="location"')
  })
})
