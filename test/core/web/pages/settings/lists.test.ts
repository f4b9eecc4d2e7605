import { expect, test } from 'bun:test'
import type { PageCounter } from '../../../../../core/contracts/page'
import type { RangeListStatus } from '../../../../../core/contracts/traffic'
import { startGate } from '../../../../support/harness'
import { signedIn } from '../../../../support/signed-in'
import { createVisitor } from '../../../../support/visitor'

const list = (status: RangeListStatus['status'], last_error: string | null = null): RangeListStatus => ({
  url: 'https://openai.com/gptbot.json',
  operator: `Operator ${status}`,
  prefixes: 1_234,
  sha256: null,
  last_ok_at: '2026-01-02T03:04:05.000Z',
  age_seconds: 1,
  status,
  last_error,
})

async function visitorAt(counter: PageCounter | null) {
  const settings = { RENOWN_RANGES_MIRROR: 'https://ada:secret@mirror.example/lists' }
  const gate = await startGate({ settings, counter })
  const { cookie } = await signedIn(gate)
  const visitor = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const [name = '', value = ''] = cookie.split('=')
  visitor.cookies.set(name, value)
  return { visitor, gate }
}

test('the address lists are shown as they stand, from where they come, and are refreshed when asked', async () => {
  let rounds = 0
  const now = () => [list(rounds > 0 ? 'fresh' : 'never_fetched', rounds > 0 ? null : 'nobody answers')]
  const { visitor, gate } = await visitorAt({
    signals: async () => ({
      script_found_at: null,
      test_visits: [],
      lines: { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] },
    }),
    ranges: async () => now(),
    refreshRanges: async () => {
      rounds += 1
      return now()
    },
    flush: async () => {},
  })
  const before = await visitor.open('/app/lists')
  for (const words of ['never fetched', 'nobody answers', 'https://mirror.example/lists', '1,234'])
    expect(before.text).toContain(words)
  expect(before.html).not.toContain('secret')
  const after = await visitor.submit('/app/lists/refresh')
  expect(rounds).toBe(1)
  expect(after.text).toContain('fresh')
  expect(after.text).not.toContain('nobody answers')
  await gate.stop()
})

test('a list in doubt is shown with its reason, once for an operator', async () => {
  const why = '20 of 20 hits of OpenAI came from addresses outside its list.'
  const doubted = {
    ...list('fresh'),
    in_doubt: { since: '2026-01-02T03:04:05.000Z', about: 'addresses', why },
  }
  const { visitor, gate } = await visitorAt({
    signals: async () => ({
      script_found_at: null,
      test_visits: [],
      lines: { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] },
    }),
    ranges: async () => [doubted, { ...doubted, url: 'https://openai.com/searchbot.json' }],
    refreshRanges: async () => [],
    flush: async () => {},
  })
  const { text } = await visitor.open('/app/lists')
  expect(text.split(why)).toHaveLength(2)
  await gate.stop()
})

test('where the counter runs elsewhere, the page says where to look', async () => {
  const { visitor, gate } = await visitorAt(null)
  const { text, html } = await visitor.open('/app/lists')
  expect(text).toContain('bun renown range list')
  expect(html).not.toContain('/app/lists/refresh')
  await gate.stop()
})
