import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyEntity } from 'renown'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite/index'
import { type Gate, startGate } from '../../support/harness'
import { type App, connectApp, type TokenBody } from '../../support/oauth-app'
import { quietLog } from '../../support/quiet-log'

/**
 * How long a wrong secret takes can tell nothing of the right one where nothing is done with it but to hash it and look for the hash.
 * A stopwatch would be at the mercy of the machine: what is done is compared instead.
 */
let gate: Gate
let store: Documents
let app: App
let tokens: TokenBody
const asked: string[] = []
beforeAll(async () => {
  store = await openSqlite({ path: ':memory:', now: () => new Date(), log: quietLog })
  gate = await startGate({ documents: watched(store) })
  app = await connectApp(gate, { metadata: { token_endpoint_auth_method: 'client_secret_post' } })
  const { code, verifier } = await app.consent()
  const secret = { client_secret: app.client.client_secret ?? '' }
  tokens = (await (await app.exchange(code, verifier, secret)).json()) as TokenBody
})
afterAll(async () => {
  await gate.stop()
  await store.close()
})

/** Writes down every question to the store. */
function watched(documents: Documents): Documents {
  const collection = (entity: AnyEntity) =>
    new Proxy(documents.collection(entity), {
      get(target, verb, self) {
        const found = Reflect.get(target, verb, self)
        if (typeof found !== 'function' || verb === 'version') return found
        return (...given: unknown[]) => {
          asked.push(`${entity.name}.${String(verb)} ${JSON.stringify(given)}`)
          return found.apply(target, given)
        }
      },
    })
  return new Proxy(documents, {
    get: (target, name, self) => (name === 'collection' ? collection : Reflect.get(target, name, self)),
  })
}

const secrets: readonly [name: string, real: () => string, show: (secret: string) => Promise<Response>][] = [
  ['an agent key', () => gate.tenant.key, (key) => gate.ask('/api/surface', { key })],
  ['an access token', () => tokens.access_token, (key) => gate.ask('/api/surface', { key })],
  [
    'a refresh token',
    () => tokens.refresh_token,
    (token) => app.refresh(token, { client_secret: app.client.client_secret ?? '' }),
  ],
  [
    'the secret of an app',
    () => app.client.client_secret ?? '',
    (client_secret) => app.refresh('rnw_rt_none', { client_secret }),
  ],
]

describe.each(secrets)('%s that is wrong', (_, real, show) => {
  /** What the store is asked, with the moment and whatever was hashed taken out. */
  const questions = async (secret: string) => {
    asked.length = 0
    const { status } = await show(secret)
    expect(status).toBeGreaterThanOrEqual(400)
    const texts = asked.map((text) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'))
    return { texts, shapes: texts.map((text) => text.replaceAll(/[0-9a-f]{64}/g, 'H')) }
  }

  test('is asked for by its hash, by the same questions however much of it is right', async () => {
    const first = await questions(like(real(), 0))
    expect(first.texts.length).toBeGreaterThan(0)
    for (const rightCharacters of [0, 1, 20, 39]) {
      const wrong = like(real(), rightCharacters)
      const { texts, shapes } = await questions(wrong)
      expect(shapes).toEqual(first.shapes)
      expect(texts.filter((text) => text.includes(bodyOf(wrong).slice(0, 12)))).toEqual([])
    }
  })

  test('costs no question of its own where its checksum is wrong, however much of it is right', async () => {
    const first = await questions(`${real().slice(0, -46)}${'0'.repeat(46)}`)
    expect(first.texts.filter((text) => /^(AgentKey|OAuthToken|OAuthGrant)\./.test(text))).toEqual([])
    for (const rightCharacters of [1, 20, 45]) {
      const whole = real()
      const last = whole.at(-1) === '0' ? '1' : '0'
      const wrong = `${whole.slice(0, -46 + rightCharacters)}${last.repeat(46 - rightCharacters)}`
      expect((await questions(wrong)).texts).toEqual(first.texts)
    }
  })
})

const prefixOf = (token: string) => token.slice(0, -46)
const bodyOf = (token: string) => token.slice(-46, -6)

/** A token that nobody has, well formed, whose first characters are the right ones. */
function like(real: string, rightCharacters: number): string {
  const right = bodyOf(real).slice(0, rightCharacters)
  const wrong = [...bodyOf(real).slice(rightCharacters)]
    .map((letter) => (letter === 'x' ? 'y' : 'x'))
    .join('')
  const body = `${prefixOf(real)}${right}${wrong}`
  return `${body}${checksum(body)}`
}

/** CRC-32 in six base62 characters, as tokens are documented. */
function checksum(body: string): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let rest = Bun.hash.crc32(body)
  let text = ''
  for (let place = 0; place < 6; place++) {
    text = `${letters[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
