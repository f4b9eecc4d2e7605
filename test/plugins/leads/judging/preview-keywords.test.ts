import { expect, test } from 'bun:test'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import leads from '../../../../plugins/leads/index'
import { previewKeywords } from '../../../../plugins/leads/judging/preview-keywords'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { workbench } from '../../../support/workbench'

test('A draft of keywords is tried on the stored posts of its workspace', async () => {
  const bench = await workbench([tenancy, leads])
  const put = (n: number, body: string, workspace_id = 'wsp_1', tracker_id = 'trk_1') =>
    bench.owner.rows(Mention).insert({
      workspace_id,
      location_id: 'loc_1',
      tracker_id,
      source: 'reddit',
      source_id: `p${n}`,
      url: `https://forum.example/${n}`,
      body,
      excerpt: body,
      language: 'en',
      author: { handle: 'ann' },
      posted_at: '2026-03-01T00:00:00.000Z',
      discovered_at: '2026-03-01T00:00:00.000Z',
      matched_keywords: [],
      is_lead: false,
      status: 'new',
      is_read: false,
      is_archived: false,
      tags: [],
    })
  await put(1, 'The Blue Bottle in Leeds')
  await put(1, 'The Blue Bottle in Leeds', 'wsp_1', 'trk_2')
  await put(2, 'A bottle of blue ink')
  await put(3, 'Blue Bottle', 'wsp_2')
  const lists = (...keywords: string[]) => ({ keywords, required_keywords: [], excluded_keywords: [] })
  const preview = await previewKeywords(bench.owner, 'wsp_1', lists('"blue bottle"'))
  expect(preview).toMatchObject({ mistakes: [], advice: [], posts: 2, matched: 1 })
  expect(preview.matches[0]?.match.spans).toEqual([{ field: 'body', start: 4, end: 15 }])
  const plain = await previewKeywords(bench.owner, 'wsp_1', lists('blue bottle'))
  expect([plain.matched, plain.advice.length]).toEqual([2, 1])
  const wrong = await previewKeywords(bench.owner, 'wsp_1', lists('"blue'))
  expect(wrong).toMatchObject({
    posts: 0,
    mistakes: [{ field: 'keywords', message: 'Close the quotation mark' }],
  })
  await bench.stop()
})

test('Requests of others are answered while posts are compared, and only shown matches have places', async () => {
  const posts = Array.from({ length: 100 }, (_, n) => ({
    source: 'reddit',
    source_id: `p${n}`,
    body: 'acme',
  }))
  const rows = () => ({ list: () => Promise.resolve(posts) })
  let turns = 0
  const turn = () => {
    turns++
    if (turns < 1_000) next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const draft = { keywords: ['acme'], required_keywords: [], excluded_keywords: [] }
  const preview = await previewKeywords({ rows } as never, 'wsp_1', draft)
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(9)
  expect([preview.matched, preview.matches.length]).toEqual([100, 20])
  expect(preview.matches.every(({ match }) => match.spans.length === 1)).toBe(true)
})
