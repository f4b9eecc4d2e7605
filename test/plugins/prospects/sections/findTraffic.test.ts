import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { findTraffic } from '../../../../plugins/prospects/sections/findTraffic'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { type ProspectBench, prospectBench } from '../support/bench'

let world: ProspectBench
beforeAll(async () => {
  world = await prospectBench()
})
afterEach(() => world.websites.reset())
afterAll(() => world.stop())

const home = 'https://service.example/'
const business = '<script type="application/ld+json">{"@type":"Florist"}</script>'

interface Agent {
  agent: string
  allowed: boolean
  group: string
  purpose: string
  rule?: string
}

async function found(changes: Parameters<ProspectBench['prospect']>[0] = {}, isLast = true) {
  const seen = await findTraffic(world.owner, await world.prospect(changes), () => isLast)
  const agents = (seen.ai_agents ?? []) as Agent[]
  return { seen, agent: (name: string) => agents.find(({ agent }) => agent === name) }
}
const reasons = (seen: Awaited<ReturnType<typeof findTraffic>>) =>
  seen.unknown.map(({ what, reason }) => `${what}: ${reason}`)

describe('A website', () => {
  test('that is open to everybody is told so, with how and when', async () => {
    world.websites.page(home, `<title>Shop</title>${business}`)
    world.websites.text('https://service.example/llms.txt', '# Pitch & Co')
    world.websites.redirect('http://service.example/', home)
    const { seen, agent } = await found()
    expect(seen).toMatchObject({
      status: 'known',
      looked_at: world.bench.now.toISOString(),
      unknown: [],
      score: 100,
      reachable: true,
      https: { works: true },
      http_leads_to_https: true,
      redirects: [],
      url: home,
      robots_txt: { state: 'absent', status: 404 },
      llms_txt: true,
      noindex_for: [],
      structured_data: { blocks: 1, unreadable: 0, types: ['Florist'] },
      counts_ai_traffic: false,
      has_title: true,
      has_description: false,
    })
    expect(agent('GPTBot')).toEqual({
      agent: 'GPTBot',
      operator: 'OpenAI',
      purpose: 'training',
      heeds_robots_txt: true,
      allowed: true,
      group: 'none',
    } as Agent)
  })

  test('is asked for its robots.txt first, and says there who may come for what', async () => {
    world.websites.page(home, business)
    world.websites.text(
      'https://service.example/robots.txt',
      'User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: OAI-SearchBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart',
    )
    const { seen, agent } = await found()
    expect(world.websites.asked[0]).toBe('https://service.example/robots.txt')
    expect(agent('OAI-SearchBot')).toMatchObject({ allowed: false, group: 'named', rule: 'Disallow: /' })
    expect(agent('PerplexityBot')).toMatchObject({ allowed: true, group: 'all' })
    // Of those that search or fetch for a user and heed it, one is kept out. Training is the owner's own choice.
    const agents = seen.ai_agents as { purpose: string; heeds_robots_txt: boolean }[]
    const welcome = agents.filter((one) => one.heeds_robots_txt && one.purpose !== 'training').length
    expect(seen.score).toBe(Math.round(20 + (45 * (welcome - 1)) / welcome + 20 + 15))
  })

  test('is followed through redirects, each host by its own robots.txt', async () => {
    world.websites.redirect(home, 'https://other.example/home?visitor=203.0.113.9')
    world.websites.page('https://other.example/home', business)
    world.websites.text('https://other.example/robots.txt', 'User-agent: bingbot\nDisallow: /home')
    const { seen, agent } = await found()
    expect(seen).toMatchObject({
      url: 'https://other.example/home',
      redirects: ['https://other.example/home'],
    })
    expect(agent('bingbot')).toMatchObject({ allowed: false, group: 'named' })
    expect(JSON.stringify(seen)).not.toContain('203.0.113.9')
  })

  test('that sends in a circle is asked six times and no more', async () => {
    world.websites.redirect(home, home)
    const { seen } = await found()
    expect(world.websites.asked.filter((url) => url === home)).toHaveLength(6)
    expect(reasons(seen)).toContain('page: It answers 301.')
  })

  test('that asks robots to stay away is not looked at further, and its word is told', async () => {
    world.websites.page(home, business)
    world.websites.text('https://service.example/robots.txt', 'User-agent: *\nDisallow: /')
    const { seen, agent } = await found()
    expect(world.websites.asked).toEqual(['https://service.example/robots.txt'])
    expect(agent('Claude-SearchBot')).toMatchObject({ allowed: false, group: 'all' })
    expect(seen.status).toBe('partial')
    expect(reasons(seen)).toContain('page: Its robots.txt does not allow it.')
    expect([seen.structured_data, seen.llms_txt]).toEqual([undefined, null])
  })

  test('whose robots.txt fails is closed to everybody, as the standard has it', async () => {
    world.websites.page(home, business)
    world.websites.text('https://service.example/robots.txt', 'oh', 503)
    const { seen, agent } = await found()
    expect(seen.robots_txt).toEqual({ state: 'unreachable', status: 503 })
    expect(agent('GPTBot')).toMatchObject({ allowed: false })
    expect(reasons(seen)).toContain('page: Its robots.txt answers 503, which is a no to robots.')
  })

  test('whose robots.txt is larger than anybody reads is not looked at, and not called unreachable', async () => {
    world.websites.page(home, business)
    world.websites.text('https://service.example/robots.txt', '#'.repeat(2 * 1024 * 1024 + 1))
    const { seen } = await found()
    expect(seen).toMatchObject({
      status: 'partial',
      reachable: true,
      https: { works: true },
      ai_agents: null,
      robots_txt: { state: 'too_large', status: 200 },
    })
    expect(reasons(seen)).toContain('page: Its robots.txt is too large.')
  })

  test('whose robots.txt sends in a circle has none', async () => {
    world.websites.page(home, business)
    world.websites.redirect('https://service.example/robots.txt', '/robots.txt')
    const { seen, agent } = await found()
    expect(seen).toMatchObject({
      status: 'known',
      robots_txt: { state: 'absent', status: 301 },
      score: 100,
    })
    expect(agent('GPTBot')).toMatchObject({ allowed: true, group: 'none' })
  })

  test('may be told apart from its robots by elements and headers', async () => {
    world.websites.page(home, `<meta name="GPTBot" content="noindex">${business}`, {
      'x-robots-tag': 'none',
    })
    const { seen } = await found()
    expect(seen.noindex_for).toEqual(['gptbot', 'robots'])
    expect(seen.score).toBe(80)
  })

  test('that has plain http only is looked at there', async () => {
    world.websites.page('http://wrong.example/', business)
    const { seen } = await found({ website: 'https://wrong.example/' })
    expect(seen).toMatchObject({
      reachable: true,
      url: 'http://wrong.example/',
      score: 80,
      http_leads_to_https: null,
      https: { works: false, reason: "The host's certificate is not valid for its name." },
    })
  })

  test('that leads from https back to http is not called secure', async () => {
    world.websites.redirect(home, 'http://service.example/')
    world.websites.page('http://service.example/', business)
    const { seen } = await found()
    expect(seen).toMatchObject({ https: { works: false, reason: 'It redirects to plain http.' } })
  })

  test.each([
    ['an error', () => new Response('no', { status: 403 }), 'page: It answers 403.'],
    [
      'no HTML',
      () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }),
      'page: It is not HTML.',
    ],
    [
      'a page without end',
      () => new Response('x'.repeat(4 * 1024 * 1024 + 1), { headers: { 'content-type': 'text/html' } }),
      'page: The page is too large.',
    ],
  ])('that answers %s is there, and its page is not known', async (_, answer, reason) => {
    world.websites.answers.set(home, answer)
    const { seen } = await found()
    expect(seen).toMatchObject({ status: 'partial', reachable: true })
    expect(reasons(seen)).toContain(reason)
  })

  test('carries our script only with a key of its own workspace', async () => {
    const key = 'rnw_site_pitch1'
    world.websites.page(home, `<script src="https://count.example/s/${key}.js"></script>`)
    expect((await found()).seen.counts_ai_traffic).toBe(false)
    const site = {
      location_id: 'loc_1',
      domain: 'service.example',
      timezone: 'UTC',
      site_key: key,
      is_active: true,
      count_search_engines: false,
      respect_dnt: true,
      forwarder_token_last4: 'abcd',
      forwarder_token_hash: 'hash',
    }
    const sites = world.owner.rows(AiTrafficSite)
    const { id } = await sites.insert({ ...site, workspace_id: 'wsp_other' })
    expect((await found()).seen.counts_ai_traffic).toBe(false)
    await sites.removeWhere({ op: 'eq', field: 'id', value: id })
    await sites.insert({ ...site, workspace_id: world.workspace_id })
    expect((await found()).seen.counts_ai_traffic).toBe(true)
  })
})

describe('What cannot be looked at is not judged', () => {
  test.each([
    [undefined, 'Its website is unknown.'],
    ['ftp://service.example/', 'Its website is not a web address.'],
    ['not a website', 'Its website is not a web address.'],
    ['https://inside.example/', 'The host is not on the public internet.'],
    ['https://169.254.169.254/latest', 'The host is not on the public internet.'],
    ['https://ann:secret@service.example/', 'The address has a user name in it.'],
  ])('%s', async (website, reason) => {
    const { seen } = await found({ website })
    expect(seen).toMatchObject({ status: 'unknown', unknown: [{ what: 'website', reason }] })
    expect(seen).not.toHaveProperty('score')
    expect(JSON.stringify(seen)).not.toContain('secret')
  })
  test('where it leads into a private network', async () => {
    world.websites.redirect(home, 'http://10.0.0.7/admin')
    const { seen } = await found()
    expect(seen).toMatchObject({ status: 'unknown' })
    expect(JSON.stringify(seen)).not.toContain('10.0.0.7')
  })
})

describe('What may pass', () => {
  test('is tried again; a name that the DNS does not know is what was found at last', async () => {
    const website = 'https://nowhere.example/'
    await expect(found({ website }, false)).rejects.toMatchObject({ kind: 'transient' })
    const { seen } = await found({ website })
    expect(seen).toMatchObject({
      status: 'known',
      reachable: false,
      score: 0,
      ai_agents: null,
      robots_txt: null,
      https: { works: false, reason: 'The host has no address.' },
    })
  })
  test('is not held against a website whose host does not answer us', async () => {
    const { seen } = await found({ website: 'https://closed.example/' })
    expect(seen).toMatchObject({
      status: 'partial',
      reachable: false,
      https: { works: false },
      unknown: [{ what: 'website', reason: 'The host could not be reached.' }],
    })
    expect(seen).not.toHaveProperty('score')
  })
  test('is no finding at all where the DNS is away', async () => {
    const away = () => Promise.reject(new Error('away'))
    const outbound = { ...world.owner.outbound, dns: { addresses: away, txt: away } }
    const prospect = await world.prospect({ website: 'https://nowhere.example/' })
    expect(await findTraffic({ ...world.owner, outbound }, prospect, () => true)).toMatchObject({
      status: 'unknown',
      unknown: [{ what: 'website', reason: 'The host has no address.' }],
    })
  })
})
