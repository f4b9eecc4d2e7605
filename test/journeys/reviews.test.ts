import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningProduct, startProduct } from '../support/product'
import { refreshToken } from '../support/stand-ins/google-profiles'
import { type Services, startServices } from '../support/stand-ins/services'
import { waitFor } from '../support/wait-for'

const day = 86_400_000

describe('at the command line an owner connects Google by a token, and from then on', () => {
  let product: RunningProduct
  let services: Services
  let location: string
  beforeAll(async () => {
    services = startServices({ now: Date.now })
    services.profiles.locations.set('accounts/111', [{ name: 'locations/222', title: 'Harbour Bakery' }])
    for (const id of ['r1', 'r2', 'r3']) write(id, Date.now() - 30 * day)
    const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', ...services.settings }
    product = await startProduct({ env })
  }, 90_000)
  afterAll(async () => {
    await product?.[Symbol.asyncDispose]()
    await services?.stop()
  })

  const write = (id: string, at: number) =>
    services.google.reviews.set(id, {
      id,
      stars: 5,
      text: `The bread was very good and we were happy, ${id}`,
      author: 'Jo',
      created: at,
      updated: at,
    })
  const renown = async (...words: string[]) => {
    const { code, stdout, stderr } = await product.renown(...words, '--json')
    if (stdout === '') throw new Error(`${words.join(' ')}: ${stderr}`)
    return { code, answer: JSON.parse(stdout) }
  }
  /** Puts the token in again, which is also how an owner has everything read that the account holds. */
  const connect = () => {
    const file = join(product.dataDir, 'token.txt')
    writeFileSync(file, `${refreshToken}\n`)
    const { workspace_id } = product.facts
    const account = ['--provider', 'google', '--account-id', 'accounts/111', '--workspace-id', workspace_id]
    return renown('connection', 'add', ...account, '--token-file', file)
  }
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${product.facts.agent_key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${product.facts.api_url}/api/${path}`, { ...init, headers })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  type Rows = Record<string, unknown>[]
  const reviews = async () => (await ask('entities/Review')).body as Rows
  const until = (what: string, holds: (rows: Rows) => boolean) => {
    const found = async () => {
      const rows = await reviews()
      return holds(rows) ? rows : null
    }
    return waitFor(found, { what, timeoutMs: 40_000, everyMs: 300 })
  }
  const ids = (rows: Rows) => rows.map(({ source_id }) => String(source_id)).sort()

  test('finds the reviews of what was imported', async () => {
    const { answer } = await connect()
    const imported = await renown('connection', 'location', 'import', answer.connection_id, 'locations/222')
    location = imported.answer.locations[0].location_id
    const rows = await until('the first reviews', ({ length }) => length === 3)
    expect(ids(rows)).toEqual(['r1', 'r2', 'r3'])
  }, 90_000)

  test('lists no review that Google no longer has, and sends one reply to a new one', async () => {
    const rules = ['--delay-min-minutes', '0', '--delay-max-minutes', '0', '--allow-templates']
    await renown('auto-response', 'set', product.facts.agency_id, ...rules)
    await renown('location', 'update', location, '--auto-response', 'on')
    services.google.reviews.delete('r2')
    write('r4', Date.now())
    await connect()
    const answered = ({ auto_response_status }: Record<string, unknown>) => auto_response_status === 'sent'
    const rows = await until('the reply', (all) => all.some(answered) && !ids(all).includes('r2'))
    expect(ids(rows)).toEqual(['r1', 'r3', 'r4'])
    expect(services.google.replies).toEqual([{ review: 'r4', text: String(rows.find(answered)?.reply_text) }])
    const analytics = await ask('functions/getReviewAnalytics', {
      method: 'POST',
      body: JSON.stringify({ days: 60 }),
    })
    expect(analytics.body).toMatchObject({
      totals: { reviews: 3, average_rating: 5, response_rate: { k: 1, n: 3 } },
    })
    const { answer } = await renown('review', 'explain', location)
    expect(answer.sources).toMatchObject([{ source_shows: 3, we_list: 3, removed_at_source: 1 }])
    expect(services.google.complaints).toEqual([])
  }, 90_000)

  test('can prove it, until somebody writes into the store', async () => {
    expect(await renown('review', 'verify')).toMatchObject({ code: 0, answer: { sound: true } })
    const store = new Database(join(product.dataDir, 'documents.sqlite'))
    store.run(`UPDATE "Review" SET doc = json_set(doc, '$.review_text', 'Awful') WHERE source_id = 'r3'`)
    store.close()
    const { code, answer } = await renown('review', 'verify')
    expect([code, answer.chains[0].strays]).toEqual([1, ['r3: the row says something else']])
  }, 90_000)

  test('nothing of it can be done with the key of an agent', async () => {
    const body = JSON.stringify({ auto_response_enabled: false })
    for (const [path, method] of [
      [`entities/BusinessLocation/${location}`, 'PATCH'],
      ['functions/auto-response set', 'POST'],
      ['functions/send-reply', 'POST'],
      ['functions/sync-reviews', 'POST'],
    ] as const)
      expect((await ask(path, { method, body })).status).toBe(403)
  }, 90_000)
})
