import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { auditKinds } from '../../../../core/contracts/audit-event'
import type { OwnerRows } from '../../../../core/contracts/plugin'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { type Audit, auditOf, commandLine, createAudit } from '../../../../core/tenancy/audit/audit'
import { auditActions, kindOf } from '../../../../core/tenancy/audit/audit-actions'
import { auditSweep } from '../../../../core/tenancy/audit/audit-commands'
import { type Gate, startGate } from '../../../support/harness'
import { connectApp } from '../../../support/oauth-app'
import { quietLog } from '../../../support/quiet-log'

let gate: Gate
let audit: Audit
beforeAll(async () => {
  gate = await startGate({ settings: { AUDIT_KEPT_DAYS: '30' } })
  audit = auditOf(gate.owner)
})
afterAll(() => gate.stop())

const command = (name: string, input: object) =>
  gate.registry.commands.get(name)?.run({ ...gate.owner, by: { host: commandLine } }, input)
const host = 'https://app.example.com'
const actionsOf = async (agencyId: string) =>
  (await audit.list(agencyId, { limit: 100 })).entries.map(({ action }) => action)

test('what is written down is read by its own agency, newest first, a page at a time and by kind', async () => {
  const agency_id = gate.tenant.agencyId
  for (const action of ['key.create', 'app.consent', 'key.rotate'] as const) {
    await audit.record({ agency_id, action, host, user_id: 'usr_1', subject: 'x' })
    gate.clock.advance(1)
  }
  await audit.record({ agency_id: gate.stranger.agencyId, action: 'key.revoke', host })
  expect(await actionsOf(agency_id)).toEqual(['key.rotate', 'app.consent', 'key.create'])
  const first = await audit.list(agency_id, { limit: 2 })
  expect([first.entries.length, first.has_more]).toEqual([2, true])
  const last = await audit.list(agency_id, { limit: 2, skip: 2 })
  expect([last.entries[0]?.action, last.has_more]).toEqual(['key.create', false])
  const keys = await audit.list(agency_id, { kind: 'key', limit: 10 })
  expect(keys.entries.map(({ action }) => action)).toEqual(['key.rotate', 'key.create'])
})

test('names that others chose are one bounded line', async () => {
  const agency_id = 'agc_named'
  await audit.record({ agency_id, action: 'app.consent', host, subject: `a\nb\u0000${'😀'.repeat(400)}` })
  const [entry] = (await audit.list(agency_id, { limit: 1 })).entries
  expect(entry?.subject).toStartWith('a b😀')
  expect([...(entry?.subject ?? '')].length).toBe(200)
})

test('what has happened is no failure because the store is away', async () => {
  const rows = { insert: () => Promise.reject(new Error('away')) } as unknown as OwnerRows<typeof AuditEntry>
  const said: string[] = []
  const log = { ...quietLog, error: (message: string) => void said.push(message) }
  await createAudit(rows, log).record({ agency_id: 'agc_1', action: 'key.rotate', host })
  expect(said).toEqual(['an audit event could not be recorded'])
})

test('no entry can be changed: nothing but this module holds their rows', async () => {
  const users: string[] = []
  const users_of = new Bun.Glob('core/**/*.{ts,tsx}')
  for await (const path of users_of.scan('.')) {
    if (/from '[^']*\/AuditEntry'/.test(await Bun.file(path).text())) users.push(path)
  }
  expect(users.sort()).toEqual([
    'core/product/gateway-plugin.ts',
    'core/tenancy/audit/audit-commands.ts',
    'core/tenancy/audit/audit.ts',
    // Its `system` can only read.
    'core/web/pages/settings/activity.ts',
  ])
})

test('every action belongs to a kind and is told in words', () => {
  for (const [action, words] of Object.entries(auditActions)) {
    expect(auditKinds).toContain(kindOf(action as keyof typeof auditActions))
    expect(words).toMatch(/^[A-Z][^.]+$/)
  }
})

describe('the owner at the command line', () => {
  test('leaves a trace of every key, and none of a key that was not there', async () => {
    const agency_id = gate.platform.agencyId
    const rotated = (await command('key rotate', { agency_id })) as { agent_key: string }
    gate.clock.advance(1)
    await command('key revoke', { agency_id })
    await command('key revoke', { agency_id })
    gate.clock.advance(1)
    await command('key rotate', { agency_id })
    expect(await actionsOf(agency_id)).toEqual(['key.create', 'key.revoke', 'key.rotate'])
    const rows = await gate.owner.rows(AuditEntry).list({ limit: 1_000 })
    const ofKeys = rows.filter((row) => row.agency_id === agency_id && row.action.startsWith('key.'))
    expect(new Set(ofKeys.map(({ host }) => host))).toEqual(new Set(['command line']))
    expect(JSON.stringify(rows)).not.toContain(rotated.agent_key)
  })

  test('reads them in words, of one agency', async () => {
    const listed = await command('audit list', {
      agency_id: gate.platform.agencyId,
      limit: 1,
      skip: 0,
      kind: 'key',
    })
    expect(listed).toMatchObject({
      entries: [{ action: 'key.create', what: 'Agent key created', host: 'command line', outcome: 'done' }],
    })
  })
})

test('letting an app in, its first token and its end are written down, with its name and host and nothing secret', async () => {
  const fresh = await startGate()
  const app = await connectApp(fresh, { metadata: { client_name: 'An app' } })
  const tokens = await app.connect()
  fresh.clock.advance(31 * 60_000)
  const pair = (await (await app.refresh(tokens.refresh_token)).json()) as { refresh_token: string }
  fresh.clock.advance(31 * 60_000)
  await app.refresh(tokens.refresh_token)
  const { entries } = await auditOf(fresh.owner).list(fresh.tenant.agencyId, { limit: 100 })
  const told = entries.map(({ action, outcome }) => `${action} ${outcome}`)
  for (const one of ['app.consent done', 'app.connect done', 'app.refresh_token_reused refused']) {
    expect(told).toContain(one)
  }
  for (const entry of entries) {
    expect(entry).toMatchObject({ subject: 'An app', host: 'http://localhost:3000', user_id: app.user.id })
  }
  const text = JSON.stringify(entries)
  for (const secret of [tokens.access_token, tokens.refresh_token, pair.refresh_token, '203.0.113.7']) {
    expect(text).not.toContain(secret)
  }
  await fresh.stop()
})

test('the sweep removes what is older than AUDIT_KEPT_DAYS and nothing else', async () => {
  const agency_id = gate.stranger.agencyId
  const day = 24 * 60 * 60_000
  gate.clock.advance(20 * day)
  await audit.record({ agency_id, action: 'domain.add', host })
  gate.clock.advance(11 * day)
  await auditSweep.run(gate.owner, new AbortController().signal)
  expect(await actionsOf(agency_id)).toEqual(['domain.add'])
  expect(await actionsOf(gate.tenant.agencyId)).toEqual([])
})
