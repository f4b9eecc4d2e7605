import { expect, test } from 'bun:test'
import { domainCheck } from '../../../../core/auth/domains/check'
import { Refusal } from '../../../../core/contracts/errors'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import { dayMs, minuteMs } from '../../../../core/contracts/time'
import { where } from '../../../../core/contracts/where'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()
type Domain = Readonly<Record<string, unknown>>
const domain = (name: string, over: Domain = {}): Domain => ({
  id: `dom_${name}`,
  agency_id: 'agc_1',
  domain: name,
  token: 't',
  state: 'verified',
  created_date: iso(now - dayMs),
  checked_at: iso(now - dayMs),
  ...over,
})

/** Runs the check over these domains. A change of one of them may fail. */
async function check(
  domains: readonly Domain[],
  { fails = () => undefined as unknown, signal = new AbortController().signal } = {},
) {
  const looked: string[] = []
  const noted: unknown[] = []
  let asked: unknown
  const rows = {
    async *each(query: { where: unknown }) {
      asked = query.where
      yield* domains
    },
    updateWhere: async (_: unknown, changes: object) => {
      const fault = fails()
      if (fault !== undefined) throw fault
      return changes
    },
  }
  const ctx = {
    now: () => new Date(now),
    rows: () => rows,
    apiUrl: 'https://renown.example.com',
    log: { info: (message: string, fields: object) => void noted.push([message, fields]) },
    outbound: {
      dns: {
        txt: async (name: string) => {
          looked.push(name.replace('_renown.', ''))
          return ['renown-verification=t']
        },
      },
    },
  } as unknown as OwnerContext
  await domainCheck.run(ctx, signal)
  return { looked, noted, asked }
}

test('the check runs every ten minutes, over domains that are not given up', async () => {
  expect(domainCheck.everyMs).toBe(10 * minuteMs)
  expect((await check([])).asked).toEqual(where.in('state', ['pending', 'verified', 'lapsed']))
})

test('a domain is looked at once a day, sooner while it is pending, new or missing', async () => {
  const recent = { checked_at: iso(now - dayMs + 1) }
  const { looked } = await check([
    domain('due.example'),
    domain('recent.example', recent),
    domain('lapsed.example', { ...recent, state: 'lapsed' }),
    domain('missing.example', { ...recent, missing_since: iso(now - 1) }),
    domain('new.example', { checked_at: undefined }),
  ])
  expect(looked).toEqual(['due.example', 'missing.example', 'new.example'])
})

test('a stopped process looks at nothing more', async () => {
  expect((await check([domain('due.example')], { signal: AbortSignal.abort() })).looked).toEqual([])
})

test('a refused change is noted, and the next domain is checked', async () => {
  const { looked, noted } = await check([domain('a.example'), domain('b.example')], {
    fails: () => new Refusal('conflict', 'Changed.'),
  })
  expect(looked).toEqual(['a.example', 'b.example'])
  expect(noted).toEqual(
    ['a.example', 'b.example'].map((name) => [
      'a domain was not moved',
      { domain: name, reason: 'Changed.' },
    ]),
  )
})

test('any other error ends the run', async () => {
  const fails = () => new Error('the store is away')
  await expect(check([domain('a.example')], { fails })).rejects.toThrow('the store is away')
})
