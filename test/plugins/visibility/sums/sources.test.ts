import { expect, test } from 'bun:test'
import { createSources } from '../../../../plugins/visibility/sums/sources'

type Answer = Parameters<ReturnType<typeof createSources>['add']>[0]
type Citation = Answer['citations'][number]
const citing = (domain: string, cited: boolean, more: Partial<Citation> = {}): Citation => ({
  domain,
  cited,
  is_own: false,
  ...more,
})

test('sources are ranked by the answers that cite them, then that consult them, then by name', () => {
  const sources = createSources()
  const answer = (...citations: Citation[]) => sources.add({ engine: 'chatgpt', citations })
  answer(citing('cited.example', true), citing('b.example', false), citing('often.example', false))
  answer(citing('often.example', false), citing('a.example', false))
  // Two citations in one answer are one answer.
  answer(citing('cited.example', true), citing('twice.example', true), citing('twice.example', true))
  expect(sources.ranked().map(({ domain }) => domain)).toEqual([
    'cited.example',
    'twice.example',
    'often.example',
    'a.example',
    'b.example',
  ])
  expect(sources.answers).toBe(3)
})

test('the mean place of a source counts its placed citations only', () => {
  const sources = createSources()
  const url = 'https://a.example/1'
  const citations = [
    citing('a.example', true, { url, position: 2 }),
    citing('a.example', true, { url, position: 5 }),
    citing('a.example', true, { url }),
    citing('a.example', false, { url, position: 9 }),
  ]
  sources.add({ engine: 'claude', citations })
  expect(sources.ranked()).toMatchObject([
    { citedIn: 1, consulted: 0, citations: 3, placed: 2, places: 7, pages: new Map([[url, 3]]) },
  ])
})
