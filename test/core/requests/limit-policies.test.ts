import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRefusal } from '../../../core/contracts/errors'
import { readSettings } from '../../../core/contracts/settings'
import { charges, limitTable, policiesOf, writeCharges } from '../../../core/requests/limit-table'
import { createLimits, type Limits } from '../../../core/requests/limits'
import type { RequestState } from '../../../core/requests/request'
import { UsageDay } from '../../../core/requests/UsageDay'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite/index'
import { quietLog as log } from '../../support/quiet-log'

const settings = readSettings(
  Object.fromEntries(
    Object.entries({
      READS_PER_MINUTE: 11,
      OPERATIONS_PER_MINUTE: 12,
      PAGES_PER_MINUTE: 13,
      AGENCY_PAGES_PER_MINUTE: 14,
      DRAFTS_PER_MINUTE: 15,
      DRAFTS_PER_DAY: 16,
      REPORTS_PER_DAY: 17,
      SETUPS_PER_DAY: 18,
      FAILED_AUTHENTICATION_PER_MINUTE: 19,
      REGISTRATIONS_PER_HOUR: 20,
      AUTHORIZATIONS_PER_15_MINUTES: 21,
      TOKENS_PER_MINUTE: 22,
      APP_DOCUMENTS_PER_MINUTE: 23,
      INBOUND_PER_MINUTE: 24,
      PUBLIC_PER_MINUTE: 25,
    }).map(([name, value]) => [`LIMIT_${name}`, String(value)]),
  ),
)

let now = new Date('2026-11-20T10:00:00.000Z')
let documents: Documents
let limits: Limits
beforeAll(async () => {
  documents = await openSqlite({ path: ':memory:', now: () => now, log })
  await documents.ensure([UsageDay])
})
beforeEach(() => {
  now = new Date('2026-11-20T10:00:00.000Z')
  limits = createLimits(settings, documents, () => now)
})
afterAll(() => documents.close())

const state = (more: Partial<RequestState> = {}): RequestState => ({
  id: 'req-1',
  path: '/api/surface',
  search: '',
  address: () => '203.0.113.1',
  host: null,
  headers: {},
  ...more,
})
/** What an answer shows after something was counted. */
const shown = (count: (one: RequestState) => unknown, one = state()) => {
  count(one)
  return [one.headers['ratelimit-policy'], one.headers.ratelimit].join(' | ')
}
/** How often something is counted before it is refused. */
const allowed = (count: (one: RequestState) => unknown, more: Partial<RequestState> = {}) => {
  for (let times = 0; ; times++) {
    try {
      count(state(more))
    } catch (error) {
      if (isRefusal(error) && error.code === 'quota_exceeded') return times
      throw error
    }
  }
}

test('each limit is counted by something, and each thing that is counted is in the table of charges', () => {
  const counted = new Set<string>(Object.values(charges).flatMap(({ against }) => against))
  expect([...counted].sort()).toEqual(Object.keys(limitTable).sort())
  const used = new Set<string | null>(Object.values(writeCharges))
  const sources = new Bun.Glob('core/**/*.{ts,tsx}').scanSync(join(import.meta.dir, '../../..'))
  for (const path of sources) {
    if (path === 'core/requests/limit-table.ts') continue
    const text = readFileSync(join(import.meta.dir, '../../..', path), 'utf8')
    for (const name of Object.keys(charges)) if (text.includes(`'${name}'`)) used.add(name)
  }
  expect(Object.keys(charges).filter((name) => !used.has(name))).toEqual([])
})

test('each limit has its setting, its name and its window', () => {
  const described = Object.entries(policiesOf(settings)).map(
    ([key, { name, quota, windowSeconds }]) => `${key} ${name} ${quota}/${windowSeconds}`,
  )
  expect(described).toEqual([
    'reads reads 11/60',
    'operations operations 12/60',
    'pages pages 13/60',
    'agencyPages agency-pages 14/60',
    'drafts drafts 15/60',
    'draftsDay drafts-day 16/86400',
    'reportsDay reports-day 17/86400',
    'setupsDay setups-day 18/86400',
    'failures failed-authentication 19/60',
    'registrations registrations 20/3600',
    'authorizations authorizations 21/900',
    'tokens tokens 22/60',
    'inboundMessages inbound-messages 24/60',
    'publicRequests public-requests 25/60',
    'publicPasswords public-passwords 10/900',
    'mcpRequests mcp-requests 23/60',
    'tokenRequests token-requests 1408/60',
    'appDocuments app-documents 23/60',
    'appDocumentRequests app-document-requests 23/60',
  ])
})

describe('what is counted', () => {
  test('is refused beyond its quota, each by its own limit', () => {
    expect(allowed((one) => limits.count(one, 'read', { credential: 'key' }))).toBe(11)
    expect(allowed((one) => limits.count(one, 'operation', { credential: 'key' }))).toBe(12)
    expect(allowed((one) => limits.count(one, 'page', { person: 'person', agency: 'agency' }))).toBe(13)
    expect(allowed((one) => limits.count(one, 'failure'))).toBe(19)
    expect(allowed((one) => limits.count(one, 'registration'))).toBe(20)
    expect(allowed((one) => limits.count(one, 'authorization'))).toBe(21)
    expect(allowed((one) => limits.count(one, 'token', { app: 'app' }))).toBe(22)
    expect(allowed((one) => limits.count(one, 'mcpRequest', { credential: 'key' }))).toBe(23)
    expect(allowed((one) => limits.count(one, 'tokenRequest'))).toBe(1408)
    expect(allowed((one) => limits.count(one, 'appDocument', { host: 'app.example' }))).toBe(23)
  })

  test('is counted by credential, by person and agency, by address, or by app', () => {
    for (const [count, other] of [
      [
        (one: RequestState) => limits.count(one, 'read', { credential: 'a' }),
        (one: RequestState) => limits.count(one, 'read', { credential: 'b' }),
      ],
      [
        (one: RequestState) => limits.count(one, 'mcpRequest', { credential: 'a' }),
        (one: RequestState) => limits.count(one, 'mcpRequest', { credential: 'b' }),
      ],
      [
        (one: RequestState) => limits.count(one, 'token', { app: 'app 1' }),
        (one: RequestState) => limits.count(one, 'token', { app: 'app 2' }),
      ],
    ] as const) {
      const quota = allowed(count)
      expect(allowed(other)).toBe(quota)
      expect(allowed(count)).toBe(0)
    }
    expect(allowed((one) => limits.count(one, 'page', { person: 'p1', agency: 'agency' }))).toBe(13)
    expect(allowed((one) => limits.count(one, 'page', { person: 'p2', agency: 'agency' }))).toBe(1)
    const elsewhere = { address: () => '203.0.113.2' }
    for (const charge of ['failure', 'registration', 'authorization', 'tokenRequest'] as const) {
      const count = (one: RequestState) => limits.count(one, charge)
      const quota = allowed(count)
      expect(allowed(count, elsewhere)).toBe(quota)
    }
    expect(allowed((one) => limits.count(one, 'token', { app: 'app 1' }), elsewhere)).toBe(22)
    expect(allowed((one) => limits.count(one, 'appDocument', { host: 'a.example' }))).toBe(23)
    expect(allowed((one) => limits.count(one, 'appDocument', { host: 'b.example' }))).toBe(0)
    expect(allowed((one) => limits.count(one, 'appDocument', { host: 'a.example' }), elsewhere)).toBe(0)
    expect(allowed((one) => limits.count(one, 'appDocument', { host: 'b.example' }), elsewhere)).toBe(22)
  })

  test('however many apps an address names, they share 64 windows', () => {
    let answered = 0
    for (let app = 0; app < 5_000; app++) {
      try {
        limits.count(state(), 'token', { app: `app ${app}` })
        answered++
      } catch (error) {
        expect(isRefusal(error) && error.code).toBe('quota_exceeded')
      }
    }
    expect(answered).toBe(64 * 22)
  })

  test('a call of a draft counts as a draft beside the operation', () => {
    const one = state()
    limits.count(one, 'operation', { credential: 'key' })
    expect(shown((each) => limits.count(each, 'draftCall', { credential: 'key' }), one)).toBe(
      '"operations";q=12;w=60, "drafts";q=15;w=60 | "operations";r=11;t=60, "drafts";r=14;t=60',
    )
  })

  test('that nobody is named for is a fault of ours, and counts for nobody', () => {
    expect(() => limits.count(state(), 'read')).toThrow('The limit reads counts by credential')
  })

  test('is told with what is left and when the window ends, and starts anew then', () => {
    expect(shown((one) => limits.count(one, 'read', { credential: 'key' }))).toBe(
      '"reads";q=11;w=60 | "reads";r=10;t=60',
    )
    now = new Date(now.getTime() + 1_500)
    expect(shown((one) => limits.count(one, 'read', { credential: 'key' }))).toBe(
      '"reads";q=11;w=60 | "reads";r=9;t=59',
    )
    now = new Date(now.getTime() + 58_500)
    expect(shown((one) => limits.count(one, 'read', { credential: 'key' }))).toBe(
      '"reads";q=11;w=60 | "reads";r=10;t=60',
    )
  })

  test('before a body is read is told only when it refuses', () => {
    const one = state()
    limits.count(one, 'mcpRequest', { credential: 'key' })
    limits.count(one, 'tokenRequest')
    expect(one.headers).toEqual({})
    const last = state()
    for (let times = 0; times < 22; times++) limits.count(state(), 'mcpRequest', { credential: 'key' })
    expect(() => limits.count(last, 'mcpRequest', { credential: 'key' })).toThrow('mcp-requests')
    expect(last.headers.ratelimit).toBe('"mcp-requests";r=0;t=60')
  })
})

describe('what an answer shows that was counted against no limit', () => {
  const show = (more: Partial<RequestState>) => shown((one) => limits.show(one), state(more))
  const principal = { id: 'key' } as never

  test('is the limit that would refuse its like, and counts nothing', () => {
    limits.count(state(), 'read', { credential: 'key' })
    for (let times = 0; times < 2; times++) {
      expect(show({})).toBe('"failed-authentication";q=19;w=60 | "failed-authentication";r=19;t=60')
      expect(show({ principal })).toBe('"reads";q=11;w=60 | "reads";r=10;t=60')
      expect(show({ principal, path: '/api/functions/x' })).toBe(
        '"operations";q=12;w=60 | "operations";r=12;t=60',
      )
      for (const path of ['/api/mcp', '/api/mcp/'])
        expect(show({ principal, path })).toBe('"mcp-requests";q=23;w=60 | "mcp-requests";r=23;t=60')
      expect(show({ principal, path: '/api/mcpx' })).toStartWith('"reads"')
      expect(show({ principal, path: '/api/functions' })).toStartWith('"reads"')
    }
  })

  test('is nothing where something was shown already', () => {
    const one = state({ principal })
    limits.count(one, 'read', { credential: 'key' })
    const before = { ...one.headers }
    limits.show(one)
    expect(one.headers).toEqual(before)
  })

  test('is the failures of the address, as far as its window has run', () => {
    for (let times = 0; times < 19; times++) limits.count(state(), 'failure')
    now = new Date(now.getTime() + 20_000)
    expect(show({})).toEndWith('"failed-authentication";r=0;t=40')
  })
})

describe('a quota of a day', () => {
  const spend = async (kind: Parameters<Limits['spend']>[3], credential = 'key') => {
    const one = state()
    await limits.spend(one, credential, 'agn_1', kind)
    return one.headers.ratelimit
  }

  test('is stored by credential, limit and day, until the day after the next', async () => {
    expect(await spend('draft', 'stored')).toBe('"drafts-day";r=15;t=50400')
    expect(await documents.collection(UsageDay).get('stored:drafts-day:2026-11-20')).toEqual({
      id: 'stored:drafts-day:2026-11-20',
      workspace_id: 'agn_1',
      used: 1,
      created_date: '2026-11-20T10:00:00.000Z',
      updated_date: '2026-11-20T10:00:00.000Z',
      expires_at: '2026-11-22T10:00:00.000Z',
    })
    now = new Date('2026-11-20T23:59:59.500Z')
    expect(await spend('draft', 'stored')).toBe('"drafts-day";r=14;t=1')
    expect(await documents.collection(UsageDay).get('stored:drafts-day:2026-11-20')).toMatchObject({
      used: 2,
      created_date: '2026-11-20T10:00:00.000Z',
      updated_date: '2026-11-20T23:59:59.500Z',
    })
    now = new Date('2026-11-21T00:00:00.000Z')
    expect(await spend('draft', 'stored')).toBe('"drafts-day";r=15;t=86400')
  })

  test('is one of drafts, of reports and of setups; reads and marks have none', async () => {
    expect(await spend('draft')).toStartWith('"drafts-day";r=15')
    expect(await spend('queue')).toStartWith('"reports-day";r=16')
    expect(await spend('setup')).toStartWith('"setups-day";r=17')
    expect(await spend('read')).toBeUndefined()
    expect(await spend('mark')).toBeUndefined()
  })

  test('refuses what is over it with when to come back', async () => {
    for (let times = 0; times < 18; times++) await spend('setup', 'busy')
    const refused = await spend('setup', 'busy').catch((error) => error)
    expect(refused.details).toEqual({
      retryAfterSeconds: 50_400,
      extra: { 'violated-policies': ['setups-day'] },
    })
    expect(refused.message).toContain('18 requests in 86400 seconds')
    expect(await spend('setup', 'another')).toStartWith('"setups-day";r=17')
  })
})
