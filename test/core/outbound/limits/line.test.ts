import { describe, expect, test } from 'bun:test'
import type { Grant } from '../../../../core/outbound/limits/bucket'
import { createLine } from '../../../../core/outbound/limits/line'

/** A line whose bucket gives what the test says, one grant at a time, and which waits only on paper. */
function lineOf(...grants: (Partial<Grant> | Error)[]) {
  const wanted: number[] = []
  const slept: number[] = []
  const turns: Promise<void>[] = []
  const line = createLine({
    take: async (count) => {
      wanted.push(count)
      const grant = grants.shift() ?? { granted: count }
      if (grant instanceof Error) throw grant
      return { granted: 0, waitMs: 0, isClosed: false, ...grant }
    },
    sleep: async (ms) => void slept.push(ms),
  })
  const turn = (signal?: AbortSignal) => {
    const asked = line.turn(signal)
    asked.catch(() => {})
    turns.push(asked)
    return asked
  }
  return { line, turn, wanted, slept, turns }
}
const paced = (seconds: number, retryAfterMs: number) => ({
  kind: 'rate',
  code: 'paced',
  retryAfterMs,
  message: `The platform's rate limit is used up for ${seconds} s`,
})

describe('callers of one bucket', () => {
  test('are let through in their order, as many as the bucket gives, and the store is asked for all of them', async () => {
    const { line, turn, wanted, turns } = lineOf({ granted: 1 }, { granted: 2 }, { waitMs: 5 })
    const went: number[] = []
    for (let n = 0; n < 4; n++) void turn().then(() => went.push(n))
    expect(line.isEmpty()).toBe(false)
    await Promise.all(turns)
    expect([went, wanted]).toEqual([
      [0, 1, 2, 3],
      [1, 3, 1, 1],
    ])
    expect(line.isEmpty()).toBe(true)
    await turn()
    expect(wanted).toHaveLength(5)
  })

  test('that come at the very moment at which the last one goes are served, and after a fault too', async () => {
    for (const grant of [{ granted: 1 }, { waitMs: 60_001 }, new Error('away')]) {
      const { turn, wanted } = lineOf(grant)
      // The next one comes in the first step after the last has gone, or was refused.
      await Promise.allSettled([turn()]).then(() => turn())
      const again = turn()
      await again.then(() => turn())
      expect(wanted).toEqual([1, 1, 1, 1])
    }
  })

  test.each([
    [{ waitMs: 60_000 }, null],
    [{ waitMs: 60_001 }, paced(61, 60_001)],
    [{ waitMs: 10_000, isClosed: true }, null],
    [{ waitMs: 10_001, isClosed: true }, paced(11, 10_001)],
  ])('wait a minute at most, and ten seconds where the service asked: %j', async (grant, fault) => {
    const { line, turn, slept } = lineOf({ granted: 1 }, grant, { granted: 2 })
    void turn()
    const one = turn()
    const other = turn()
    if (fault === null) {
      await Promise.all([one, other])
      expect(slept).toEqual([grant.waitMs])
    } else {
      for (const asked of [one, other]) await expect(asked).rejects.toMatchObject(fault)
      expect(slept).toEqual([])
    }
    expect(line.isEmpty()).toBe(true)
  })

  test("that leave take nobody's turn, whether they are first or last", async () => {
    for (const leaves of [0, 1, 2]) {
      const stops = Array.from({ length: 3 }, () => new AbortController())
      const { line, turn, wanted } = lineOf({ waitMs: 5 })
      const asked = stops.map(({ signal }) => turn(signal))
      stops[leaves]?.abort(new Error('left'))
      await expect(asked[leaves]).rejects.toThrow('left')
      await Promise.all(asked.filter((_, at) => at !== leaves))
      expect([wanted.reduce((most, one) => Math.max(most, one), 0), line.isEmpty()]).toEqual([2, true])
      // Whoever has gone is not called back.
      for (const stop of stops) stop.abort(new Error('too late'))
    }
  })

  test('that had left before take none, and a store that is away refuses all that wait', async () => {
    const { line, turn, wanted } = lineOf(new Error('away'))
    await expect(turn(AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
    expect([wanted, line.isEmpty()]).toEqual([[], true])
    const both = [turn(), turn()]
    for (const asked of both) await expect(asked).rejects.toThrow('away')
    await turn()
    expect(line.isEmpty()).toBe(true)
  })
})
