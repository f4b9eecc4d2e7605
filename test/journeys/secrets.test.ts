import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { base32, generateHOTP } from '../../core/process/crypto'
import { mcpRequest } from '../support/mcp'
import { ownerEmail, ownerPassword, type SignedInPerson, signIn } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'
import { columnsFolder, databasesUnder, dump, filesUnder } from '../support/stored'
import { exchange, questionOf, refresh, registerApp, revoke } from '../support/strict-app'
import { createVisitor } from '../support/visitor'

/** Planted where it is kept on purpose, so that the search is seen to work in each place. */
const canary = 'CanaryThatIsKeptOnPurpose1'
const settings = {
  METRICS_TOKEN: 'metrics-token-of-this-test-0123456789',
  LLM_API_KEY: 'llm-key-of-this-test-0123456789',
}

/** A refusal for having asked too often would say nothing of what was asked. */
const unlimited = Object.fromEntries(
  [
    'LIMIT_READS_PER_MINUTE',
    'LIMIT_OPERATIONS_PER_MINUTE',
    'LIMIT_FAILED_AUTHENTICATION_PER_MINUTE',
    'LIMIT_TOKENS_PER_MINUTE',
    'LIMIT_AUTHORIZATIONS_PER_15_MINUTES',
  ].map((name) => [name, '100000']),
)

describe('every kind of secret was used, rightly and wrongly, and', () => {
  let product: RunningProduct
  let owner: SignedInPerson
  const secrets = new Map<string, string>([
    ['password', ownerPassword],
    ['wrong password', 'a password that is not hers'],
    ...Object.entries(settings),
  ])
  /** An export and a backup, as text. */
  const copies: string[] = []
  /** What callers were told, but for answers that hand a secret out. */
  const told: string[] = []
  let output: string
  let metrics: string

  beforeAll(async () => {
    product = await startProduct({
      env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'debug', ...settings, ...unlimited },
      preload: [join(import.meta.dir, '../support/public-callbacks.ts')],
    })
    const { agent_key, forwarder_token, owner_link } = product.facts
    secrets.set('agent key', agent_key).set('forwarder token', forwarder_token)
    secrets.set('owner link create', new URL(owner_link).searchParams.get('token') ?? '')
    owner = await signIn(product)
    await useApps()
    await signInWithCodes()
    await receiveEvents()
    await sendWhereNoneBelongs()
    const rotated = await product.renown('key', 'rotate', '--json')
    secrets.set('next agent key', /rnw_key_\w+/.exec(rotated.stdout)?.[0] ?? '')
    await ask('/api/surface', { headers: bearer(agent_key) })
    await ask('/api/surface', { headers: bearer(String(secrets.get('next agent key'))) })
    await rotateOnThePage()
    await plantCanary()
    await copyAll()
    metrics = await ask('/metrics', { headers: bearer(settings.METRICS_TOKEN) })
    await product.stop()
    output = product.output()
  }, 120_000)
  afterAll(() => product?.[Symbol.asyncDispose]())

  test('none of them is empty or alike', () => {
    expect([...secrets].filter(([, secret]) => secret.length < 8)).toEqual([])
    expect(new Set(secrets.values()).size).toBe(secrets.size)
    expect(secrets.size).toBeGreaterThan(30)
  })

  test('none stands in a file of the data folder', () => {
    const found = filesUnder(product.dataDir).flatMap((file) =>
      seenIn(readFileSync(file, 'latin1')).map((name) => `${name}: ${file}`),
    )
    expect(found).toEqual([])
  })

  test('none stands in a row of the documents', async () => {
    const rows = await Promise.all(databasesUnder(product.dataDir).map((file) => dump('sqlite', file)))
    expect(seenIn(rows.join('\n'))).toEqual([])
    expect(rows.join('\n')).toContain(canary)
  })

  test('none stands in a row of the columns', async () => {
    expect(seenIn(await dump('chdb', columnsFolder(product.dataDir)))).toEqual([])
  })

  test('none stands in an export or a backup', () => {
    for (const copied of copies) {
      expect(seenIn(copied)).toEqual([])
      expect(copied).toContain(canary)
      expect(copied).toContain('hooks.example.com/event')
    }
    expect(copies).toHaveLength(2)
  })

  test('none stands in what it logged, with every line written', () => {
    // The facts of the first start are handed out on purpose, once, by `--json`.
    const lines = output.split('\n').filter((line) => !line.startsWith('{"api_url"'))
    expect(seenIn(lines.join('\n'))).toEqual([])
    expect(lines.join('\n')).toContain(canary)
    expect(lines.length).toBeGreaterThan(100)
  })

  test('none stands in an error, a header or a number that it tells', () => {
    expect(told.length).toBeGreaterThan(300)
    expect(told.filter((text) => text.includes('quota_exceeded'))).toEqual([])
    expect(seenIn(told.join('\n'))).toEqual([])
    expect(told.join('\n')).toContain(canary)
    expect(seenIn(metrics)).toEqual([])
    expect(metrics).toContain('renown_')
  })

  /** Names of the secrets that stand in a text, whole or without their prefix. */
  const seenIn = (text: string) =>
    [...secrets].flatMap(([name, secret]) =>
      text.includes(secret.replace(/^(rnw_[a-z]+|whsec)_/, '')) ? [name] : [],
    )

  async function ask(path: string, init: RequestInit = {}): Promise<string> {
    const response = await fetch(`${product.facts.api_url}${path}`, { ...init, redirect: 'manual' })
    const text = `${[...response.headers].join('\n')}\n${await response.text()}`
    told.push(text)
    return text
  }

  async function useApps() {
    for (const method of ['none', 'client_secret_post', 'client_secret_basic'] as const) {
      const app = await registerApp(product.facts.api_url, method)
      if (app.client.client_secret) secrets.set(`${method} client secret`, String(app.client.client_secret))
      const question = await questionOf(app)
      const answer = await owner.decide(question.url)
      secrets.set(`${method} code`, answer.searchParams.get('code') ?? '')
      secrets.set(`${method} verifier`, question.verifier)
      const first = await exchange(app, answer, question)
      const second = await refresh(app, first.refresh_token ?? '')
      for (const [place, pair] of [first, second].entries()) {
        secrets.set(`${method} access token ${place}`, pair.access_token)
        secrets.set(`${method} refresh token ${place}`, pair.refresh_token ?? '')
        await ask('/api/surface', { headers: bearer(pair.access_token) })
      }
      await exchange(app, answer, question).catch(() => null)
      await revoke(app, second.refresh_token ?? '')
      await ask('/api/surface', { headers: bearer(second.access_token) })
    }
  }

  async function signInWithCodes() {
    const { visitor } = owner
    const page = await visitor.open('/app/account/two-step')
    const secret = /name="secret"[^>]*value="([A-Z2-7 ]+)"|id="secret"[^>]*value="([A-Z2-7 ]+)"/.exec(
      page.html,
    )
    const text = (secret?.[1] ?? secret?.[2] ?? '').replaceAll(' ', '')
    secrets.set('authenticator secret', text)
    const code = () => generateHOTP(base32.decode(text), Math.floor(Date.now() / 30_000))
    const shown = await visitor.submit('/app/account/two-step', { code: await code() })
    const codes = [...shown.html.matchAll(/<code>([^<]+)<\/code>/g)].map((match) => String(match[1]))
    expect(codes.length).toBeGreaterThan(5)
    for (const [place, recovery] of codes.entries()) secrets.set(`recovery code ${place}`, recovery)
    for (const [name, value] of visitor.cookies) secrets.set(`cookie ${name} of before`, value)
    const again = createVisitor(fetch, product.facts.api_url)
    await again.open('/app/sign-in')
    const wrong = { email: ownerEmail, password: String(secrets.get('wrong password')) }
    told.push((await again.submit('/app/sign-in', wrong)).html.replaceAll(/value="[^"]*"/g, ''))
    // People type a password into the wrong field, too.
    await again.submit('/app/sign-in', { email: ownerPassword, password: ownerEmail })
    await again.submit('/app/sign-in', { email: ownerEmail, password: ownerPassword })
    await again.submit('/app/sign-in/code', { code: codes[0] ?? '' })
    for (const [name, value] of again.cookies) secrets.set(`cookie ${name}`, value)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await again.open('/app/account')).html)?.[1]
    secrets.set('form token', csrf ?? '')
  }

  /** A webhook and a subscription of an agent, each with a second secret. Both get messages. */
  async function receiveEvents() {
    const { workspace_id, agent_key } = product.facts
    const url = ['--url', 'https://hooks.example.com/hook']
    const created = await product.renown('webhook', 'create', workspace_id, ...url, '--json')
    const { webhook_id, secret } = JSON.parse(created.stdout) as Record<string, string>
    secrets.set('webhook secret', secret ?? '')
    expect((await product.renown('webhook', 'verify', webhook_id ?? '')).code).toBe(0)
    const rotated = await product.renown('webhook', 'secret', 'rotate', webhook_id ?? '', '--json')
    secrets.set('next webhook secret', String(JSON.parse(rotated.stdout).secret))

    await owner.visitor.open('/app/apps')
    await owner.visitor.submit('/app/apps/hosts', { hosts: 'hooks.example.com' })
    for (const name of ['subscription secret', 'next subscription secret']) {
      const own = `whsec_${randomBytes(32).toString('base64')}`
      secrets.set(name, own)
      const delivery = { mode: 'webhook', url: 'https://hooks.example.com/event', secret: own }
      const event = { name: 'location.ready', delivery }
      const { headers, body } = mcpRequest('2026-07-28', 'events/subscribe', event)
      const init = { method: 'POST', body: JSON.stringify(body) }
      const json = { 'content-type': 'application/json', ...bearer(agent_key), ...headers }
      expect(await ask('/api/mcp', { ...init, headers: json })).toContain('"refreshBefore"')
      // One that is refused.
      const faulty = JSON.stringify(body).replace('"webhook"', '"webhook","ttlMs":"x"')
      await ask('/api/mcp', { ...init, body: faulty.replace('location.ready', 'nothing'), headers: json })
    }
  }

  async function copyAll() {
    for (const kind of ['export', 'backup']) {
      const file = join(product.dataDir, '..', kind)
      expect((await product.renown('data', kind, file)).code).toBe(0)
      const files = statSync(file).isDirectory() ? filesUnder(file) : [file]
      copies.push(files.map((one) => readFileSync(one, 'latin1')).join('\n'))
      rmSync(file, { recursive: true })
    }
  }

  /** People paste a key into whatever takes a text. */
  async function sendWhereNoneBelongs() {
    const ours = [...secrets].filter(([, secret]) => secret.startsWith('rnw_'))
    for (const [, secret] of ours) {
      const key = bearer(product.facts.agent_key)
      await ask(`/api/surface?access_token=${secret}`)
      await ask(`/api/surface?${secret}=1`, { headers: key })
      await ask(`/api/entities/${secret}`, { headers: key })
      await ask(`/api/entities/Lead/${secret}`, { headers: key })
      await ask(`/${secret}`)
      await ask(`/app/link?token=${secret}x`)
      await ask(`/oauth/authorize?client_id=${secret}&state=${secret}`)
      await ask('/api/surface', { headers: { authorization: `Basic ${secret}` } })
      await ask('/api/surface', { headers: { ...bearer(`${secret}x`), 'x-request-id': secret } })
      await ask('/api/surface', { headers: { ...key, 'x-workspace-id': secret, 'x-request-id': secret } })
      const body = JSON.stringify({ [secret]: 1, notification_ids: [secret] })
      const json = { 'content-type': 'application/json' }
      await ask('/api/functions/markNotificationsRead', {
        method: 'POST',
        headers: { ...key, ...json },
        body,
      })
      const call = { name: 'get_record', arguments: { entity: 'Lead', id: secret } }
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
      await ask('/api/mcp', { method: 'POST', headers: { ...key, ...json }, body: message })
      const form = new URLSearchParams({ grant_type: secret, client_id: secret, code: secret, token: secret })
      await ask('/oauth/token', { method: 'POST', body: form })
      await ask('/oauth/revoke', { method: 'POST', body: form })
    }
    const { ingest_url, forwarder_token } = product.facts
    for (const path of ['/v1/hits', `/v1/${forwarder_token}`, `/v1/hits?token=${forwarder_token}`]) {
      const sent = await fetch(`${ingest_url}${path}`, {
        method: 'POST',
        headers: bearer(forwarder_token),
        body: '{',
      })
      told.push(await sent.text())
    }
  }

  async function rotateOnThePage() {
    await owner.visitor.open('/app/key/new')
    const { html } = await owner.visitor.submit('/app/key/new')
    const key = /rnw_key_\w+/.exec(html)?.[0] ?? ''
    secrets.set('agent key of the page', key)
    expect(await ask('/api/surface', { headers: bearer(key) })).toContain('surface_hash')
    await ask('/api/surface', { headers: bearer(String(secrets.get('next agent key'))) })
  }

  async function plantCanary() {
    const key = String(secrets.get('agent key of the page'))
    await ask(`/api/entities/${canary}`, { headers: bearer(key) })
    expect((await product.renown('location', 'create', canary)).code).toBe(0)
  }
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
