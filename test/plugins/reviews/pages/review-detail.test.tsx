/** @jsxImportSource ../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import type { ShownAct, ShownReply, ShownReview } from '../../../../plugins/reviews/pages/loadReview'
import { ReviewDetail } from '../../../../plugins/reviews/pages/review-detail'
import type { DetailProps } from '../../../../plugins/reviews/pages/review-forms'

const at = '2026-01-01T00:00:00.000Z'
const plain: ShownReview = {
  id: 'rev_1',
  by: 'Ann',
  stars: 5,
  recommends: null,
  platform: 'Google',
  location: { id: 'loc_1', name: 'Bakery' },
  created_at: at,
  updated_at: null,
  removed_at: null,
  text: 'Warm bread',
  translation: null,
  language: null,
  sentiment: null,
  emotion: null,
  topics: [],
  method: null,
  priority: null,
  is_read: true,
  is_flagged: false,
  flag_reason: null,
  notes: '',
  basis: 'basis_1',
  reply: null,
  act: null,
  draft: '',
  warnings: [],
  held: null,
  why_not: null,
  is_demo: false,
  can_edit: true,
  can_delete: true,
  automatic: 'Automatic replies are off.',
  automatic_due: null,
}
type Outcome = DetailProps['outcome']

/** The review as the server renders it. */
function htmlOf(
  { history = null, ...more }: Partial<ShownReview> & { readonly history?: object | null } = {},
  outcome: Outcome = null,
  search = '',
): string {
  const list = { path: '/app/reviews', search, beside: { following: 'rev_2' } }
  const data = { list, history }
  const props = { data, csrf: 'token', outcome, of: { ...plain, ...more } } as unknown as DetailProps
  return renderToString(<ReviewDetail {...props} />)
}
/** The words that people read, one space between them. */
const textOf = (...given: Parameters<typeof htmlOf>) =>
  htmlOf(...given)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}"/>`
const failed = (action: string, more: object = {}): Outcome =>
  ({ ok: false, action, fault: 'A fault', ...more }) as never

describe('a review', () => {
  test('without anything special has its facts, a form of a reply and a note', () => {
    const name = '1 Jan 2026 (1 Jan 2026, 00:00 UTC)'
    const tones = 'Friendly Professional Empathetic Concise Playful'
    expect(textOf()).toBe(
      `Ann ★★★★★ Google Bakery ${name} Warm bread Reply Your reply Send reply Save draft Tone ${tones} Write a draft For your team Read Mark as unread Flag for review by a person Flag review Internal note Save note History Automatic replies are off. Show the history of this review`,
    )
    expect(htmlOf()).not.toMatch(/notice|fault|class="facts"|class="themes"|lang=/)
  })

  test('without a name, a date or a text says so', () => {
    const text = textOf({ by: null, created_at: null, text: '', stars: null, recommends: false })
    expect(text).toStartWith(
      'Anonymous Does not recommend Google Bakery never The review has a rating and no text.',
    )
  })

  test('that its platform removed says when it was last seen', () => {
    expect(textOf({ removed_at: at })).toContain(
      'Google no longer shows this review Seen 1 Jan 2026 (1 Jan 2026, 00:00 UTC) . It is left out of lists and figures.',
    )
  })

  test('has its text in its language, with a translation', () => {
    const html = htmlOf({ language: 'de', translation: 'Warm' })
    expect(html).toContain('<blockquote class="quote" dir="auto" lang="de">Warm bread</blockquote>')
    expect(html).toMatch(
      /Translation by Google<\/p>.*<blockquote class="quote" dir="auto">Warm<\/blockquote>/,
    )
    expect(html).toContain('dir="auto" lang="de"></textarea>')
  })

  test.each([
    [{ sentiment: 'negative' }, 'Feeling negative Method Not recorded'],
    [{ sentiment: 'negative', emotion: 'anger', priority: 'high' }, 'Feeling negative, anger Priority high'],
    [{ method: 'stars', emotion: 'anger', language: 'de' }, 'Analysis Language de Method Stars alone'],
    [{ method: 'stars+lexicon' }, 'Method Stars, adjusted by word lists'],
    [{ method: 'recommendation' }, 'Method Recommendation alone'],
    [{ method: 'recommendation+lexicon' }, 'Method Recommendation, adjusted by word lists'],
    [{ method: 'lexicon' }, 'Method Word lists alone'],
    [{ method: 'llm:gemma' }, 'Method Language model gemma'],
    [{ method: 'other' }, 'Method other'],
    [{ topics: ['soup'] }, 'soup Method Not recorded'],
  ] satisfies [Partial<ShownReview>, string][])('says how it was analysed: %j', (more, text) => {
    expect(textOf(more)).toContain(text)
  })

  test('links its themes', () => {
    expect(htmlOf({ topics: ['so&up'] })).toContain('<a class="chip" href="/app/reviews?theme=so%26up">')
  })

  test('that people flagged can be unflagged, and one that is unread can be read', () => {
    const flagged = htmlOf({ is_flagged: true, flag_reason: 'Rude', is_read: false })
    expect(flagged).toContain('<span class="icon i-flag" aria-hidden="true"></span>Flagged</span>')
    expect(flagged).toContain('action="/app/reviews/unflag"')
    expect(flagged).not.toContain('action="/app/reviews/flag"')
    expect(flagged).toContain('Flagged: <bdi>Rude</bdi>')
    expect(flagged).toContain('<span class="badge warn">Unread</span>')
    expect(flagged).toContain(hidden('state', 'read'))
    expect(textOf({ is_flagged: true })).toContain('Flagged: no reason was given')
    const other = htmlOf()
    expect(other).toContain('action="/app/reviews/flag"')
    expect(other).toContain('<span class="badge plain">Read</span>')
    expect(other).toContain(hidden('state', 'unread'))
  })

  test('keeps the note that was typed, and says what was not done', () => {
    const typed = htmlOf({ notes: 'old' }, failed('note', { values: { text: 'typed' } }))
    expect(typed).toContain('>typed</textarea>')
    expect(typed).toMatch(/This was not done<\/h2>.*A fault/)
    expect(htmlOf({ notes: 'old' }, failed('flag', { values: { text: 'typed' } }))).toContain(
      '>old</textarea>',
    )
    expect(htmlOf({ notes: 'old' }, failed('note', { values: { text: ['a', 'b'] } }))).toContain(
      '>old</textarea>',
    )
    expect(textOf({}, failed('flag', { faults: { reason: 'No reason', text: 'x' } }))).toContain('No reason')
    expect(textOf({}, failed('note', { faults: { text: 'Too long' } }))).toContain('Too long')
    expect(htmlOf({}, failed('send'))).not.toContain('This was not done')
    expect(htmlOf({}, { ok: true, action: 'note' } as never)).not.toContain('This was not done')
  })

  test('names itself and its list in each form', () => {
    const html = htmlOf({}, null, 'rating=2&after=x')
    const search = 'rating=2&amp;after=x&amp;review=rev_1'
    for (const name of ['send', 'generate', 'mark', 'flag', 'note'])
      expect(html).toContain(`action="/app/reviews/${name}"`)
    expect(html.split(hidden('review', 'rev_1'))).toHaveLength(6)
    expect(html.split(hidden('back', `/app/reviews?${search}`))).toHaveLength(6)
    expect(html.split(hidden('following', 'rev_2'))).toHaveLength(6)
    expect(html).toContain(`href="/app/reviews?${search}&amp;history=1"`)
  })
})

describe('the history of a review', () => {
  const historyOf = (...events: object[]) =>
    htmlOf({ history: { events: events.map((event) => ({ at, ...event })) as never, is_whole: true } })

  test.each([
    ['first', 'First read'],
    ['rewritten', 'Text changed'],
    ['replied', 'Reply read'],
    ['reply_changed', 'Reply changed'],
    ['reply_gone', 'Reply gone'],
    ['removed', 'Removed at its source'],
    ['restored', 'Shown by its source again'],
  ])('has words for %s', (kind, words) => {
    expect(historyOf({ kind })).toContain(`<div class="what">${words}</div>`)
    expect(historyOf({ kind })).toContain(`<li class="${kind === 'removed' ? 'bad' : 'plain'}">`)
  })

  test('has the texts before and after', () => {
    expect(historyOf({ kind: 'rated', before: '1 star', after: 'no stars' })).toContain(
      'Rating changed from 1 star to no stars</div>',
    )
    expect(historyOf({ kind: 'rewritten', before: 'a', after: 'b' })).toMatch(
      /Text changed<del dir="auto">a<\/del><figure[^>]*><blockquote[^>]*>b<\/blockquote>/,
    )
  })

  test('says when nothing or not all is known, and when an automatic reply is due', () => {
    expect(historyOf()).toContain('Nothing was recorded of it yet.')
    expect(historyOf({ kind: 'first' })).not.toMatch(/Nothing was recorded|Older entries|Show the history/)
    expect(textOf({ history: { events: [], is_whole: false } })).toContain('Older entries are not shown')
    expect(textOf({ automatic_due: at })).toContain('Automatic reply: 1 Jan 2026')
    expect(textOf()).not.toContain('Automatic reply:')
  })
})

const reply = (more: Partial<ShownReply> = {}): ShownReply => ({
  text: 'Thanks',
  at,
  by: null,
  state: 'published',
  ...more,
})
const act = (more: Partial<ShownAct> = {}): ShownAct => ({
  act: 'publish',
  state: 'queued',
  text: 'Typed',
  error: null,
  at,
  ...more,
})

describe('the reply of a review', () => {
  test.each([
    ['pending', 'state warn', 'Pending Google is checking this reply and does not show it yet.'],
    ['published', 'state good', 'Published Google shows this reply.'],
    ['rejected', 'state bad', 'Rejected Google does not show this reply.'],
  ] as const)('that is %s says so', (state, look, words) => {
    expect(htmlOf({ reply: reply({ state }) })).toContain(`class="${look}"`)
    expect(textOf({ reply: reply({ state }) })).toContain(`${words} 1 Jan 2026`)
  })

  test('can be changed and deleted where its platform can do that', () => {
    const both = htmlOf({ reply: reply() })
    expect(both).toContain('<details><summary>Edit reply</summary>')
    expect(both).toContain('<details><summary>Delete reply</summary>')
    expect(both.split(hidden('replaces', 'Thanks'))).toHaveLength(3)
    expect(both).toContain(hidden('basis', 'basis_1'))
    expect(both).toContain('action="/app/reviews/delete-reply"')
    expect(both).toContain('>Thanks</textarea>')
    const only = (can_edit: boolean, can_delete: boolean, more: Partial<ShownReview> = {}) =>
      textOf({ reply: reply(), can_edit, can_delete, ...more })
    expect(only(true, true)).not.toContain('on Google itself')
    expect(only(true, false)).toContain('Edit reply')
    expect(only(true, false)).toContain('Delete the reply on Google itself.')
    expect(only(false, true)).not.toContain('Edit reply')
    expect(only(false, true)).toContain('Change the reply on Google itself.')
    expect(only(false, false)).toContain('Change or delete the reply on Google itself.')
    expect(only(false, false, { is_demo: true })).not.toContain('on Google itself')
    expect(only(true, true, { why_not: 'It is away' })).not.toMatch(/Edit reply|Delete reply/)
    expect(only(true, true, { why_not: 'It is away' })).toContain(
      'A reply cannot be sent from here It is away',
    )
  })

  test('that was sent automatically says so, and one of a demo reaches nobody', () => {
    expect(textOf({ reply: reply({ by: 'auto-response' }) })).toContain('Sent automatically')
    expect(textOf({ reply: reply({ by: 'usr_1' }) })).not.toContain('Sent automatically')
    expect(textOf({ is_demo: true })).toContain('Demo: nothing leaves this machine.')
    expect(textOf()).not.toContain('Demo')
  })

  test('that is being sent or deleted can only be cancelled', () => {
    const sending = htmlOf({ act: act() })
    expect(sending).toMatch(/Sending the reply.*It is sent to Google in a moment.*Typed.*Cancel reply/)
    expect(sending).not.toMatch(/Send reply|Write a draft/)
    expect(sending).toContain('action="/app/reviews/cancel"')
    const deleting = textOf({ act: act({ act: 'delete', error: 'It was away' }), reply: reply() })
    expect(deleting).toContain(
      'Deleting the reply The last try failed: It was away. Renown tries again automatically. Cancel deletion',
    )
    expect(deleting).not.toMatch(/Typed|Edit reply/)
  })

  test('that was not sent can be sent again', () => {
    const unsent = htmlOf({ act: act({ state: 'failed', error: 'No room' }) })
    expect(unsent).toMatch(/The reply was not sent.*No room.*Your text is below/)
    expect(unsent).toContain('>Typed</textarea>')
    const changed = htmlOf({ act: act({ state: 'failed' }), reply: reply() })
    expect(changed).toContain('<details open><summary>Edit reply</summary>')
    expect(changed).toContain('>Typed</textarea>')
    const undeleted = htmlOf({ act: act({ act: 'delete', state: 'failed' }), reply: reply() })
    expect(undeleted).toContain('The reply was not deleted')
    expect(undeleted).toContain('>Thanks</textarea>')
    const rejected = textOf({ act: act({ state: 'rejected', error: 'Rude' }) })
    expect(rejected).toContain('Google rejected the reply Rude Nobody sees it.')
    for (const state of ['sent', 'cancelled', 'deleted'] as const)
      expect(htmlOf({ act: act({ state }) })).not.toMatch(/notice|Typed|Cancel/)
  })

  test('that was typed stays after a fault, with the fault', () => {
    const typed = htmlOf({ draft: 'A draft' }, failed('send', { values: { text: 'Mine' } }))
    expect(typed).toContain('aria-invalid="true" aria-describedby="reply-error">Mine</textarea>')
    expect(typed).toContain('<div class="fault" id="reply-error" role="alert"><span>A fault</span></div>')
    expect(htmlOf({ reply: reply() }, failed('send'))).toContain('<details open><summary>Edit reply')
    const faults = failed('send', { faults: { text: 'Too long' } })
    expect(htmlOf({}, faults)).toContain('<span>Too long</span>')
    for (const outcome of [failed('note', { values: { text: 'x' } }), { ok: true, action: 'send' } as never])
      expect(htmlOf({ draft: 'A draft' }, outcome)).toMatch(/rows="4" dir="auto">A draft<\/textarea>/)
    expect(htmlOf({ draft: 'A draft' }, failed('send', { values: { text: ['x'] } }))).toContain(
      '>A draft</textarea>',
    )
  })

  test('that is a draft is kept with what it was, and says why it waits', () => {
    const draft = htmlOf({ draft: 'A draft', held: 'It mentions a price', warnings: ['Read it twice'] })
    expect(draft).toContain('>A draft</textarea>')
    expect(draft.split(hidden('was', 'A draft'))).toHaveLength(3)
    expect(draft).toMatch(/name="replaces" value(="")?\/>/)
    expect(draft).toMatch(/class="notice warn"[^>]*>.*Read it twice/)
    expect(draft).toContain('Regenerate draft')
    expect(draft).toContain('Not for bulk approval: It mentions a price.')
    expect(textOf({ draft: '', held: 'It mentions a price' })).not.toContain('Not for bulk approval')
    expect(textOf({ draft: 'A draft' })).not.toContain('Not for bulk approval')
    const unable = textOf({ why_not: 'It is away' })
    expect(unable).not.toContain('Send reply')
    expect(unable).toContain('Save draft')
    for (const tone of ['friendly', 'professional', 'empathetic', 'concise', 'playful'])
      expect(draft).toContain(`<option value="${tone}"`)
  })
})
