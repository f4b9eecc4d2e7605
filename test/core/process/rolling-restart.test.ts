import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drainMs, type Listener, openListener } from '../../../core/process/listeners'
import { startBalancer } from '../../support/haproxy'
import { testWith } from '../../support/needs'
import { passTime, waitFor } from '../../support/wait-for'

const operating = readFileSync(join(import.meta.dir, '../../../docs/operators/monitoring.md'), 'utf8')
const backend = /```\n# HAProxy\n([\s\S]*?)```/.exec(operating)?.[1] ?? ''

/** A port that answers as a gateway does, each request after a few milliseconds. */
function serving(port: number): Listener {
  const listener = openListener('PORT', '127.0.0.1', port)
  listener.open(async () => {
    await passTime(5)
    return new Response('ok')
  })
  return listener
}

testWith('haproxy')(
  'a rolling restart of two gateways behind HAProxy, set up as the docs say, fails no request',
  async () => {
    expect(backend).toContain('backend renown_gateway')
    const gateways = [serving(0), serving(0)]
    const ports = gateways.map(({ port }) => port)
    const balancer = await startBalancer(ports, backend)
    const statuses: (number | string)[] = []
    let isOver = false
    const client = async () => {
      while (!isOver) {
        statuses.push(
          await fetch(balancer.url, { method: 'POST', body: 'x' }).then(
            async (response) => ((await response.text()) === 'ok' ? 200 : response.status),
            (error) => String(error),
          ),
        )
      }
    }
    const clients = Array.from({ length: 8 }, client)
    try {
      for (const place of [0, 1, 0, 1]) {
        const before = statuses.length
        await waitFor(() => statuses.length > before + 50, { what: 'the load' })
        await gateways[place]?.close(1_000, drainMs)
        await passTime(200)
        gateways[place] = serving(ports[place] ?? 0)
        // Until the balancer uses it again.
        await passTime(1_200)
      }
    } finally {
      isOver = true
      await Promise.all(clients)
      await balancer.stop()
      await Promise.all(gateways.map((one) => one.close(100)))
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(statuses.length).toBeGreaterThan(400)
  },
  60_000,
)
