import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { type HomeCardContent, homeContentSchema, homeNewsSchema } from '../../../../core/contracts/home'
import { everything } from '../../../../core/contracts/where'
import { visibilityCard } from '../../../../plugins/visibility/cards/home'
import { getVisibilitySummary } from '../../../../plugins/visibility/operations/getVisibilitySummary'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { type PageBench, pageBench, pageContext } from '../pages/support'

let held: PageBench
beforeEach(async () => {
  held = await pageBench()
})
afterEach(() => held.bench.stop())

async function said(more: object = {}) {
  const content = (await visibilityCard.load(pageContext(held, more))) as HomeCardContent | null
  if (content) expect(v.safeParse(homeContentSchema, content).issues).toBeUndefined()
  return content
}

describe('the figure of AI visibility on the home page', () => {
  test('is that of the page, with its interval, its answers and a word for its change', async () => {
    await held.prompt('vpr_1')
    await held.series(18, 20, 1)
    await held.series(2, 20, 31)
    const { totals } = await held.ask(getVisibilitySummary)
    expect(totals.mention_rate_v2.rate).toBe(0.9)
    const content = await said()
    expect(content).toMatchObject({ figure: '90\u00a0%', change: { text: 'up 80 points', tone: 'good' } })
    expect(content?.text).toMatch(/^\d\d to \d\d\s%, from 20 answers\.$/)
    expect(content?.series?.values).toHaveLength(4)
  })

  test('says “–” and no 0 without answers', async () => {
    expect(await said()).toMatchObject({ figure: '–', text: 'No answers of assistants yet.' })
  })

  test('does not say that there are no answers where nobody judges them', async () => {
    await held.run({ status: 'not_judged', answer_text: 'はい', started_at: '2026-03-10T12:00:00.000Z' })
    expect(await said()).toMatchObject({
      figure: '–',
      text: 'The answers are in a language whose verdicts are not measured.',
    })
  })

  test('is not there without a tracker, unless an owner could begin one', async () => {
    await held.bench.owner.rows(VisibilityTracker).removeWhere(everything)
    expect(await said()).toBeNull()
    const ready = { provider: 'direct', needs: () => [] }
    const system = { ...held.bench.owner, extensions: () => [ready] }
    expect(await said({ system })).toMatchObject({ state: 'todo', href: '/app/visibility/setup' })
    expect(await said({ system, person: { role: 'member' } })).toBeNull()
    expect(await said({ system, isDemo: true })).toBeNull()
  })
})

test('news counts the answers since then, and those that name the business', async () => {
  await held.series(2, 3, 1)
  await held.run({ status: 'error', error: 'cut', started_at: '2026-03-14T15:00:00.000Z' })
  const news = await visibilityCard.news?.(pageContext(held), '2026-03-12T18:00:00.000Z')
  expect(v.safeParse(homeNewsSchema, news).issues).toBeUndefined()
  expect(news?.map(({ text }) => text)).toEqual(['AI assistants named you in 2 of 2 new answers'])
  expect(await visibilityCard.news?.(pageContext(held), '2026-03-15T00:00:00.000Z')).toEqual([])
})
