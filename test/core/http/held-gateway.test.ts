import { expect, test } from 'bun:test'
import { withHeldGateway } from '../../support/held-gateway-process'
import { hostileRequests } from '../../support/hostile-requests'

/** The promise is 50 ms for one request. */
const heldMax = 50

test('no request of any door of the gateway holds the loop for more than 50 ms of its processor time', async () => {
  await withHeldGateway(async (held) => {
    const over: string[] = []
    for (const { name, path, init } of hostileRequests(held)) {
      await held.longest()
      const status = await held.send(path, init)
      const ms = await held.longest()
      if (process.env.SHOW) console.log(ms.toFixed(1), status, name)
      if (status >= 500) over.push(`${name}: ${status}`)
      if (ms > heldMax) over.push(`${name}: ${ms.toFixed(0)} ms`)
    }
    expect(over).toEqual([])
  })
}, 120_000)
