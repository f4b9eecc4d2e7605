import { expect, test } from 'bun:test'
import { where } from '../../../core/contracts/where'
import { Review } from '../../../plugins/reviews/records/Review'
import { platformWorld } from './support/platform-world'

const llm = { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' }

test.each([
  ['google', 'google', 80],
  ['facebook', 'facebook', 80],
  ['places', 'google', 5],
  ['dataforseo', 'google', 80],
] as const)('Reviews from %s come over real connections', async (platform, held, shown) => {
  let paths = 0
  const server = {
    url: new URL('http://127.0.0.1'),
    handle: async (_: Request): Promise<Response> => new Response(null, { status: 500 }),
  }
  const served = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      paths++
      return server.handle(request)
    },
  })
  server.url = served.url
  const world = await platformWorld({ platform, server, settings: llm })
  const at = Math.floor(world.bench.now.getTime() / 1_000) * 1_000
  for (let n = 0; n < 80; n++) {
    const id = `777_${n}`
    const said = { stars: 5, text: `Great place ${n}`, author: `Ann ${n}`, created: at, updated: at }
    world[held].reviews.set(id, { id, ...said })
  }
  if (platform === 'dataforseo') await expect(world.again(1)).rejects.toMatchObject({ code: 'not_ready' })
  await world.again(2)
  const rows = await world.owner.rows(Review).list({ where: where.eq('source', held) })
  expect(rows).toHaveLength(shown)
  expect(paths).toBeGreaterThan(0)
  const { google, facebook, places, dataforseo } = world
  expect([google, facebook, places, dataforseo].flatMap(({ complaints }) => complaints)).toEqual([])
  const [first] = rows
  world.model.answers.push({
    language: 'en',
    sentiment: 'positive',
    sentiment_score: 1,
    emotion: 'joy',
    topics: [],
    is_urgent: false,
  })
  await world.analyse(first?.id ?? '')
  expect((await world.owner.rows(Review).get(first?.id ?? ''))?.analysis_method).toBe('llm:small')
  await world.bench.stop()
  await served.stop(true)
})
