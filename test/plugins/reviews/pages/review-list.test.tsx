/** @jsxImportSource ../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import ReviewsPage from '../../../../plugins/reviews/pages/ReviewsPage'

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

/** The page as the server renders it, with these data and these rows. */
function pageOf(more: object = {}, lines: readonly object[] = [line], props: object = {}): string {
  const list = {
    path: '/app/reviews',
    rows: 'reviews',
    filters: [],
    asked: {},
    ignored: [],
    query: '',
    search: '',
    headings: [],
    lines: lines.map((one) => ({
      id: 'rev_1',
      href: '/app/reviews?review=rev_1',
      cells: [],
      line: one,
      item: 'x',
    })),
    empty: { text: 'None.' },
    hasAny: lines.length > 0,
    turns: [],
    searched: null,
    beside: { id: '', noun: 'review', shown: null, following: '', back: '/app/reviews' },
    acts: [],
  }
  const data = { waiting: 0, doubts: [], may_connect: true, history: null, undo: null, list, ...more }
  const page = { csrf: 'token', outcome: null, notice: null, search: '', isBusy: false, ...props, data }
  return renderToString(<ReviewsPage {...(page as unknown as Parameters<typeof ReviewsPage>[0])} />)
}
const wordsOf = (...given: Parameters<typeof pageOf>) =>
  pageOf(...given)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('a line of the list', () => {
  const lineOf = (more: object) => pageOf({}, [{ ...line, ...more }])

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
})

describe('the page of reviews', () => {
  test('says how many wait', () => {
    expect(wordsOf()).toContain('No review waits for a reply.')
    expect(wordsOf({ waiting: 1_200 })).toContain('1,200 waiting for a reply.')
    expect(pageOf()).toContain('href="/app/reviews" aria-current="page"')
    expect(pageOf({}, [line], { notice: 'Saved.' })).toContain('Saved.')
  })

  test('offers Undo for a sent reply and for a review that was marked as read, and for nothing else', () => {
    const after = (search: string) => pageOf({ undo: 'rev_9' }, [line], { notice: 'Done.', search })
    expect(after('done=sent&undo=rev_9')).toContain('action="/app/reviews/cancel"')
    const read = after('done=read&undo=rev_9')
    expect(read).toContain('action="/app/reviews/mark"')
    expect(read).toContain('name="state" value="unread"')
    expect(read).toContain('name="review" value="rev_9"')
    expect(after('done=noted&undo=rev_9')).not.toContain('<form')
  })

  test('without reviews shows a sample, and lets owners connect an account', () => {
    const owner = wordsOf({}, [])
    expect(owner).toContain('No reviews yet. Connect a Google profile or a Facebook Page')
    expect(owner).toContain('Connect an account')
    expect(owner).toContain('Ann Lee')
    expect(owner).toContain('Warm bread and kind people. Google Harbour Bakehouse Answered')
    expect(owner).not.toContain('unread')
    expect(pageOf({}, [])).toContain('href="/app/settings/connections"')
    const member = wordsOf({ may_connect: false }, [])
    expect(member).toContain('Ask an owner to connect')
    expect(member).not.toContain('Connect an account')
    expect(pageOf({}, [])).not.toContain('name="rating"')
  })

  test('names doubts', () => {
    const doubts = [{ id: 'loc_1', name: 'Bakery', doubt: { why: 'Two replies are missing.' } }]
    expect(wordsOf({ doubts })).toContain('The replies of Bakery are in doubt Two replies are missing.')
    expect(pageOf({ doubts })).toContain('class="notice warn"')
    expect(pageOf()).not.toContain('class="notice')
  })
})
