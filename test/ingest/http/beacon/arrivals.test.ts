import { expect, test } from 'bun:test'
import { type BeaconDeps, countArrival } from '../../../../ingest/http/beacon/beacon'
import { createBeaconHandler } from '../../../../ingest/http/beacon/beacon-handler'
import { JournalRefusal } from '../../../../ingest/journal/journal'
import { releaseAgents } from '../../../../ingest/judge/agent-index'
import { browser, site } from '../../support/ingest'
import { silentLog } from '../../support/journal'

const headers = new Headers({ origin: 'https://example.com', 'user-agent': browser })
const depsWith = (append: BeaconDeps['journal']['append']) =>
  ({
    journal: { append, refusal: () => null },
    dayOf: () => '2026-11-20',
    paths: { admit: (_: string, __: string, path: string) => path },
    agents: { current: releaseAgents },
    metrics: { visit() {} },
    signals: {},
    now: () => new Date(0),
    log: silentLog,
  }) as unknown as BeaconDeps

/** The assistant and the path that a visit is counted under, or null where it is not counted. */
async function counted(body: string): Promise<string | null> {
  const hits: { agent: string; path: string }[] = []
  const deps = depsWith((async (batch: { hits: typeof hits }) => void hits.push(...batch.hits)) as never)
  await countArrival(deps, site, headers, body)
  return hits.map(({ agent, path }) => `${agent} ${path}`)[0] ?? null
}

const arrivals = {
  ',https://chatgpt.com/,/b': 'chatgpt.com /b',
  ',https://chatgpt.com:,/b': 'chatgpt.com /b',
  ',//chatgpt:,/b': 'chatgpt.com /b',
  ',HTTPS://chatgpt.com/,/b': 'chatgpt.com /b',
  [`${'a'.repeat(65)},https://chatgpt.com/,/b`]: null,
  'a b,https://chatgpt.com/,/b': null,
  '<x>,https://chatgpt.com/,/b': null,
  ',https://chatgpt.com/b': null,
  ',https://chatgpt.comx/b': null,
  ',https://chatgpt.comxx/b': null,
  ',https://chatgpt.comx': null,
  ',https://:,/b': null,
  ',chatgpt.com/,//b': null,
  ',x://chatgpt.com/,/b': null,
  ',://chatgpt.com/,/b': null,
  [`,${'a'.repeat(64)}://chatgpt.com/,/b`]: null,
  [`,${'a'.repeat(65)}://chatgpt.com/,/b`]: null,
}
for (const [body, as] of Object.entries(arrivals)) {
  test(`${body} is ${as ? `a visit: ${as}` : 'no visit'}`, async () => expect(await counted(body)).toBe(as))
}

test('a body without a comma is no visit, whatever follows the host', async () => {
  for (let more = 0; more < 16; more++)
    expect([more, await counted(`https://chatgpt.com/${'x'.repeat(more)}`)]).toEqual([more, null])
})

test('a test visit is noted where its match is one, and only there', async () => {
  const noted: string[] = []
  const signals = {
    testVisit: (_: string, check: string, path: string) => void noted.push(`${check} ${path}`),
  }
  const deps = { ...depsWith(async () => {}), signals } as unknown as BeaconDeps
  const most = 'a'.repeat(64)
  const tooMany = 'a'.repeat(65)
  const matches = ['x://h/', `${most}://h/`, 'https://h:', '//h:', '//h/']
  for (const [n, match] of matches.entries()) await countArrival(deps, site, headers, `n${n},${match},/a`)
  expect(noted.splice(0)).toEqual(matches.map((_, n) => `n${n} /a`))
  for (const match of ['://h/', `${tooMany}://h/`, 'https://:', '//:', 'https://h', 'h/']) {
    await countArrival(deps, site, headers, `n,${match},/a`)
    await countArrival(deps, site, headers, `n,${match}`)
  }
  expect(noted).toEqual([])
  for (const check of [most, tooMany, 'a-_9', 'a b', '<x>', 'a.b'])
    await countArrival(deps, site, headers, `${check},//h/,/a`)
  expect(noted).toEqual([`${most} /a`, 'a-_9 /a'])
})

test('a journal that refuses is told to the sender, and any other fault is not taken for that', async () => {
  const answerTo = (fault: Error) => {
    const sites = { byKey: () => ({ ...site, is_active: true }) }
    const deps = {
      ...depsWith(() => Promise.reject(fault)),
      sites,
      settings: { INGEST_BEACONS_PER_SECOND: 10 },
    }
    const refuse = (_: unknown, { code, detail }: { code: string; detail: string }) =>
      new Response(`${code}: ${detail}`)
    const body = ',https://chatgpt.com/,/b'
    return createBeaconHandler(deps as never, refuse)(
      new Request('http://localhost/s/key1', { method: 'POST', headers, body }),
      'key1',
    )
  }
  expect(await (await answerTo(new JournalRefusal('it is full'))).text()).toBe(
    'unavailable: Visits cannot be counted now: it is full.',
  )
  await expect(answerTo(new TypeError('a mistake'))).rejects.toThrow('a mistake')
})
