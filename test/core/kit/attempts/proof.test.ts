import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isShownText, judgeShown, type ShownResult, type StateMeaning } from 'renown/sending'

const rule = { states: { public: 'visible', pending: 'held', trash: 'rejected' }, source: 'test' } as const
const since = '2026-03-15T12:00:00.000Z'
const expected = { text: 'Open on Sunday & Monday', since, others: new Set(['other']) }
const whole: ShownResult = {
  external_id: '7',
  text: expected.text,
  created_at: since,
  state: 'public',
  evidence: '201',
}
const judge = (change: Partial<ShownResult>) => judgeShown(rule, expected, { ...whole, ...change }).is

describe('a result counts as published', () => {
  test('if it shows its id, our words, our time and a visible state', () => {
    expect(judge({})).toBe('published')
    expect(judge({ text: 'Open on  Sunday &amp; Monday\n' })).toBe('published')
    expect(judge({ created_at: '2026-03-15T11:56:00.000Z' })).toBe('published')
  })

  test('never with one of them left out or unreadable', () => {
    const broken: readonly unknown[] = [undefined, '', ' ', 'x', '1970-01-01T00:00:00Z', '{}', 'null']
    for (const name of ['text', 'created_at', 'state'] as const) {
      for (const value of broken) expect([name, value, judge({ [name]: value })]).not.toContain('published')
    }
    expect(judge({ external_id: '' })).toBe('incomplete')
    expect(judge({ external_id: 'other' })).toBe('other')
    expect(judge({ isOther: 'by somebody else' })).toBe('other')
  })

  test('with other words only if nobody sees a difference', () => {
    const others = [
      'Open on Sunday',
      'Open on Sunday & Monday!',
      'open on sunday & monday',
      'Open on Sunday…',
      'x',
    ]
    for (const text of others) expect([text, judge({ text })]).toEqual([text, 'other'])
  })

  test('only in the states of the table, whatever a state is called', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'toString')), (state) => {
        const meaning: StateMeaning | undefined = state === 'public' ? 'visible' : undefined
        const proof = judge({ state })
        return meaning === 'visible' ? proof === 'published' : proof !== 'published'
      }),
      { numRuns: 300 },
    )
    expect(judge({ state: 'pending' })).toBe('held')
    expect(judge({ state: 'trash' })).toBe('rejected')
    expect(judge({ state: 'a new one' })).toBe('held')
  })

  test('says that ours was cut short', () => {
    const proof = judgeShown(rule, expected, { ...whole, text: 'Open on Sun…' })
    expect(proof).toMatchObject({ is: 'other', why: '7 shows only the beginning of the text.' })
  })

  test('by its acceptance alone only where the service says why', () => {
    const acceptance = { acceptance: 'It is ours' }
    expect(judgeShown(acceptance, expected, { external_id: '1', evidence: '204' }).is).toBe('published')
    expect(judgeShown(acceptance, expected, { external_id: '', evidence: '204' }).is).toBe('incomplete')
    expect(judgeShown(acceptance, expected, { external_id: 'other', evidence: '204' }).is).toBe('other')
  })
})

test('links are the same if the service shortens them by its own hosts only', () => {
  const sent = 'Book at https://example.com/a/long/path?x=1 now'
  expect(isShownText(sent, 'Book at https://lnkd.in/abc now', ['lnkd.in'])).toBe(true)
  expect(isShownText(sent, 'Book at https://lnkd.in/abc now')).toBe(false)
  expect(isShownText(sent, 'Book at https://evil.example/abc now', ['lnkd.in'])).toBe(false)
  expect(isShownText(sent, 'Call https://lnkd.in/abc now', ['lnkd.in'])).toBe(false)
  expect(isShownText('Book now', 'Book https://lnkd.in/abc', ['lnkd.in'])).toBe(false)
})
