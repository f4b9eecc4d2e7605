import { describe, expect, test } from 'bun:test'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { Review } from '../../../plugins/reviews/records/Review'
import { isOfRow, type OddAnswer, oddAnswers, unstorableTexts } from '../../support/odd-texts'
import { platformWorld } from './support/platform-world'

const count = 3
const isLong = process.env.RENOWN_LONG !== undefined
/** Addresses whose answers are no reviews: a token. */
const isToken = (request: Request) => new URL(request.url).pathname.endsWith('/token')

interface Change {
  /** The number of the answer, and its new body. */
  readonly nth: number
  readonly body: unknown
}

/** Reads a location whose platform sends one answer with an odd text. Returns what is stored then. */
async function synced(platform: 'google' | 'facebook' | 'places' | 'dataforseo', change: Change | null) {
  const bodies: string[] = []
  const world = await platformWorld({
    platform,
    liar: {
      async answer(request: Request, honest: () => Promise<Response>) {
        const answer = await honest()
        if (isToken(request)) return answer
        bodies.push(await answer.clone().text())
        return change?.nth === bodies.length ? Response.json(change.body) : answer
      },
    } as never,
  })
  try {
    const at = world.bench.now.getTime() - 86_400_000
    for (let n = 0; n < count; n++) {
      const review = {
        id: `r${n}`,
        stars: 5,
        text: `Lovely ${n}`,
        author: `Ann ${n}`,
        created: at - n,
        updated: at - n,
      }
      const reply = { text: `Thanks ${n}`, at }
      const said = { ...review, reply }
      for (const held of [world.google.reviews, world.facebook.reviews]) held.set(said.id, { ...said })
    }
    let fault: unknown
    for (let attempt = 1; attempt <= 4; attempt++) {
      fault = await world.again(attempt).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (fault === undefined) break
      world.later(3_600_000)
    }
    const rows = await world.owner.rows(Review).list()
    const [status] = await world.owner.rows(SyncStatus).list()
    const verified = await world.bench.command('review verify', {})
    return { bodies, rows, status, fault, isSound: String(verified.sound) }
  } finally {
    await world.bench.stop()
  }
}

describe.each(['google', 'facebook', 'places', 'dataforseo'] as const)(
  'one odd character at %s',
  (platform) => {
    test('stops no location: every sound review is stored, and the odd one too or it is named', async () => {
      const honest = await synced(platform, null)
      expect([honest.rows.length, honest.fault]).toEqual([count, undefined])
      let turn = 0
      for (const [index, body] of honest.bodies.entries()) {
        for (const odd of oddAnswers(JSON.parse(body))) {
          if (!isLong && turn++ % 5 !== 0) continue
          await check(odd, index + 1)
        }
      }
    }, 120_000)

    async function check(odd: OddAnswer, nth: number) {
      const where = `${nth} ${odd.name}`
      const { rows, status, fault, isSound } = await synced(platform, { nth, body: odd.body })
      if (fault !== undefined && !isOfRow(odd, count)) return
      expect([where, fault]).toEqual([where, undefined])
      expect([where, unstorableTexts(rows)]).toEqual([where, []])
      const isNamed = status?.status === 'partial' && /unread/.test(status.error ?? '')
      expect([where, rows.length === count || (isNamed && rows.length === count - 1)]).toEqual([where, true])
      expect([where, isSound]).toEqual([where, 'true'])
    }
  },
)
