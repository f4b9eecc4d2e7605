import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything, where } from '../../../../../core/contracts/where'
import { definePlugin } from '../../../../../core/doors/front'
import { type HomeCard, type HomeCardContent, type HomeNews, homeCard } from '../../../../../core/doors/pages'
import { Connection } from '../../../../../core/outbound/Connection'
import { inbox } from '../../../../../core/product/inbox-plugin'
import { jobsPlugin } from '../../../../../core/product/jobs-plugin'
import { HomeVisit } from '../../../../../core/tenancy/home/HomeVisit'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../../../support/harness'
import { signedIn } from '../../../../support/signed-in'

const asked: string[] = []
const given = { news: [] as unknown, content: null as unknown, fault: '' }
const card: HomeCard = {
  name: 'letters',
  title: 'Letters',
  href: '/app/account',
  order: 50,
  load: async () => given.content as HomeCardContent | null,
  async news(ctx, since) {
    asked.push(`${ctx.workspace.id} ${since}`)
    if (given.fault !== '') throw new Error(given.fault)
    return given.news as HomeNews[]
  },
}
const plugin = definePlugin({
  name: 'letters',
  renown: '^1.0.0',
  provides: [homeCard.with(card)],
})

let gate: Gate
let cookie: string
let userId: string
beforeAll(async () => {
  gate = await startGate({ plugins: [plugin, inbox, jobsPlugin([])] })
  const person = await signedIn(gate)
  cookie = person.cookie
  userId = person.userId
})
afterAll(() => gate.stop())
beforeEach(async () => {
  Object.assign(given, { news: [], content: null, fault: '' })
  asked.length = 0
  await gate.owner.rows(HomeVisit).removeWhere(everything)
})

const minute = 60_000
const open = async (headers: Record<string, string> = {}, path = '/app') => {
  const answer = await gate.ask(path, { key: null, headers: { cookie, ...headers } })
  const html = (await answer.text()).replace(/^.*<main/s, '<main')
  return { status: answer.status, html, text: html.replaceAll(/<[^>]+>/g, ' ') }
}
const since = () => asked.at(-1)?.split(' ')[1] ?? ''
/** Whole hours from the asked instant to now: the clock of the gate goes on by itself. */
const hoursBack = () => Math.round((gate.clock.now().getTime() - Date.parse(since())) / (60 * minute))
const lastSeen = async () => (await gate.owner.rows(HomeVisit).list())[0]?.seen_at ?? 'never'

describe('since you last looked', () => {
  test('looks back on a week at first, and then on the time since the last visit', async () => {
    given.news = [{ text: '3 new letters', href: '/app/account?of=3' }]
    const first = await open()
    expect(first.text).toMatch(/In the last 7 days/)
    expect(first.html).toContain('<a href="/app/account?of=3">3 new letters</a>')
    expect(hoursBack()).toBe(7 * 24)
    gate.clock.advance(10 * minute)
    expect((await open()).text).toMatch(/In the last 7 days/)
    const last = await lastSeen()
    gate.clock.advance(3 * 60 * minute)
    const again = await open()
    expect(again.text).toMatch(/Since your last visit\s+3 h ago/)
    expect(since()).toBe(last)
    gate.clock.advance(20 * minute)
    await open()
    expect(since()).toBe(last)
  })

  test('is not moved by what nobody saw', async () => {
    await open()
    const opened = await lastSeen()
    gate.clock.advance(60 * minute)
    await open({ 'sec-purpose': 'prefetch' })
    await open({ 'sec-fetch-dest': 'empty' })
    await gate.ask('/app', { method: 'HEAD', key: null, headers: { cookie } })
    gate.clock.advance(60 * minute)
    await open()
    expect(since()).toBe(opened)
  })

  test('is not moved while something could not be read, which is said', async () => {
    await open()
    const opened = await lastSeen()
    gate.clock.advance(60 * minute)
    given.fault = 'the letters are away'
    const { text } = await open()
    expect(text).toMatch(/Unavailable\s+Letters: what is new could not be read\./)
    expect(text).not.toContain('Nothing changed.')
    expect(text).not.toContain('the letters are away')
    gate.clock.advance(60 * minute)
    given.fault = ''
    await open()
    expect(since()).toBe(opened)
  })

  test.each([
    ['a path of elsewhere', { text: 'x', href: 'https://evil.example' }],
    ['no words', { text: '', href: '/app' }],
    ['no object', 'x'],
  ])('news with %s is unavailable', async (_, one) => {
    given.news = [one]
    expect((await open()).text).toMatch(/Letters: what is new could not be read/)
  })

  test('is kept for each person and workspace, and in a demo', async () => {
    const { otherWorkspaceId, workspaceId, agencyId } = gate.tenant
    await open({}, `/app/w/${workspaceId}`)
    gate.clock.advance(60 * minute)
    const there = await open({}, `/app/w/${otherWorkspaceId}`)
    expect(there.text).toContain('In the last 7 days')
    const other = await signedIn(gate, { agencyId, email: 'bo@example.com' })
    const seen = await open({ cookie: other.cookie }, `/app/w/${workspaceId}`)
    expect(seen.text).toContain('In the last 7 days')
    await gate.owner.rows(User).removeWhere(where.eq('id', other.userId))
    await gate.owner.rows(Workspace).update(workspaceId, { is_demo: true })
    const demo = await open({}, `/app/w/${workspaceId}`)
    await gate.owner.rows(Workspace).update(workspaceId, { is_demo: undefined })
    expect(demo.text).toContain('Since your last visit')
    expect(await gate.owner.rows(HomeVisit).count()).toBe(3)
    expect(await gate.owner.rows(HomeVisit).count(where.eq('user_id', userId))).toBe(2)
  })

  test('is recorded once by two tabs that open at the same time', async () => {
    const both = await Promise.all([open(), open()])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await gate.owner.rows(HomeVisit).count()).toBe(1)
  })
})

describe('a figure', () => {
  test('has its period, its change, its course in words, its definition and its page', async () => {
    given.content = [
      {
        title: 'Sent',
        figure: '12',
        text: 'Letters sent.',
        state: 'info',
        period: '1 to 28 Mar',
        href: '/app/account?days=28',
        link: 'All letters',
        definition: 'Letters with a stamp.',
        change: { text: '▼ 3 %', tone: 'bad' },
        series: { values: [1, null, 3, 2], label: 'Letters per day: 1 at first, 2 at last' },
      },
      {
        title: 'Opened',
        figure: '4',
        text: 'Letters opened.',
        state: 'info',
        change: { text: 'not comparable', tone: 'plain' },
      },
    ]
    const { html, text } = await open()
    expect(html).toContain('aria-label="Letters per day: 1 at first, 2 at last"')
    expect(html).toContain('<a href="/app/account?days=28">All letters</a>')
    expect(html).toMatch(/class="change down">▼ 3 %/)
    expect(text).toContain('1 to 28 Mar. Letters sent.')
    expect(text).toContain('Letters with a stamp.')
    expect(text).toMatch(/Opened\s+4\s+not comparable/)
  })

  test.each([
    ['NaN', { series: { values: [Number.NaN], label: 'x' } }],
    ['an empty figure', { figure: '' }],
    ['an address of elsewhere', { href: '//evil.example' }],
    ['no text', { text: undefined }],
  ])('with %s is unavailable and no zero', async (_, more) => {
    given.content = { figure: '0', text: 'x', state: 'info', ...more }
    const { text } = await open()
    expect(text).toMatch(/Letters\s+Unavailable/)
    expect(text).not.toMatch(/Letters\s+0/)
  })
})

describe('what needs a person', () => {
  test('are lines of work that waits, each with its number and its page', async () => {
    given.content = { figure: '12', text: 'Nobody read them.', state: 'waiting', link: 'Read them' }
    const { html, text } = await open()
    expect(text).toMatch(/What needs you now\s+Letters\s+12\s+Nobody read them\.\s+Read them/)
    expect(text).not.toContain('Nothing waits for you')
    expect(html).not.toContain('home-figures')
  })

  test('is not said to be nothing while a figure cannot be read', async () => {
    given.content = { figure: '', text: 'x', state: 'info' }
    expect((await open()).text).not.toContain('Nothing waits for you')
    given.content = { figure: '1', text: 'x', state: 'info' }
    expect((await open()).text).toContain('Nothing waits for you')
  })

  test('are the problems of the inbox, each with its next step, and of no other workspace', async () => {
    expect((await open()).text).toMatch(/What needs you now\s+Nothing waits for you/)
    const account = (name: string) =>
      ({
        provider: 'google',
        account_id: name,
        account_name: name,
        state: 'broken',
        error: 'The token has ended.',
      }) as const
    const { workspaceId } = gate.tenant
    await gate.put(Connection, account('Ours'), workspaceId)
    await gate.put(Connection, account('Theirs'), gate.stranger.workspaceId)
    const { html, text } = await open({}, `/app/w/${workspaceId}`)
    expect(text).toContain('google: reconnect Ours')
    expect(text).not.toContain('Theirs')
    expect(html).toMatch(/href="\/app\/w\/\w+\/settings\/connections"[^>]*>Reconnect/)
    expect(text).not.toContain('Nothing waits for you')
  })
})
