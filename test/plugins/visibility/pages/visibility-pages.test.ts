import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { builtin } from '../../../../plugins'
import { VisibilityPrompt } from '../../../../plugins/visibility/records/VisibilityPrompt'
import { VisibilityRun } from '../../../../plugins/visibility/records/VisibilityRun'
import { VisibilityTracker } from '../../../../plugins/visibility/records/VisibilityTracker'
import { type Gate, startGate } from '../../../support/harness'
import { signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

const hostile = '<img src=x onerror=alert(1)>"\'&'
const path = '/app/visibility'
let gate: Gate
let ada: Visitor
let tracker = ''
let prompt = ''

beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
  const { cookie } = await signedIn(gate)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
})
afterAll(() => gate.stop())
beforeEach(async () => {
  for (const entity of [VisibilityTracker, VisibilityPrompt, VisibilityRun])
    await gate.owner.rows(entity).removeWhere(everything)
})

async function putTracker(more: object = {}, workspaceId?: string) {
  const names = { name: 'Bakery tracker', brand_name: 'Harbour Bakehouse', brand_aliases: [] }
  const asking = {
    engines: ['chatgpt', 'claude'],
    provider: 'direct',
    is_active: true,
    run_frequency_hours: 24,
  }
  const competitors = [{ name: 'Crumb & Co' }]
  const row = { location_id: 'loc_1', ...names, ...asking, competitors, ...more }
  tracker = (await gate.put(VisibilityTracker, row, workspaceId)).id
  const about = { tracker_id: tracker, location_id: 'loc_1', text: 'Which bakery is best?', language: 'en' }
  const kind = { country: 'GB', intent: 'local', status: 'active', source: 'user' } as const
  prompt = (await gate.put(VisibilityPrompt, { ...about, ...kind, tags: [] }, workspaceId)).id
}

function putRun(daysAgo: number, more: object = {}, workspaceId?: string) {
  const started_at = new Date(gate.owner.now().getTime() - daysAgo * 86_400_000 - 3_600_000).toISOString()
  const of = {
    tracker_id: tracker,
    prompt_id: prompt,
    location_id: 'loc_1',
    engine: 'chatgpt',
    country: 'GB',
  }
  const said = { answer_text: 'I recommend Crumb & Co.', search_queries: [], citations: [] }
  const judged = { brand_mentioned: false, brand_cited: false, competitor_mentions: [{ name: 'Crumb & Co' }] }
  const rest = {
    provider: 'direct',
    access: 'api',
    status: 'ok',
    definition_version: 'visibility@2',
  } as const
  const row = { ...of, ...said, ...judged, ...rest, batch_id: 'b', started_at, ...more }
  return gate.put(VisibilityRun, row, workspaceId)
}

const naming = { brand_mentioned: true, answer_text: 'Harbour Bakehouse is great.', competitor_mentions: [] }

describe('the three questions of a newcomer are answered by the page alone', () => {
  beforeEach(async () => {
    await putTracker()
    for (let day = 1; day <= 10; day++) {
      await putRun(day, { ...naming, stance: 'recommended' })
      await putRun(day, { engine: 'claude' })
      await putRun(day + 30, { engine: 'claude' })
      await putRun(day + 30)
    }
  })

  test('are we recommended more than last month, and how sure is that?', async () => {
    const { text, html } = await ada.open(path)
    expect(text).toMatch(
      /Named .* 50 % Up 50 points .* 95 % interval: \d+ to \d+ %\. 20 answers in 10 rounds\./,
    )
    expect(text).toMatch(/Recommended .* 50 % Up 50 points/)
    expect(text).toContain('50 % now and 0 % in the 28 days before')
    expect(html).toMatch(/role="img" aria-label="Named: 50 %, between \d+ % and \d+ %"/)
  })

  test('which prompts do we lose, to whom, where?', async () => {
    const { text } = await ada.open(path)
    expect(text).toMatch(
      /Where you lose .* Which bakery is best\? Named in 10 of 20 answers\. Named instead: Crumb & Co 10 \. Weakest at Claude 0 of 10\./,
    )
  })

  test('why does another tool show a different number?', async () => {
    const { text } = await ada.open(path)
    expect(text).toContain('Why does another tool show a different number?')
    expect(text).toContain('visibility.mention_rate@2')
    expect(text).toContain('visibility.mention_rate@1')
  })
})

describe('the page', () => {
  test('has prompts and assistants as a table, whose cells lead to their answers', async () => {
    await putTracker()
    await putRun(1, naming)
    await putRun(2)
    const { html } = await ada.open(path)
    expect(html).toContain('<th scope="col">ChatGPT</th>')
    const [, href = ''] = /<td class="cell t2"><a href="([^"]+)">1 of 2</.exec(html) ?? []
    const answers = await ada.open(href.replaceAll('&amp;', '&'))
    expect(answers.text).toContain('2 runs')
    expect(answers.html).toContain('<mark class="you" title="You">Harbour Bakehouse</mark> is great.')
    expect(answers.html).toContain('<mark class="other" title="Competitor">Crumb &amp; Co</mark>')
  })

  test('says the same in a chart and in a table', async () => {
    await putTracker()
    await putRun(1, naming)
    const { html, text } = await ada.open(`${path}?days=7`)
    expect(html).toMatch(/role="img" aria-label="Share of answers that name you, by day: 100\s% from /)
    expect(text).toMatch(/Rate over time|As a table/)
    expect(html.match(/<svg class="whisker"[^>]*aria-hidden="true"/g)?.length).toBeGreaterThan(1)
  })

  test('leads a workspace without a tracker to its set-up', async () => {
    const { text, html } = await ada.open(path)
    expect(text).toContain('No tracker asks AI assistants about this business yet.')
    expect(html).toContain('setupVisibilityTracking')
    expect(html).not.toContain('class="large"')
  })

  test('says why there is no figure, and which assistant cannot be asked', async () => {
    await putTracker()
    const { text } = await ada.open(path)
    expect(text).toContain('The tracker has not asked anything yet.')
    expect(text).toMatch(/ChatGPT Not asked It is not set up: set OPENAI_API_KEY\./)
    await putRun(200)
    expect((await ada.open(path)).text).toContain('There are no answers in this period.')
  })

  test('names filters that it ignored, and a file refuses them', async () => {
    await putTracker()
    await putRun(1)
    expect((await ada.open(`${path}?engine=ChatGPT`)).text).toContain('Use chatgpt or claude.')
    expect((await ada.open('/app/data/visibility.csv?engine=ChatGPT')).status).toBe(422)
    const { html: csv } = await ada.open('/app/data/visibility.csv')
    expect(csv).toContain(`${prompt},Which bakery is best?,${tracker},Harbour Bakehouse,false,chatgpt,0,1,`)
  })

  test('shows fifty prompts, and a file has them all, with the interval of each rate', async () => {
    await putTracker()
    await putRun(1, naming)
    await putRun(2)
    const more = { tracker_id: tracker, location_id: 'loc_1', language: 'en', country: 'GB', tags: [] }
    const kind = { intent: 'local', status: 'active', source: 'user' } as const
    for (let place = 0; place < 52; place++)
      await gate.put(VisibilityPrompt, { ...more, ...kind, text: `Which baker is number ${place}?` })
    const { html, text } = await ada.open(path)
    expect(html.match(/<th scope="row"><a/g)).toHaveLength(50)
    expect(text).toContain('Show 3 more prompts')
    expect(text).toMatch(/1 of 2 , ChatGPT, Which bakery is best\? .{1,80}? 50 % \d+ to \d+ %/)
    const { html: csv } = await ada.open('/app/data/visibility.csv')
    expect(new Set(csv.match(/^vpr_\w+/gm))).toHaveProperty('size', 53)
    expect(csv).toMatch(/,rate_low,rate_high$/m)
    expect(csv).toMatch(/,chatgpt,1,2,0\.5,1,Crumb & Co,0\.\d+,0\.\d+$/m)
  })

  test('shows texts of strangers as text', async () => {
    await putTracker({ name: hostile, brand_name: hostile, competitors: [{ name: hostile }] })
    await gate.owner.rows(VisibilityPrompt).update(prompt, { text: hostile })
    const citations = [
      { domain: hostile, url: 'javascript:alert(1)', cited: true, is_own: false, title: hostile },
    ]
    const { id } = await putRun(1, {
      answer_text: hostile,
      citations,
      model: hostile,
      stance_evidence: hostile,
      error: hostile,
      competitor_mentions: [{ name: hostile }],
      search_queries: [hostile],
    })
    for (const address of [path, `${path}/answers`, `${path}/answers/one?run=${id}`]) {
      const { html, status, text } = await ada.open(address)
      expect([address, status]).toEqual([address, 200])
      expect(html).not.toContain('<img src=x')
      expect(html).not.toContain('href="javascript:')
      expect(text).toContain('<img src=x')
    }
  })

  test('shows nothing of another workspace', async () => {
    await putTracker({ brand_name: 'Foreign' }, gate.stranger.workspaceId)
    const { id } = await putRun(1, { ...naming }, gate.stranger.workspaceId)
    expect((await ada.open(path)).text).toContain('No tracker asks')
    for (const address of [`answers?prompt=${prompt}`, `answers/one?run=${id}`]) {
      const page = await ada.open(`${path}/${address}`)
      expect([address, page.status]).toEqual([address, 403])
      expect(page.text).not.toContain('0 runs')
    }
  })
})

describe('the answers behind a figure', () => {
  test('are shown once each, page by page, newest first', async () => {
    await putTracker()
    for (let n = 0; n < 45; n++) await putRun(n / 2, { answer_text: `Answer ${n}.` })
    const seen: number[] = []
    for (let next: string | undefined = `${path}/answers?prompt=${prompt}`; next !== undefined; ) {
      const { html }: { readonly html: string } = await ada.open(next)
      seen.push(...[...html.matchAll(/Answer (\d+)\./g)].map(([, n]) => Number(n)))
      next = /href="([^"]+)">Older answers</.exec(html)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => n))
  })

  test('can be narrowed to those that name the business, or do not', async () => {
    await putTracker()
    await putRun(1, naming)
    await putRun(2)
    await putRun(3, { status: 'error', error: 'The engine answered 503.', answer_text: undefined })
    const all = (await ada.open(`${path}/answers`)).text
    expect(all).toContain('3 runs')
    expect(all).toMatch(/Failed ChatGPT .* The engine answered 503\./)
    expect((await ada.open(`${path}/answers?named=yes`)).text).toMatch(/1 run .* Harbour Bakehouse is great/)
    expect((await ada.open(`${path}/answers?named=no`)).text).toMatch(/1 run .* I recommend/)
    expect((await ada.open(`${path}/answers?named=maybe`)).text).toContain('Use yes or no.')
  })

  test('are shown in full one by one, with what they rest on and their neighbours', async () => {
    await putTracker()
    const citations = [
      { domain: 'guide.example', url: 'https://guide.example/best', cited: true, is_own: false },
      { domain: 'harbour.example', cited: false, is_own: true },
    ]
    const later = await putRun(1)
    const shown = await putRun(2, {
      ...naming,
      stance: 'recommended',
      stance_evidence: 'Harbour Bakehouse is great',
      citations,
      brand_position: 1,
      position_basis: 'text',
      model: 'gpt-6-luna-1',
      model_asked: 'gpt-6-luna',
      cost: 0.0123,
      cost_basis: 'reported',
      place_pinned: 'country',
    })
    const earlier = await putRun(3)
    await putRun(2, { engine: 'claude' })
    const { html, text } = await ada.open(`${path}/answers/one?run=${shown.id}`)
    expect(text).toMatch(/About you Recommended Because of “Harbour Bakehouse is great”/)
    expect(text).toContain('Place 1, counted in the text')
    expect(text).toMatch(/Cited sources .* guide\.example\/best Consulted sources .* harbour\.example/)
    expect(text).toMatch(/Model asked gpt-6-luna Model that answered gpt-6-luna-1/)
    expect(text).toContain('$0.0123, as the assistant reported')
    expect(html).toContain(`run=${earlier.id}">Earlier answer</a>`)
    expect(html).toContain(`run=${later.id}">Later answer</a>`)
  })
})

describe('the page of definitions', () => {
  test('counts the same answers in each way, and explains a difference step by step', async () => {
    await putTracker()
    const branded = { tracker_id: tracker, location_id: 'loc_1', text: 'Is Harbour Bakehouse good?' }
    const kind = { language: 'en', country: 'GB', intent: 'local', status: 'active', source: 'user' } as const
    const { id } = await gate.put(VisibilityPrompt, { ...branded, ...kind, tags: [] })
    await putRun(1)
    await putRun(2, naming)
    await putRun(1, { ...naming, prompt_id: id })
    const { text } = await ada.open(`${path}/definitions`)
    expect(text).toMatch(/From this page to Renown: .* 50 % becomes 67 %: \+17 points\./)
    expect(text).toContain('Answers to prompts that name the brand are counted.')
    const profound = await ada.open(`${path}/definitions?with=profound.visibility@1`)
    expect(profound.text).toMatch(/From this page to Profound: /)
    expect(profound.html).toContain('help.tryprofound.com')
    expect(profound.text).not.toContain('Some filters were ignored')
    expect((await ada.open(`${path}/definitions?with=mine`)).text).toContain('with = mine')
  })

  test('says why there is nothing to count', async () => {
    await putTracker()
    expect((await ada.open(`${path}/definitions`)).text).toContain('The tracker has not asked anything yet.')
  })
})
