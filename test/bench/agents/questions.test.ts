import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Row } from '../../../core/contracts/entity'
import { allSkills } from '../../../core/skills/catalog'
import { VisibilityTracker } from '../../../plugins/visibility/records/VisibilityTracker'
import { askMcp, callToolAsIs } from '../../support/mcp'
import { explainedReviews, limitsOf, referredVisits } from './adding-up'
import { canaryWords, encodedCanaries } from './canary'
import {
  clientPeriod,
  comparedFigures,
  figuresOfRecords,
  figuresOfRows,
  figuresOfTools,
  listedFigures,
} from './client-figures'
import { defaultAnswers } from './default-answers'
import { openDemo, sightingsIn } from './demo-world'
import { describedExamples, examplesOfRefusals, refusedExamples } from './described-examples'
import { furtherQuestions } from './further-questions'
import { canaryCalls } from './planted'
import { type Answered, answer, tokensOf } from './run-plans'
import { callsOf, wordsOfDemo } from './skill-calls'
import { standardQuestions } from './standard-questions'
import { sum } from './sums'

let demo: Awaited<ReturnType<typeof openDemo>>
const standard: Answered[] = []
const further: Answered[] = []
beforeAll(async () => {
  demo = await openDemo()
  for (const question of standardQuestions) standard.push(await answer(demo, question))
  for (const question of furtherQuestions) further.push(await answer(demo, question))
}, 120_000)
afterAll(() => demo?.stop())

const sumOf = (answers: readonly Answered[], name: 'calls' | 'tokens') =>
  answers.reduce((all, one) => all + one[name], 0)

test('20 standard questions and 20 others are answered with the figures of the rows', () => {
  expect([standard.length, further.length]).toEqual([20, 20])
  for (const { asks, figures, expected } of [...standard, ...further])
    expect({ asks, figures }).toEqual({ asks, figures: expected })
})

test('the standard questions take at most 40 calls and 40,000 tokens, and so do the others', () => {
  for (const answers of [standard, further]) {
    expect(sumOf(answers, 'calls')).toBeLessThanOrEqual(40)
    expect(sumOf(answers, 'tokens')).toBeLessThanOrEqual(40_000)
  }
})

test('no tool answers a call without a limit with more than 2,500 tokens, and it says how to go on', async () => {
  const answers = await defaultAnswers(demo)
  expect(answers.length).toBeGreaterThan(55)
  const long: Record<string, number> = Object.fromEntries(
    answers.flatMap(({ of, tokens }) => (tokens > 2_500 ? [[of, tokens]] : [])),
  )
  // One comparison is as long as its steps. Its tokens vary by some, because the marks are random.
  const { reconcileVisibility = 0, ...others } = long
  expect(others).toEqual({})
  expect(reconcileVisibility).toBeLessThan(2_600)
  const waiting = JSON.parse(answers.find(({ of }) => of === 'listReviewsNeedingResponse')?.text ?? '')
  expect(waiting.reviews.length).toBeGreaterThanOrEqual(12)
  expect(waiting).toMatchObject({ next_skip: waiting.reviews.length, limit: waiting.reviews.length })
  expect(waiting.hint).toContain('get_record')
  const events = JSON.parse(answers.find(({ of }) => of === 'listEvents')?.text ?? '')
  expect(events).toMatchObject({ has_more: true, next_skip: events.events.length })
  expect(events.hint).toContain('limit')
  const days = JSON.parse(answers.find(({ of }) => of === 'list_records AiTrafficDaily')?.text ?? '')
  expect(days.hint).toContain('by_agent')
  expect(days.rows[0]).not.toHaveProperty('by_agent')
}, 60_000)

test.each([
  ['getAiTrafficSummary', 'daily'],
  ['getVisibilitySummary', 'by_engine.previous'],
  ['getReviewAnalytics', 'trend'],
])('%s is short, says so, and has %s with full: true', async (tool, path) => {
  const answerTo = async (args: Record<string, unknown>) =>
    (await demo.callTool(tool, args)).content[0]?.text ?? ''
  const has = (text: string) => {
    const [head = '', inside] = path.split('.')
    const value = JSON.parse(text)[head]
    return inside === undefined ? value !== undefined : inside in value[0]
  }
  const short = await answerTo({})
  const whole = await answerTo({ full: true })
  expect([has(short), has(whole)]).toEqual([false, true])
  expect(JSON.parse(short).hint).toContain('full: true')
  expect(whole).not.toContain('"hint"')
  expect(tokensOf(short)).toBeLessThan(2_300)
})

test('a chat that draws an answer as an app gets all of it', async () => {
  const params = {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'tests', version: '1.0.0' },
    capabilities: {
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    },
  }
  const begun = await askMcp(demo.gate, '2025-11-25', 'initialize', params, { key: demo.key })
  const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const asked = (args: object) =>
    callToolAsIs(demo.gate, '2025-11-25', 'getAiTrafficSummary', { ...args }, { key: demo.key, headers })
  const answerTo = async (args: object) => JSON.parse((await asked(args)).content[0]?.text ?? '')
  expect(await answerTo({})).toHaveProperty('daily')
  expect(await answerTo({ full: false })).not.toHaveProperty('daily')
})

test('a list of events counts all of them by type, also those beyond it', async () => {
  const text = (await demo.callTool('listEvents', { period: 'this_month', limit: 1 })).content[0]?.text ?? ''
  const { events, by_type } = JSON.parse(text)
  const { dayOf, rows } = demo.facts
  const month = rows('EventEntry').filter(({ created_date }) => dayOf(created_date) >= '2026-11-01')
  const counts = Map.groupBy(month, ({ type }) => String(type))
  expect(events).toHaveLength(1)
  expect(counts.size).toBeGreaterThanOrEqual(6)
  expect(by_type).toEqual(Object.fromEntries([...counts].map(([type, { length }]) => [type, length])))
})

test('complaints are those of the rows, with words of the newest', async () => {
  const text = (await demo.callTool('getReviewAnalytics', {})).content[0]?.text ?? ''
  const { complaints, period } = JSON.parse(text)
  const { dayOf, rows } = demo.facts
  const complaining = rows('Review')
    .filter(({ removed_at, is_removed }) => !removed_at && !is_removed)
    .filter(({ review_created_at: at }) => dayOf(at) >= period.date_from && dayOf(at) <= period.date_to)
    .filter(({ star_rating, sentiment }) => Number(star_rating ?? 5) <= 2 || sentiment === 'negative')
  const withoutTopic = complaining.filter(({ key_topics = [] }) => (key_topics as unknown[]).length === 0)
  expect(complaints).toMatchObject({ reviews: complaining.length, without_topic: withoutTopic.length })
  const counts = Map.groupBy(
    complaining.flatMap(({ key_topics = [] }) => key_topics as string[]),
    (topic) => topic,
  )
  const most = Math.max(...[...counts.values()].map(({ length }) => length))
  expect(complaints.topics[0].reviews).toBe(most)
  const ids = new Set(complaining.map(({ id }) => id))
  expect(complaints.quotes.length).toBeGreaterThanOrEqual(3)
  for (const { review_id } of complaints.quotes) expect(ids.has(review_id)).toBe(true)
})

test('a refusal marks the names that people gave to records', async () => {
  for (const args of [{ location_id: 'Stich and Story' }, { location_id: 'wholly unknown' }]) {
    const { content, isError } = await demo.callTool('explainReviewCount', args)
    const text = content[0]?.text ?? ''
    const { untrusted, errors, instance } = JSON.parse(text.slice(text.indexOf('\n')))
    const tag = /<(\w+)>/.exec(untrusted)?.[1] ?? ''
    expect([isError, instance]).toEqual([true, undefined])
    expect(errors[0].allowed).toContain(`<${tag}>Stitch & Story</${tag}>`)
    expect(text.replaceAll(new RegExp(`<${tag}>[^<]{1,80}</${tag}>`, 'g'), '')).not.toMatch(
      /Stitch|Harbour|\/api\//,
    )
  }
})

test.each([
  ['getPromptPerformance', 'tracker_id', 'Harbour Bakehouse · AI', /Harbour|Copperline|Bluebell/],
  ['getAiTrafficSummary', 'site_id', 'copper-kettle.example', /[a-z]+\.example/],
  ['getReputationSummary', 'workspace_id', 'Sol y Alpes (demo)', /Lantern|Sol y Alpes|\(demo\)/],
] as const)('a refusal of %s marks what people entered for %s', async (tool, argument, name, typed) => {
  const { content, isError } = await demo.callTool(tool, { [argument]: 'wholly unknown' })
  const text = content[0]?.text ?? ''
  const { untrusted, errors } = JSON.parse(text.slice(text.indexOf('\n')))
  const tag = /<(\w+)>/.exec(untrusted)?.[1] ?? ''
  expect(isError).toBe(true)
  expect(errors[0].allowed).toContain(`<${tag}>${name}</${tag}>`)
  expect(text.replaceAll(new RegExp(`<${tag}>[^<]{1,80}</${tag}>`, 'g'), '')).not.toMatch(typed)
})

test.each([
  ['getShareOfVoice', 'tracker_id', ['Bluebell Dental Care · AI', 'Harbour Bakehouse · AI']],
  ['explainReviewCount', 'location_id', ['Harbour Bakehouse', 'Stitch & Story']],
] as const)('%s without %s says which there are', async (tool, argument, names) => {
  const { content, isError } = await demo.callTool(tool, {})
  const text = content[0]?.text ?? ''
  const { untrusted, errors } = JSON.parse(text.slice(text.indexOf('\n')))
  const tag = /<(\w+)>/.exec(untrusted)?.[1] ?? ''
  expect([isError, errors[0]]).toMatchObject([true, { pointer: `/${argument}`, code: 'required' }])
  for (const name of names) expect(errors[0].allowed).toContain(`<${tag}>${name}</${tag}>`)
})

test('a workspace with one tracker needs no name for it', async () => {
  const rows = demo.gate.owner.rows(VisibilityTracker)
  const { tenant } = demo.gate
  const { id, ...first } = (await rows.list({ limit: 1 }))[0] as Row<typeof VisibilityTracker>
  const { id: only } = await rows.insert({ ...first, workspace_id: tenant.otherWorkspaceId })
  const call = { workspace_id: tenant.otherWorkspaceId }
  const { content } = await callToolAsIs(demo.gate, '2025-11-25', 'getShareOfVoice', call)
  expect([only === id, JSON.parse(content[0]?.text ?? '')]).toMatchObject([false, { tracker_id: only }])
})

test('a refusal marks a draft that it shows, and no name that Renown declares', async () => {
  const list = await demo.callTool('list_records', {
    entity: 'Review',
    q: { ai_suggested_response: { $ne: null } },
    limit: 1,
  })
  const [{ id: review_id }] = JSON.parse(list.content[0]?.text ?? '').rows
  const refused = async (name: string, args: Record<string, unknown>) => {
    const text = (await demo.callTool(name, args)).content[0]?.text ?? ''
    return JSON.parse(text.slice(text.indexOf('\n')))
  }
  const draft = { review_id, text: 'Thank you.', if_unchanged: 'Another draft.', dry_run: true }
  const { untrusted, suggested_response } = await refused('generateReviewReply', draft)
  const tag = /<(\w+)>/.exec(untrusted)?.[1] ?? ''
  expect(suggested_response).toMatch(new RegExp(`^<${tag}>[^<]{3,}</${tag}>$`))
  const unknown = await refused('proposeChange', { change: 'posts publish', input: {}, reason: 'x' })
  expect([unknown.untrusted, unknown.errors[0].did_you_mean]).toEqual([undefined, 'post publish'])
  expect(unknown.errors[0].allowed).toContain('review reply')
})

test('orders of strangers are marked in every answer, also those that only show when they are decoded', async () => {
  const all = [...standard, ...further]
  expect(all.filter(({ canaries }) => canaries.unmarked.length > 0)).toEqual([])
  expect(all.filter(({ canaries }) => canaries.marked.length > 0).length).toBeGreaterThanOrEqual(5)
  const seen = new Set<string>()
  // The answer has the text too.
  for (const { tool, args } of canaryCalls) {
    const { marked, unmarked } = sightingsIn(await demo.callStructured(tool, args))
    expect({ tool, args, unmarked: [...unmarked] }).toEqual({ tool, args, unmarked: [] })
    for (const word of marked) seen.add(word)
  }
  expect([...seen].sort()).toEqual([...canaryWords])
})

test('a canary outside the marks is found in every form', () => {
  for (const [place, text] of Object.entries(encodedCanaries))
    for (const result of [asText({ [place]: text }), { ...asText({}), structuredContent: { [place]: text } }])
      expect([place, sightingsIn(result).unmarked.size]).toEqual([place, 1])
})

const asText = (answer: object) => ({ content: [{ type: 'text', text: JSON.stringify(answer) }] })

test('every call that a skill shows works on the demo', async () => {
  const words = wordsOfDemo(demo.facts)
  const calls = allSkills.flatMap((skill) => callsOf(skill, words))
  expect(calls.length).toBeGreaterThanOrEqual(50)
  for (const { skill, tool, args } of calls) {
    const { isError } = await demo.callTool(tool, args)
    expect([skill, tool, args, isError]).toEqual([skill, tool, args, undefined])
  }
})

test('every example in the descriptions of tools and arguments works on the demo', async () => {
  const examples = describedExamples()
  expect(examples.length).toBeGreaterThan(110)
  expect(await refusedExamples(demo, examples)).toEqual([])
}, 60_000)

test('what a refusal gives as an example is accepted', async () => {
  const examples = await examplesOfRefusals(demo)
  expect(examples.length).toBeGreaterThan(15)
  expect(await refusedExamples(demo, examples)).toEqual([])
}, 60_000)

test('clients have the same figures in compareWorkspaces, on the page Clients, in other tools and in the rows', async () => {
  const compared = await comparedFigures(demo)
  expect(Object.keys(compared)).toHaveLength(3)
  for (const figures of Object.values(compared)) expect(Object.keys(figures)).toHaveLength(10)
  expect(await comparedFigures(demo, clientPeriod)).toEqual(compared)
  expect(await figuresOfRows(demo)).toEqual(compared)
  expect(await figuresOfTools(demo)).toEqual(compared)
  for (const some of [await listedFigures(demo), await figuresOfRecords(demo)])
    for (const [name, figures] of Object.entries(compared))
      expect({ name, ...figures }).toMatchObject({ name, ...some[name] })
}, 60_000)

test('answers about reviews, referrals and limits add up to the rows', async () => {
  const explained = await explainedReviews(demo)
  expect(explained.length).toBeGreaterThanOrEqual(5)
  for (const { answer, rows } of explained) expect(answer).toEqual(rows)
  const { answer: referred, rows } = await referredVisits(demo)
  expect(referred.pages).toHaveLength(100)
  expect(referred).toEqual(rows)
  const limits = await limitsOf(demo)
  expect(limits.length).toBeGreaterThanOrEqual(5)
  for (const { name, used, limit, left } of limits)
    expect([name, left]).toEqual([name, Math.max(0, limit - used)])
  const scheduled = limits.filter(({ name }) => name === 'scheduled_reports')
  expect(sum(scheduled.map(({ used }) => used))).toBe(demo.facts.rows('ScheduledReport').length)
}, 60_000)
