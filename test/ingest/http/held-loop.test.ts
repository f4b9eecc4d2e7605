import { expect, test } from 'bun:test'
import { batchPaths } from '../../../ingest/http/dialects'
import { testWith } from '../../support/needs'
import { withHeldIngest } from '../support/held-process'
import {
  binaryBodies,
  type HostileBody,
  ordinaryLines,
  packedBodies,
  snappyBodies,
  textBodies,
} from '../support/hostile-bodies'

const mebibyte = 2 ** 20
/** The promise is 50 ms for one body. */
const heldMax = 50
const unlimited = { INGEST_LINES_PER_SECOND: '1000000000', INGEST_CPU_MS_PER_SECOND: '0' }

interface Way {
  readonly bodies: readonly HostileBody[]
  readonly bytes: number
  readonly headers?: Readonly<Record<string, string>>
}

const anyText = [...textBodies, ...packedBodies]
const collector = { bodies: textBodies, bytes: 15 * mebibyte }
/** What is sent to each path. A new path needs a row. */
const ways: Readonly<Record<string, Way>> = {
  '/v1/hits': { bodies: anyText, bytes: 15 * mebibyte },
  '/v1/logs': { bodies: [...anyText, ...binaryBodies], bytes: 14 * mebibyte },
  '/v1/logs/firehose': {
    bodies: anyText,
    bytes: 62 * mebibyte,
    headers: { 'x-amz-firehose-request-id': 'request-1' },
  },
  '/v1/logs/cloudflare': { bodies: anyText, bytes: 15 * mebibyte },
  '/v1/logs/vercel': { bodies: anyText, bytes: 15 * mebibyte, headers: { 'x-vercel-signature': 'ab' } },
  '/loki/api/v1/push': { bodies: [...textBodies, ...binaryBodies, ...snappyBodies], bytes: 14 * mebibyte },
  '/visits': { bodies: textBodies.slice(0, 4), bytes: 15 * mebibyte },
  '/services/collector': { bodies: anyText, bytes: 15 * mebibyte },
  '/services/collector/1.0': collector,
  '/services/collector/event': collector,
  '/services/collector/event/1.0': collector,
  '/services/collector/raw': collector,
  '/services/collector/raw/1.0': collector,
  '/services/collector/ack': { bodies: anyText, bytes: 15 * mebibyte },
}

async function longestOf(path: string, bodies: readonly HostileBody[], bytes: number, more = {}) {
  const held: string[] = []
  await withHeldIngest(unlimited, async ({ send, longest }) => {
    for (const body of bodies) {
      const made = body.make(bytes)
      await longest()
      const status = await send(path, body, made, { 'idempotency-key': body.name, ...more })
      const ms = await longest()
      if (status === 500 || status === 429) held.push(`${body.name}: ${status}`)
      else if (ms > heldMax) held.push(`${body.name}: ${ms.toFixed(0)} ms`)
    }
  })
  return held
}

test('every path for batches has hostile bodies', () => {
  expect(Object.keys(ways).sort()).toEqual(batchPaths.toSorted())
})

const worst = [
  'numbers of ten bytes',
  'fixed numbers',
  'records of invalid text',
  'zstd in empty frames',
  'quotes after backslashes',
  'paths of dots',
  'as many hits as a batch may have',
]

test('the bodies that held the loop longest hold it for 50 ms at most', async () => {
  const bodies = [...binaryBodies, ...anyText].filter(({ name }) => worst.includes(name))
  expect(bodies).toHaveLength(worst.length)
  expect(await longestOf('/v1/logs', bodies, 14 * mebibyte)).toEqual([])
}, 60_000)

/** Their hits are accepted, so that they are claimed and written too. */
const accepted = ['a delivery of hits', 'a delivery of hits with ids']

test('an accepted delivery of many hits holds the loop for 50 ms at most', async () => {
  const bodies = textBodies.filter(({ name }) => accepted.includes(name))
  expect(bodies).toHaveLength(accepted.length)
  const way = ways['/v1/logs/firehose']
  expect(await longestOf('/v1/logs/firehose', bodies, 24 * mebibyte, way?.headers)).toEqual([])
}, 60_000)

testWith('a long run')(
  'no body of any path holds the loop for more than 50 ms of its processor time',
  async () => {
    for (const [path, { bodies, bytes, headers }] of Object.entries(ways))
      expect([path, await longestOf(path, bodies, bytes, headers)]).toEqual([path, []])
  },
  1_200_000,
)

const bomb = binaryBodies.find(({ name }) => name === 'numbers of ten bytes') as HostileBody

test('refused bodies pay: after a few of them the sender waits, and other senders do not', async () => {
  await withHeldIngest({}, async ({ send, sendAsNeighbour }) => {
    const made = bomb.make(14 * mebibyte)
    const statuses: number[] = []
    for (let n = 0; n < 33; n++) statuses.push(await send('/v1/logs', bomb, made))
    const first = statuses.indexOf(429)
    expect(statuses.slice(0, 1)).toEqual([400])
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(22)
    expect(await sendAsNeighbour(ordinaryLines(10))).toBe(200)
  })
}, 60_000)

test('a sender of ordinary lines never waits, however fast it sends', async () => {
  await withHeldIngest({ INGEST_LINES_PER_SECOND: '1000000000' }, async ({ sendAsNeighbour }) => {
    for (let n = 0; n < 60; n++) expect(await sendAsNeighbour(ordinaryLines(5_000))).toBe(200)
  })
}, 60_000)

/** What the loop did at most between two turns while a neighbour sent its ordinary batches. */
test('a neighbour’s loop is held at most three times as long as without the worst of another sender', async () => {
  await withHeldIngest(unlimited, async ({ send, sendAsNeighbour, longest }) => {
    const stretches = async (until: () => boolean) => {
      const held: number[] = []
      do {
        await longest()
        expect(await sendAsNeighbour(ordinaryLines(1_000))).toBe(200)
        held.push(await longest())
      } while (!until())
      return held.sort((a, b) => a - b).at(Math.floor(held.length * 0.99)) ?? 0
    }
    let rounds = 0
    await stretches(() => ++rounds >= 20)
    rounds = 0
    const quiet = await stretches(() => ++rounds >= 60)
    let left = 0
    for (const body of [...binaryBodies, ...anyText].filter(({ name }) => worst.includes(name))) {
      const made = body.make(14 * mebibyte)
      left += 1
      void send('/v1/logs', body, made)
        .then(() => send('/v1/logs', body, made))
        .finally(() => left--)
    }
    const loud = await stretches(() => left === 0)
    // A slice of any body may take 10 ms, an ordinary one's too.
    expect(loud).toBeLessThanOrEqual(3 * Math.max(quiet, 10))
  })
}, 120_000)
