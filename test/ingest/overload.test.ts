import { describe, expect, test } from 'bun:test'
import { sha256 } from '../../ingest/sites/sites'
import { record, site, type TestIngest, withIngest } from './support/ingest'
import { readJournal } from './support/journal'

const perSecond = 1_000
const env = { INGEST_LINES_PER_SECOND: `${perSecond}`, INGEST_LINES_MAX: `${perSecond}` }
const quietToken = 'rnw_fwd_of-the-quiet-site'
const quiet = { ...site, site_id: 'site_2', site_key: 'key2', forwarder_token_hash: sha256(quietToken) }

let serial = 0
const batchOf = (lines: number) =>
  Array.from({ length: lines }, () => JSON.stringify(record({ id: `${serial++}` }))).join('\n')

/** A sender that sends again what was refused, once it was told to wait no longer. */
function senderOf({ send, clock }: TestIngest, headers: Record<string, string> = {}) {
  const waiting: { readonly body: string; at: number }[] = []
  const told = { accepted: 0, refused: 0, unsaid: 0 }
  return {
    told,
    waiting,
    async offer(bodies: number, lines: number) {
      for (let n = 0; n < bodies; n++) waiting.push({ body: batchOf(lines), at: 0 })
      for (const each of waiting.splice(0)) {
        if (each.at > clock.now) {
          waiting.push(each)
          continue
        }
        const { status, body, headers: answered } = await send('/v1/hits', each.body, headers)
        if (status === 200) told.accepted += Number(body.accepted)
        else {
          told.refused++
          const seconds = Number(answered.get('retry-after'))
          if (![429, 503].includes(status) || !(seconds >= 1)) told.unsaid++
          waiting.push({ ...each, at: clock.now + seconds * 1_000 })
        }
      }
    },
  }
}

describe('under too much', () => {
  test('at twice what may come nearly all of that is taken, and each refusal says when to come again', () =>
    withIngest(
      async (tested) => {
        const { ingest, clock, directory } = tested
        const sender = senderOf(tested)
        const seconds = 10
        // The bucket's burst goes first: it is no part of what can be kept up.
        await sender.offer(perSecond / 100, 100)
        const burst = sender.told.accepted
        for (let tenth = 0; tenth < seconds * 10; tenth++) {
          clock.now += 100
          await sender.offer((2 * perSecond) / 10 / 50, 50)
        }
        const { accepted, refused, unsaid } = sender.told
        expect((accepted - burst) / (perSecond * seconds)).toBeGreaterThan(0.95)
        expect((accepted - burst) / (perSecond * seconds)).toBeLessThan(1.1)
        expect(refused).toBeGreaterThan(100)
        expect(unsaid).toBe(0)
        await ingest.flush()
        expect((await readJournal(directory)).hits).toHaveLength(accepted)
      },
      { env },
    ))

  test('a noisy site is told to wait, and a quiet one beside it never is', () =>
    withIngest(
      async (tested) => {
        const noisy = senderOf(tested)
        const other = senderOf(tested, { authorization: `Bearer ${quietToken}` })
        for (let tenth = 0; tenth < 20; tenth++) {
          tested.clock.now += 100
          await noisy.offer(20, 100)
          await other.offer(1, 20)
        }
        expect(noisy.told.refused).toBeGreaterThan(10)
        expect(other.told).toEqual({ accepted: 400, refused: 0, unsaid: 0 })
      },
      { env, sites: { sites: [site, quiet] } },
    ))

  test('with a disk that is nearly full, hits and visits are sent away for later', () =>
    withIngest(
      async ({ send, ingest }) => {
        expect(await ingest.health()).toMatchObject({ ok: false, reason: 'the disk is nearly full' })
        for (const [path, body] of [
          ['/v1/hits', batchOf(1)],
          ['/s/key1', ',https://claude.ai/,/b'],
        ] as const) {
          const { status, headers } = await send(path, body, { origin: 'https://example.com' })
          expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5'])
        }
      },
      { env: { DISK_FREE_BYTES_MIN: String(2 ** 52) } },
    ))
})
