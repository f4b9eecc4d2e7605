import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cleanLook } from '../plugins/reviews/support/looks'
import { unmarked } from '../support/mcp'
import { type RunningProduct, startProduct } from '../support/product'
import { createDataforseo, dataforseoLogin } from '../support/stand-ins/dataforseo'
import { appSecret, createFacebook, pageToken } from '../support/stand-ins/facebook'
import { createGoogle } from '../support/stand-ins/google'
import { createPlaces, placesKey } from '../support/stand-ins/places'
import { waitFor } from '../support/wait-for'

const now = () => Date.now()
const google = createGoogle({ now })
const facebook = createFacebook({ now })
const places = createPlaces(google.reviews)
const dataforseo = createDataforseo(google.reviews)
/** A model that answers whatever it is asked for by the name of its schema. */
const model = {
  async fetch(request: Request) {
    const { response_format } = (await request.json()) as {
      response_format: { json_schema: { name: string } }
    }
    const said = answers[response_format.json_schema.name as keyof typeof answers]
    return Response.json({ choices: [{ message: { content: JSON.stringify(said ?? {}) } }] })
  },
}
const answers = {
  review_reply: { reply: 'Thank you.', needs_person: false },
  review_reply_check: cleanLook,
  review_analysis: {
    language: 'en',
    sentiment: 'positive',
    sentiment_score: 0.9,
    emotion: 'joy',
    topics: ['location'],
    is_urgent: false,
  },
}
const standIns = { google, facebook, places, dataforseo, model }

/** Every platform on one port, each below its own word. */
const served = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, search } = new URL(request.url)
    const [, word = '', ...rest] = pathname.split('/')
    const standIn = standIns[word as keyof typeof standIns]
    if (!standIn) return new Response(null, { status: 404 })
    return standIn.fetch(new Request(`http://${word}.test/${rest.join('/')}${search}`, request))
  },
})
const at = (word: keyof typeof standIns, path = '') => `${served.url.href}${word}${path}`

/** What an operator sets, and nothing else. */
const settings = {
  GOOGLE_CLIENT_ID: 'client',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_REVIEWS_URL: at('google', '/v4'),
  GOOGLE_TOKEN_URL: at('google', '/token'),
  FACEBOOK_GRAPH_URL: at('facebook'),
  FACEBOOK_APP_SECRET: appSecret,
  PLACES_URL: at('places', '/v1'),
  PLACES_API_KEY: placesKey,
  DATAFORSEO_URL: at('dataforseo'),
  DATAFORSEO_LOGIN: dataforseoLogin.login,
  DATAFORSEO_PASSWORD: dataforseoLogin.password,
  LLM_BASE_URL: at('model', '/v1'),
  LLM_MODEL: 'small',
}

let product: RunningProduct
const ids = { google: '', facebook: '', places: '', dataforseo: '' }

beforeAll(async () => {
  const written = Math.floor(now() / 1_000) * 1_000 - 3_600_000
  for (let n = 0; n < 60; n++) {
    const said = { text: `Lovely place ${n}`, author: `Ann ${n}`, created: written, updated: written }
    google.reviews.set(`g${n}`, { id: `g${n}`, stars: n === 0 ? 1 : 5, ...said })
    facebook.reviews.set(`777_${n}`, { id: `777_${n}`, stars: 5, ...said })
  }
  product = await startProduct({ env: { ...settings, LIMIT_READS_PER_MINUTE: '100000' } })
  const { agency_id, workspace_id } = product.facts
  const token = async (text: string) => {
    const path = join(product.dataDir, '..', `${text.length}.txt`)
    await Bun.write(path, text)
    return path
  }
  const connect = async (provider: string, account: string, file: string) =>
    renown(
      'connection',
      'add',
      '--provider',
      provider,
      '--account-id',
      account,
      '--workspace-id',
      workspace_id,
      '--token-file',
      file,
    )
  await renown('agency', 'capacity', 'set', agency_id, '--none')
  await connect('google', 'accounts/111', await token('1//refresh'))
  await connect('facebook', '777', await token(pageToken))
  const add = async (...words: string[]) =>
    (await renown('location', 'create', 'Acme', '--workspace-id', workspace_id, ...words))
      .location_id as string
  ids.google = await add('--google-account-id', 'accounts/111', '--google-location-id', 'locations/222')
  ids.facebook = await add('--facebook-page-id', '777')
  ids.places = await add('--google-place-id', 'ChIJx')
  ids.dataforseo = await add('--added-via', 'dfs_keyword', '--country', 'GB', '--city', 'Leeds')
}, 120_000)
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  await served.stop(true)
})

async function renown(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await product.renown(...words, '--json')
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}
async function rest(path: string, body?: object) {
  const answer = await fetch(new URL(`/api/${path}`, product.facts.api_url), {
    headers: {
      authorization: `Bearer ${product.facts.agent_key}`,
      'content-type': 'application/json',
      'x-workspace-id': product.facts.workspace_id,
    },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  return (await answer.json()) as Record<string, unknown> & { id: string }[]
}
async function tool(name: string, args: object) {
  const answer = await fetch(new URL('/api/mcp?structured=1', product.facts.api_url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${product.facts.agent_key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      'x-workspace-id': product.facts.workspace_id,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const said = await answer.text()
  const json = said.startsWith('{') ? said : (/^data: (.*)$/m.exec(said)?.[1] ?? '{}')
  const { result } = JSON.parse(json) as { result: { structuredContent: Record<string, unknown> } }
  return unmarked(result.structuredContent)
}
const reviewsOf = async (location_id: string) =>
  rest(`entities/Review?limit=1000&q=${encodeURIComponent(JSON.stringify({ location_id }))}`)

describe('Settings alone', () => {
  test.each([
    ['google', 60],
    ['facebook', 60],
    ['places', 5],
  ] as const)(
    'make the reviews of %s come by themselves',
    async (platform, count) => {
      await waitFor(async () => ((await reviewsOf(ids[platform])).length === count ? true : null), {
        what: `${count} reviews of ${platform}`,
        timeoutMs: 60_000,
      })
      const q = encodeURIComponent(JSON.stringify({ location_id: ids[platform], kind: 'reviews' }))
      const ended = await waitFor(
        async () => {
          const [status] = await rest(`entities/SyncStatus?q=${q}`)
          return (status as unknown as { status: string })?.status === 'succeeded' ? status : null
        },
        { what: 'its sync to end', timeoutMs: 30_000 },
      )
      expect(ended).toMatchObject({ kind: 'reviews', source: platform, complete: platform !== 'places' })
    },
    120_000,
  )

  test('order from DataForSEO once, and wait', async () => {
    await waitFor(async () => (dataforseo.orders.length > 0 ? true : null), {
      what: 'an order',
      timeoutMs: 60_000,
    })
    expect(dataforseo.orders).toMatchObject([{ tag: ids.dataforseo, location_code: 2_826 }])
  }, 90_000)

  test('have every review judged by the language model', async () => {
    const unjudged = { location_id: Object.values(ids), analysis_method: { $ne: 'llm:small' } }
    const path = `entities/Review?q=${encodeURIComponent(JSON.stringify(unjudged))}`
    await waitFor(async () => ((await rest(path)).length === 0 ? true : null), {
      what: 'every review to be judged',
      timeoutMs: 60_000,
    })
  }, 90_000)

  test('ask nothing in a way that a platform would complain of', () => {
    const complaints = [google, facebook, places, dataforseo].flatMap((one) => one.complaints)
    // The profile of a place is asked for too, by another part.
    expect(complaints.filter((text) => !text.includes('editorialSummary'))).toEqual([])
  })
})

describe('What was read is answered the same over REST and MCP:', () => {
  const timeless = (answer: object) =>
    JSON.parse(JSON.stringify(answer, (key, value) => (key === 'checked_at' ? '' : value)))
  // Over MCP a list without a limit is cut to a short answer.
  test.each([
    ['getReputationSummary', {}, ['score', 'reviews', 'waiting', 'mentions', 'locations', 'locations_total']],
    ['getReviewAnalytics', {}, ['totals', 'previous', 'change', 'by_rating', 'by_source', 'trend', 'topics']],
    [
      'listReviewsNeedingResponse',
      { limit: 20 },
      ['reviews', 'total', 'by_priority', 'oldest_created_at', 'has_more'],
    ],
    ['getActiveSyncs', {}, ['syncs', 'count', 'checked_at']],
  ] as const)('%s', async (name, input, keys) => {
    // Compared where nothing was read in between.
    const { over, mcp } = await waitFor(
      async () => {
        const over = await rest(`functions/${name}`, input)
        const mcp = await tool(name, input)
        const later = await rest(`functions/${name}`, input)
        return Bun.deepEquals(timeless(over), timeless(later)) && { over, mcp }
      },
      { what: 'two equal answers', timeoutMs: 20_000 },
    )
    expect(Object.keys(over)).toEqual(expect.arrayContaining([...keys]))
    expect(timeless(mcp)).toEqual(timeless(over))
  })

  test('generateReviewReply, which saves its draft', async () => {
    const [first] = await reviewsOf(ids.google)
    const review_id = first?.id ?? ''
    const over = await rest('functions/generateReviewReply', { review_id, tone: 'concise' })
    expect(over).toMatchObject({
      review_id,
      suggested_response: 'Thank you.',
      tone: 'concise',
      generator: 'llm:small',
      replaced_previous: false,
      warnings: [],
    })
    const mcp = await tool('generateReviewReply', { review_id, tone: 'concise' })
    expect(mcp).toMatchObject({ suggested_response: 'Thank you.', replaced_previous: true })
    expect(await rest(`entities/Review/${review_id}`)).toMatchObject({ ai_suggested_response: 'Thank you.' })
    expect([google.replies, facebook.replies]).toEqual([[], []])
  })
})

test('The ledger answers from the command line', async () => {
  const explained = await renown('review', 'explain', ids.google)
  expect(explained.sources).toMatchObject([{ source_shows: 60, we_list: 60, difference: 0 }])
  expect(explained.differences).toEqual([])
  expect(await renown('review', 'verify')).toMatchObject({ sound: true })
  // A head that no chain holds is bad news, which a script hears by the code.
  const { code, stdout } = await product.renown('review', 'verify', '--head', 'f'.repeat(64), '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { sound: false, holds_head: false }])
})
