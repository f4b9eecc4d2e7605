import { afterAll, expect, test } from 'bun:test'
import { createAskService } from '../../../../core/outbound/ask-service'
import { readListing } from '../../../../plugins/prospects/sections/readListing'
import { unreadableAnswers } from '../../../support/liar'
import { prospectBench } from '../support/bench'

const world = await prospectBench()
const prospect = await world.prospect({ google_place_id: 'ChIJpitch' })
afterAll(() => world.stop())

test.each(Object.entries(unreadableAnswers))(
  'A place that answers %s is not known, and never empty',
  async (_, lie) => {
    const ask = createAskService({
      now: () => world.bench.now,
      fetch: () => lie(Response.json({ id: 'ChIJpitch', rating: 4.2, userRatingCount: 80 })),
    })
    const ctx = { ...world.owner, outbound: { ...world.owner.outbound, ask } }
    const look = (isLast: boolean) =>
      readListing(ctx, prospect, { signal: new AbortController().signal, isLast: () => isLast })
    await expect(look(false)).rejects.toMatchObject({ kind: 'transient' })
    expect(await look(true)).toMatchObject({ reason: expect.stringContaining('could not be read') })
  },
)
