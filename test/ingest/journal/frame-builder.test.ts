import { expect, test } from 'bun:test'
import { createFrameBuilder } from '../../../ingest/journal/frame-builder'
import { type JournalHit, readSegment } from '../../../ingest/journal/segment'
import { countedHit } from '../../support/counted-hit'

/** What is read of a frame with these hits, in order. */
function readBack(hits: readonly JournalHit[], builder = createFrameBuilder()) {
  for (const hit of hits) builder.addHit(hit)
  return readSegment(Uint8Array.from(builder.take())).frames.flatMap((frame) => frame.hits)
}

const one = countedHit({ path: '/', ts: 1_795_200_000_000 })
const others: Readonly<Partial<JournalHit>>[] = [
  ...[{ agent: 'GPTBou' }, { verdict: 'spoofed' }, { site_id: 'sit_other' }, { date: '2026-11-21' }],
  ...[{ kind: 'visit' }, { category: 'other' }, { operator: 'Other' }, { path: '/b' }, { ts: 5 }],
] as never

test.each(others)('hits that differ in one field alone stay different: %j', (changes) => {
  const other = { ...one, ...changes }
  const far = countedHit({ ...one, agent: 'ClaudeBot', site_id: 'sit_far' })
  for (const hits of [
    [one, other, one],
    [one, far, other, far, one, other],
    [one, other, far, { ...other, path: '/c' }],
  ])
    expect(readBack(hits)).toEqual(hits)
})

test('a frame holds fields of three bytes a character at every size around that of its buffer', () => {
  // The buffer has 64 KiB. Fields that end near its end must still be whole.
  for (let length = 21_820; length < 21_850; length++) {
    const hits = [countedHit({ ...one, operator: '€'.repeat(length) })]
    expect(readBack(hits)[0]?.operator.length).toBe(length)
    const path = `/${'€'.repeat(length)}`
    expect(readBack([{ ...one, path }])[0]?.path).toBe(path)
  }
})

test('a builder begins anew after each frame, however large that was', () => {
  const builder = createFrameBuilder()
  for (const length of [1, 2_000_000, 1, 30_000, 1]) {
    expect(builder.isEmpty()).toBe(true)
    const hits = [one, { ...one, path: `/${'x'.repeat(length)}` }]
    expect(readBack(hits, builder)).toEqual(hits)
    expect([builder.isEmpty(), builder.hits()]).toEqual([true, 0])
  }
})
