import { expect, test } from 'bun:test'
import { aggregate } from '../../../ingest/flush/aggregate'
import { createFrameBuilder } from '../../../ingest/journal/frame-builder'
import { type JournalHit, readSegment } from '../../../ingest/journal/segment'

const plain: JournalHit = {
  kind: 'crawl',
  site_id: 's1',
  date: '2026-11-20',
  agent: 'GPTBot',
  category: 'training',
  operator: 'OpenAI',
  path: '/',
  verdict: 'verified',
  ts: 1_795_000_000_000,
}
const signed = { ...plain, signer: 'chatgpt.com', verified_by: 'signature' } as const
const both = { ...plain, signer: 'chatgpt.com', verified_by: 'both' } as const
const falsely = { ...plain, verdict: 'spoofed', signer: 'chatgpt.com' } as const

function written(hits: readonly JournalHit[]) {
  const builder = createFrameBuilder()
  for (const hit of hits) builder.addHit(hit)
  return readSegment(Uint8Array.from(builder.take()))
}

test('the journal keeps who signed a hit and what verified it', () => {
  const hits = [plain, signed, both, { ...both, status: 404 }, falsely, signed, plain]
  const read = written(hits).frames.flatMap((frame) => frame.hits)
  expect<unknown[]>(read.map(({ id: _, ...hit }) => hit)).toEqual(hits)
})

test('an unsigned hit is written as by earlier versions, so that their journals and ours are the same', () => {
  const builder = createFrameBuilder()
  builder.addHit(plain)
  const text = Buffer.from(builder.take().subarray(16)).toString()
  expect(text).toStartWith('d\tcrawl\ts1\t2026-11-20\tGPTBot\ttraining\tOpenAI\tverified\n')
})

test('a hit whose signature counted is in its row and in one of the signer, in the same block', () => {
  const { months, hits } = aggregate('0-1', written([plain, signed, both, both, falsely]))
  expect(hits).toBe(5)
  expect(months).toHaveLength(1)
  expect(months[0]?.hits).toBe(5)
  const rows = months[0]?.rows.trimEnd().split('\n').sort()
  expect(rows).toEqual([
    'crawl\ts1\t2026-11-20\tGPTBot\ttraining\tOpenAI\t/\t5\t4\t1',
    'receipt\t~\t2026-11-01\t\t\t\t0-1\t1\t0\t0',
    'signed\ts1\t2026-11-20\tGPTBot\ttraining\tboth chatgpt.com\t\t2\t2\t0',
    'signed\ts1\t2026-11-20\tGPTBot\ttraining\tfalse chatgpt.com\t\t1\t0\t1',
    'signed\ts1\t2026-11-20\tGPTBot\ttraining\tsignature chatgpt.com\t\t1\t1\t0',
  ])
})
