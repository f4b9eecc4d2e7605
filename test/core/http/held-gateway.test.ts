import { expect } from 'bun:test'
import { costlyRequests } from '../../support/costly-requests'
import { type HeldGateway, withHeldGateway } from '../../support/held-gateway-process'
import { testWith } from '../../support/needs'

/** The promise is 50 ms for one request. */
const heldMax = 50

/**
 * Sends an ordinary message of one post. The first post that matches loads what judges posts, which takes about 200 ms once in the
 * life of a process, whatever the post is.
 */
const sendOrdinary = async ({ send, inbound }: HeldGateway) => {
  const body = JSON.stringify([
    { id: 'one', url: 'https://x.example/one', content_html: 'northgate came at once' },
  ])
  const headers = { 'content-type': 'application/json' }
  expect(await send(inbound, { method: 'POST', headers, body })).toBe(202)
}

// The margin is thin on a busy machine, so it is judged in the long run.
testWith('a long run')(
  'no request of any door of the gateway holds the loop for more than 50 ms of its processor time',
  async () => {
    await withHeldGateway(async (held) => {
      await sendOrdinary(held)
      const over: string[] = []
      for (const { name, path, init } of costlyRequests(held)) {
        await held.longest()
        const status = await held.send(path, init)
        const ms = await held.longest()
        if (status >= 500) over.push(`${name}: ${status}`)
        if (ms > heldMax) over.push(`${name}: ${ms.toFixed(0)} ms`)
      }
      expect(over).toEqual([])
    })
  },
  120_000,
)

testWith('a long run')(
  'a neighbour’s loop is held at most three times as long as alone, while another sender does its worst at every door',
  async () => {
    await withHeldGateway(async (held) => {
      const { quiet, longest, send } = held
      const list = {
        headers: { authorization: `Bearer ${quiet.key}`, 'x-workspace-id': quiet.workspaceId },
      }
      /** The stretch of the loop that 99 of 100 requests of the neighbour do not meet. */
      const stretches = async (until: () => boolean) => {
        const each: number[] = []
        do {
          await longest()
          const status = await send(`/api/entities/Note?limit=500&skip=${each.length % 1_000}`, list)
          each.push(await longest())
          expect([200, 429]).toContain(status)
        } while (!until())
        return each.sort((a, b) => a - b).at(Math.floor(each.length * 0.99)) ?? 0
      }
      await sendOrdinary(held)
      let rounds = 0
      await stretches(() => ++rounds >= 20)
      rounds = 0
      const alone = await stretches(() => ++rounds >= 60)
      const requests = costlyRequests(held)
      let left = requests.length
      const worst = async () => {
        for (const { path, init } of requests) {
          await send(path, init)
          left--
        }
      }
      const [beside] = await Promise.all([stretches(() => left === 0), worst()])
      console.log(
        `a neighbour of the gateway: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside the worst`,
      )
      // A slice of any body may take 10 ms, an ordinary one's too.
      expect(beside).toBeLessThanOrEqual(3 * Math.max(alone, 10))
    })
  },
  240_000,
)
