import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ClaimBatches } from 'renown/contracts'
import { createClaimQueue, ownOf } from '../../../ingest/flush/flush-claims'
import type { FromWorker } from '../../../ingest/flush/flusher-messages'
import { createFrameBuilder } from '../../../ingest/journal/frame-builder'
import { type JournalHit, readSegment } from '../../../ingest/journal/segment'
import { countedHit } from '../../support/counted-hit'

/** What the counter appends in one go: hits, and the batch they came in where it has an id. */
interface Entry {
  readonly hits: readonly JournalHit[]
  readonly batch?: string
}

const hit = (path: string, id?: number): JournalHit => ({ ...countedHit({ path }), id })

function segmentOf(frames: readonly (readonly Entry[])[]) {
  const bytes = frames.map((entries) => {
    const builder = createFrameBuilder()
    for (const { hits, batch } of entries) {
      for (const each of hits) builder.addHit(each)
      const none = { ignored: 0, rejected: 0, duplicate: 0, at: 5 }
      if (batch !== undefined) builder.addBatch({ id: batch, accepted: hits.length, ...none })
    }
    return builder.take()
  })
  return readSegment(Buffer.concat(bytes))
}

const pathsOf = ({ frames }: ReturnType<typeof segmentOf>) =>
  frames.flatMap(({ hits }) => hits.map(({ path }) => path))

/** Everybody else has claimed these. */
const heldByOthers =
  (...held: readonly string[]): ClaimBatches =>
  async (_, ids) =>
    ids.filter((id) => held.includes(id))

describe('what of a segment is its own', () => {
  test('is what no other segment has claimed: whole batches, and hits that came alone under an id', async () => {
    const asked: string[][] = []
    const claim: ClaimBatches = async (segment, ids) => {
      asked.push([segment, ...ids])
      return ['b2', 'hit-7']
    }
    const segment = segmentOf([
      [
        { hits: [hit('/beacon')] },
        { hits: [hit('/1'), hit('/2')], batch: 'b1' },
        { hits: [hit('/alone', 7)] },
        { hits: [hit('/3', 8), hit('/4', 9)], batch: 'b2' },
      ],
      [{ hits: [], batch: 'b3' }, { hits: [hit('/beacon')] }, { hits: [hit('/alone too', 71)] }],
    ])
    const own = await ownOf('seg', segment, claim)
    expect(asked).toEqual([['seg', 'b1', 'hit-7', 'b2', 'b3', 'hit-1z']])
    expect(pathsOf(own.segment)).toEqual(['/beacon', '/1', '/2', '/beacon', '/alone too'])
    expect(own.elsewhere).toBe(3)
  })

  test('is all of it where there is nothing to claim, and nobody is asked', async () => {
    const segment = segmentOf([[{ hits: [hit('/beacon'), hit('/beacon')] }]])
    const own = await ownOf('seg', segment, () => Promise.reject(new Error('was asked')))
    expect(own).toEqual({ segment, elsewhere: 0 })
  })

  test('is asked for in parts where it is much', async () => {
    const sizes: number[] = []
    const claim: ClaimBatches = async (_, ids) => {
      sizes.push(ids.length)
      return ids.filter((id) => id === 'b4999')
    }
    const batches = Array.from({ length: 5_000 }, (_, n) => ({ hits: [hit(`/${n}`)], batch: `b${n}` }))
    const { elsewhere, segment } = await ownOf('seg', segmentOf([batches]), claim)
    expect(sizes).toEqual([2_000, 2_000, 1_000])
    expect([elsewhere, pathsOf(segment).length]).toEqual([1, 4_999])
  })

  test('whatever stands in a frame, the hits of claimed batches go and no others do', () => {
    const hits = fc.array(fc.constant(0), { maxLength: 4 })
    const kinds = fc.constantFrom('beacon', 'alone', 'batch', 'claimed alone', 'claimed batch')
    const frames = fc.array(fc.array(fc.tuple(kinds, hits), { minLength: 1, maxLength: 6 }), { minLength: 1 })
    return fc.assert(
      fc.asyncProperty(frames, async (drawn) => {
        let n = 0
        const held: string[] = []
        const wanted: string[] = []
        const entries = drawn.map((frame) =>
          frame.map(([kind, drawnHits]): Entry => {
            const id = ++n
            const isBatch = kind.endsWith('batch')
            const size = isBatch ? drawnHits.length : 1
            const made = Array.from({ length: size }, (_, place) =>
              hit(`/${id}/${place}`, kind === 'beacon' ? undefined : id * 10 + place),
            )
            if (kind.startsWith('claimed')) held.push(isBatch ? `b${id}` : `hit-${(id * 10).toString(36)}`)
            else wanted.push(...made.map(({ path }) => path))
            return isBatch ? { hits: made, batch: `b${id}` } : { hits: made }
          }),
        )
        const { segment } = await ownOf('seg', segmentOf(entries), heldByOthers(...held))
        expect(pathsOf(segment)).toEqual(wanted)
      }),
    )
  })
})

test('the desk gives each question its answer, and ends all that wait when it gives up', async () => {
  const said: Extract<FromWorker, { say: 'claim' }>[] = []
  const desk = createClaimQueue((message) => void (message.say === 'claim' && said.push(message)))
  const first = desk.claim('s1', ['a'])
  const second = desk.claim('s2', ['b'])
  const third = desk.claim('s3', ['c'])
  expect(said.map(({ segment, ids }) => [segment, ...ids])).toEqual([
    ['s1', 'a'],
    ['s2', 'b'],
    ['s3', 'c'],
  ])
  desk.hear({ do: 'claimed', ask: said[1]?.ask ?? 0, taken: ['b'] })
  desk.hear({ do: 'unclaimed', ask: said[0]?.ask ?? 0, reason: 'status 401' })
  desk.hear({ do: 'claimed', ask: 99, taken: [] })
  expect(await second).toEqual(['b'])
  expect(first).rejects.toThrow('status 401')
  desk.giveUp()
  expect(third).rejects.toThrow('stopping')
})
