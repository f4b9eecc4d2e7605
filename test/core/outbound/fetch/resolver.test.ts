import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import type { Dns } from '../../../../core/contracts/outbound'
import { createResolver } from '../../../../core/outbound/fetch/resolver'
import { startDnsServer } from '../../../support/dns-server'

const full = 'x'.repeat(255)
let dns: Awaited<ReturnType<typeof startDnsServer>>
let resolver: Dns
/** Gives up early, for servers that never answer. */
let impatient: Dns
beforeAll(async () => {
  dns = await startDnsServer({
    'both.example': { A: ['93.184.216.34', '93.184.216.35'], AAAA: ['2606:2800:220:1:248:1893:25c8:1946'] },
    'four.example': { A: ['93.184.216.34'] },
    '_renown.four.example': { TXT: ['renown-verification=abc', full, ''] },
    'broken.example': 'failing',
    'silent.example': 'silent',
  })
  resolver = createResolver({ servers: [dns.server], timeoutMs: 20_000 })
  impatient = createResolver({ servers: [dns.server], timeoutMs: 700 })
})
afterAll(() => dns.stop())

test('every address of a name is found', async () => {
  const found = await resolver.addresses('both.example')
  expect(found.sort()).toEqual(['2606:2800:220:1:248:1893:25c8:1946', '93.184.216.34', '93.184.216.35'])
  expect(await resolver.addresses('four.example')).toEqual(['93.184.216.34'])
})

test('texts of up to 255 bytes come whole', async () => {
  expect((await resolver.txt('_renown.four.example')).sort()).toEqual(['', 'renown-verification=abc', full])
})

test('what does not exist is empty, what could not be asked is a fault', async () => {
  expect(await resolver.addresses('nowhere.example')).toEqual([])
  expect(await resolver.txt('nowhere.example')).toEqual([])
  expect(await resolver.txt('four.example')).toEqual([])
  const fault = { name: 'ServiceFault', code: 'unresolvable' }
  for (const [name, asked] of [
    ['broken.example', resolver],
    ['silent.example', impatient],
  ] as const) {
    await expect(asked.txt(name)).rejects.toMatchObject(fault)
    await expect(asked.addresses(name)).rejects.toMatchObject(fault)
  }
})

test('a server that never answers is waited for five seconds', async () => {
  const waited: unknown[] = []
  const real = globalThis.setTimeout
  const timer = spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    waited.push(ms)
    return real(run, 1)
  }) as typeof setTimeout)
  try {
    const asked = createResolver({ servers: [dns.server] }).txt('silent.example')
    await expect(asked).rejects.toMatchObject({
      code: 'unresolvable',
      message: 'The DNS did not answer in time.',
    })
  } finally {
    timer.mockRestore()
  }
  expect(waited).toEqual([5_000])
})
