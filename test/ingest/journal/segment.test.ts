import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createFrameBuilder } from '../../../ingest/journal/frame-builder'
import { type BatchRecord, type JournalHit, readIds, readSegment } from '../../../ingest/journal/segment'
import { countedHit } from '../../support/counted-hit'

const hit = (path: string, more: Partial<JournalHit> = {}): JournalHit => ({
  ...countedHit({ site_id: 'site_1', path, verdict: 'verified', ts: 1_795_200_000_123 }),
  ...more,
})
const batch = (id: string): BatchRecord => ({ id, accepted: 1, ignored: 2, rejected: 3, duplicate: 4, at: 5 })

function frameOf(hits: readonly JournalHit[], batches: readonly BatchRecord[] = []): Uint8Array {
  const builder = createFrameBuilder()
  for (const each of hits) builder.addHit(each)
  for (const each of batches) builder.addBatch(each)
  return builder.take()
}

describe('a segment', () => {
  test('gives back what was written, whatever the fields hold', () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())
    const any = fc.record<JournalHit>({
      kind: fc.constantFrom('crawl', 'visit'),
      site_id: text,
      date: fc.constantFrom('2026-11-20', '2026-11-21'),
      agent: text,
      category: fc.constantFrom('ai_answers', 'training', ''),
      operator: text,
      path: text,
      verdict: fc.constantFrom('verified', 'spoofed', 'unchecked'),
      ts: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 1, 1_795_200_000_123)),
      id: fc.maxSafeNat(),
      status: fc.constantFrom(undefined, 200, 404, 503),
    })
    fc.assert(
      fc.property(fc.array(any), fc.array(text), (hits, ids) => {
        fc.pre(hits.length + ids.length > 0)
        const { frames, torn } = readSegment(frameOf(hits, ids.map(batch)))
        expect(torn).toBe(false)
        expect(frames[0]?.hits).toEqual(hits)
        expect(frames[0]?.batchIds).toEqual(ids.map(batch))
        expect(frames[0]?.ends).toEqual(ids.map(() => hits.length))
        const known = readIds(frameOf(hits, ids.map(batch)))
        for (const site of new Set(hits.map(({ site_id }) => site_id))) {
          const own = hits.filter(({ site_id }) => site_id === site)
          expect(known.get(site)?.hitIds).toEqual(own.map((each) => each.id as number))
        }
        const whose = hits.at(-1)?.site_id ?? ''
        expect(known.get(whose)?.batchIds ?? []).toEqual(ids.map(batch))
      }),
    )
  })

  test('the ids and paths that are read alone are those of its hits', () => {
    const site = fc.constantFrom('site_1', 'site_2', 'si\tte\\')
    const one = fc.record({
      site_id: site,
      path: fc.string({ size: 'medium' }),
      date: fc.constantFrom('2026-11-20', '2026-11-21'),
      id: fc.option(fc.nat(99), { nil: undefined }),
      accepted: fc.option(fc.nat(2), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(fc.array(one, { minLength: 1, size: 'medium' }), { minLength: 1 }), (frames) => {
        const ids = new Map<string, { batchIds: BatchRecord[]; hitIds: number[] }>()
        const of = (key: string) => ids.get(key) ?? ids.set(key, { batchIds: [], hitIds: [] }).get(key)
        const paths: string[][] = []
        const bytes = frames.map((all) => {
          const builder = createFrameBuilder()
          for (const [at, { accepted, ...more }] of all.entries()) {
            builder.addHit(hit(more.path, more))
            paths.push([more.site_id, more.date, more.path])
            if (more.id !== undefined) of(more.site_id)?.hitIds.push(more.id)
            if (accepted === undefined) continue
            const record = { ...batch(`b${at}`), accepted }
            builder.addBatch(record)
            of(accepted > 0 ? more.site_id : '')?.batchIds.push(record)
          }
          return builder.take()
        })
        const seen: string[][] = []
        const found = readIds(Buffer.concat([Buffer.from('torn'), ...bytes]), (...path) => seen.push(path))
        expect([...found].toSorted()).toEqual([...ids].toSorted())
        expect(seen).toEqual(paths)
      }),
      { numRuns: 40 },
    )
  })

  test('a tab or a line end in a path or an id forges no record', () => {
    const forged = `/x\n0\t1\t/forged\nb\tforged\t1\t0\t0\t0\t0`
    const { frames } = readSegment(frameOf([hit(forged)], [batch(forged)]))
    expect(frames[0]?.hits).toEqual([hit(forged)])
    expect(frames[0]?.batchIds.map(({ id }) => id)).toEqual([forged])
  })

  test('torn at any byte of a frame, the frames before it stand and nothing of it does', () => {
    const first = frameOf([hit('/one')], [batch('a')])
    const second = frameOf([hit('/two'), hit('/three', { id: 7 })], [batch('b')])
    const whole = Buffer.concat([first, second])
    for (let length = first.length; length < whole.length; length++) {
      const { frames, validBytes, torn } = readSegment(whole.subarray(0, length))
      expect(frames.flatMap((frame) => frame.hits)).toEqual([hit('/one')])
      expect(validBytes).toBe(first.length)
      expect(torn).toBe(length > first.length)
    }
    const rest = Buffer.concat([first, second.subarray(0, 20), new Uint8Array(4096)])
    expect(readSegment(rest).validBytes).toBe(first.length)
  })

  test('any flipped bit is noticed', () => {
    const first = frameOf([hit('/one')])
    const second = frameOf([hit('/two'), hit('/three')], [batch('b')])
    const whole = Buffer.concat([first, second])
    for (let bit = first.length * 8; bit < whole.length * 8; bit++) {
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const { frames, torn } = readSegment(flipped)
      expect(torn).toBe(true)
      expect(frames).toHaveLength(1)
    }
  })

  test('a flipped bit costs the frame it stands in, and none behind it', () => {
    const [first, second, third] = ['a', 'b', 'c'].map((id) =>
      frameOf([hit(`/${id}`), hit('/x')], [batch(id)]),
    )
    const whole = Buffer.concat([first, second, third].map((frame) => frame ?? new Uint8Array()))
    const from = first?.length ?? 0
    for (let bit = from * 8; bit < (from + (second?.length ?? 0)) * 8; bit++) {
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const { frames, validBytes, torn, damaged } = readSegment(flipped)
      expect(frames.map(({ batchIds }) => batchIds[0]?.id)).toEqual(['a', 'c'])
      expect([validBytes, torn, damaged]).toEqual([whole.length, true, true])
    }
  })

  test('an end that was cut off is told from one that was damaged', () => {
    const whole = Buffer.concat([frameOf([hit('/one')]), frameOf([hit('/two')])])
    const first = frameOf([hit('/one')]).length
    for (let length = first + 1; length < whole.length; length++) {
      expect(readSegment(whole.subarray(0, length))).toMatchObject({ torn: true, damaged: false })
    }
    const zeros = Buffer.concat([whole, new Uint8Array(4_096)])
    expect(readSegment(zeros)).toMatchObject({ validBytes: whole.length, torn: true, damaged: false })
    whole.writeUInt8(whole.readUInt8(whole.length - 3) ^ 1, whole.length - 3)
    expect(readSegment(whole)).toMatchObject({ validBytes: first, torn: true, damaged: true })
  })

  test('arbitrary bytes are read without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readSegment(bytes).validBytes).toBe(0)
        const withHead = Buffer.concat([frameOf([hit('/one')]), bytes])
        expect(readSegment(withHead).frames).toHaveLength(1)
      }),
    )
  })
})
