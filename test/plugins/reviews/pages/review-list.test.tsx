/** @jsxImportSource ../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import ReviewsPage from '../../../../plugins/reviews/pages/ReviewsPage'
import { ratings, readFilters, sorts, states } from '../../../../plugins/reviews/pages/review-filters'

const line = {
  id: 'rev_1',
  by: 'Ann' as string | null,
  stars: 5,
  text: 'Warm bread',
  language: 'de' as string | null,
  platform: 'Google',
  location: 'Bakery',
  at: '2026-01-01T00:00:00.000Z' as string | null,
  is_read: true,
  is_flagged: false,
  state: 'open',
}

/** The page as the server renders it, with these data and this address. */
function pageOf(more: object = {}, search = '', props: object = {}): string {
  const { asked, ignored } = readFilters(new URLSearchParams(search))
  const data = {
    asked,
    ignored,
    lines: [line],
    waiting: 0,
    doubts: [],
    has_any: true,
    may_connect: true,
    review: null,
    locations: [['loc_1', 'Bakery']],
    sources: [['google', 'Google']],
    choices: { languages: [['de', 'German']], themes: [['soup', 'soup']] },
    next: null,
    searched_since: null,
    ...more,
  }
  const page = { csrf: 'token', outcome: null, notice: null, isBusy: false, ...props, data }
  return renderToString(<ReviewsPage {...(page as unknown as Parameters<typeof ReviewsPage>[0])} />)
}
const wordsOf = (...given: Parameters<typeof pageOf>) =>
  pageOf(...given)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('a line of the list', () => {
  const lineOf = (more: object) => pageOf({ lines: [{ ...line, ...more }] })

  test('has the review in short', () => {
    const html = lineOf({})
    expect(html).toContain('<span class="review-line">')
    expect(html).toContain('<span class="review-words" dir="auto" lang="de">Warm bread</span>')
    expect(html).toContain('<bdi class="who">Ann</bdi>')
    expect(html).toContain('<span>Google</span><bdi class="place">Bakery</bdi></span>')
    expect(html).toContain('datetime="2026-01-01T00:00:00.000Z"')
    expect(html).not.toMatch(/unread<|icon i-flag|review-words silent/)
  })

  test('says what it lacks, and what people have to do', () => {
    const html = lineOf({ by: null, text: '', at: null, is_read: false, is_flagged: true })
    expect(html).toContain('<span class="review-line unread">')
    expect(html).toContain('<span class="unseen">unread</span>')
    expect(html).toContain('<bdi class="who">Anonymous</bdi>')
    expect(html).toContain('<span class="review-words silent" dir="auto">No text</span>')
    expect(html).toContain('<span class="when"></span>')
    expect(html).toMatch(/class="state warn"><span class="icon i-flag"[^>]*><\/span>Flagged/)
    expect(lineOf({ language: null })).toContain('dir="auto">Warm bread')
  })

  test.each([
    ['answered', 'good', 'Answered'],
    ['draft', 'warn', 'Draft'],
    ['waiting', 'warn', 'Waiting'],
    ['failed', 'bad', 'Failed'],
  ])('that is %s says so', (state, tone, words) => {
    expect(lineOf({ state })).toMatch(new RegExp(`class="state ${tone}">(<span[^>]*></span>)?${words}<`))
  })

  test('opens its review, on the same page of the list', () => {
    expect(pageOf({}, 'rating=2&after=x')).toContain(
      'href="/app/reviews?rating=2&amp;review=rev_1&amp;after=x"',
    )
    expect(pageOf()).toContain('href="/app/reviews?review=rev_1"')
  })
})

describe('the page of reviews', () => {
  test('says how many wait', () => {
    expect(wordsOf()).toContain('No review waits for a reply.')
    expect(wordsOf({ waiting: 1_200 })).toContain('1,200 waiting for a reply.')
    expect(pageOf()).toContain('href="/app/reviews" aria-current="page"')
    expect(pageOf()).toContain('class="stack"')
    expect(pageOf({}, '', { isBusy: true })).toContain('<div class="stack busy" aria-busy="true">')
    expect(pageOf({}, '', { notice: 'Saved.' })).toContain('Saved.')
  })

  test('without reviews shows a sample, and lets owners connect an account', () => {
    const none = { has_any: false, lines: [] }
    const owner = wordsOf(none)
    expect(owner).toContain('No reviews yet. Connect a Google profile or a Facebook Page')
    expect(owner).toContain('Connect an account')
    expect(owner).toContain('Ann Lee')
    expect(owner).toContain('Warm bread and kind people. Google Harbour Bakehouse Answered')
    expect(owner).not.toContain('unread')
    expect(pageOf(none)).toContain('href="/app/settings/connections"')
    const member = wordsOf({ ...none, may_connect: false })
    expect(member).toContain('Ask an owner to connect')
    expect(member).not.toContain('Connect an account')
    expect(pageOf(none)).not.toContain('name="rating"')
  })

  test('has the filters with their values', () => {
    const search =
      'q=soup&needs=1&rating=2&sort=oldest&source=google&state=unread&language=de&theme=soup&from=2026-01-01&to=2026-01-31'
    const html = pageOf({}, search)
    for (const value of ['soup', '2026-01-01', '2026-01-31']) expect(html).toContain(`value="${value}"`)
    for (const value of ['1', '2', 'oldest', 'google', 'unread', 'de', 'soup'])
      expect(html).toContain(`<option value="${value}" selected>`)
    for (const [value] of [...ratings, ...states, ...sorts.slice(1)])
      expect(html).toContain(`<option value="${value}"`)
    const names = [...html.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)
    expect(names).toEqual([
      'q',
      'needs',
      'rating',
      'sort',
      'source',
      'state',
      'language',
      'theme',
      'from',
      'to',
    ])
    expect(html).not.toContain('<option value="newest"')
    expect(html).toContain('Newest first')
    const two = [
      ['loc_1', 'Bakery'],
      ['loc_2', 'Café'],
    ]
    expect(pageOf({ locations: two }, 'location=loc_2')).toContain('<option value="loc_2" selected>')
  })

  test('tells apart why no review is listed', () => {
    const none = { lines: [] }
    expect(wordsOf(none)).toContain('No review matches these filters. Remove all filters')
    expect(wordsOf(none, 'needs=1')).toContain('All done: no review waits for a reply. Show all reviews')
    expect(wordsOf(none, 'needs=1&rating=2')).toContain('No review matches these filters.')
    const since = { ...none, searched_since: '2026-01-01T00:00:00.000Z' }
    expect(wordsOf(since, 'q=x')).toContain('Searched back to 1 Jan 2026')
    expect(wordsOf(since, 'q=x')).not.toContain('No review matches')
    expect(pageOf(since, 'q=x')).toContain('href="/app/reviews?q=x&amp;all=1"')
  })

  test('leads to the other pages of the list and to its file', () => {
    expect(wordsOf()).not.toMatch(/First page|Next page|Searched back/)
    const html = pageOf(
      { next: 'n2', searched_since: '2026-01-01T00:00:00.000Z' },
      'rating=2&after=n1&review=rev_1',
    )
    expect(html).toContain('<a href="/app/reviews?rating=2">First page</a>')
    expect(html).toContain('<a href="/app/reviews?rating=2&amp;after=n2">Next page</a>')
    expect(html).toContain('Searched back to')
    expect(html).toMatch(/href="[^"]*reviews\.csv\?rating=2"/)
  })

  test('names doubts and ignored filters', () => {
    const doubts = [{ id: 'loc_1', name: 'Bakery', doubt: { why: 'Two replies are missing.' } }]
    expect(wordsOf({ doubts })).toContain('The replies of Bakery are in doubt Two replies are missing.')
    expect(pageOf({ doubts })).toContain('class="notice warn"')
    expect(pageOf()).not.toContain('class="notice')
    expect(wordsOf({}, 'rating=9')).toContain('Some filters were ignored rating = 9 : Use 1 to 5, or none.')
  })
})
