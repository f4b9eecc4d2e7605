import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { changeLead } from '../../../../plugins/leads/dispatch/change-lead'
import { movedTo } from '../../../../plugins/leads/dispatch/moved-to'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import type { Visitor } from '../../../support/visitor'
import { type BoardWorld, boardWorld } from '../support/board-world'

const path = '/app/leads'
let world: BoardWorld
let ada: Visitor
beforeAll(async () => {
  world = await boardWorld()
  ada = world.ada
})
afterAll(() => world.gate.stop())
beforeEach(async () => {
  await world.gate.owner.rows(Mention).removeWhere(everything)
  await world.gate.owner.rows(Lead).removeWhere(everything)
})

const put: BoardWorld['lead'] = (...given) => world.lead(...given)
const columnOf = (html: string, stage: string) =>
  html.split('<section class="column').find((part) => part.includes(`id="stage-${stage}"`)) ?? ''
const named = (handle: string) => ({ author: { handle } })
/** The people of all pages of a list. One who is on two of them is there twice. */
async function listed(query: string): Promise<string[]> {
  const seen: string[] = []
  for (let next: string | undefined = `${path}?${query}`; next !== undefined; ) {
    const page = await ada.open(next)
    seen.push(...new Set(page.html.match(/Person \d+\./g)))
    next = page.html.match(/href="([^"]+)">Next page/)?.[1]?.replaceAll('&amp;', '&')
  }
  return seen
}

describe('The board', () => {
  test('has a column for each stage, with its cards and their number', async () => {
    await put({}, named('Ann'))
    await put({ stage: 'won' }, named('Bea'))
    await put({ stage: 'won' }, named('Cem'))
    const { html, text, status } = await ada.open(path)
    expect(status).toBe(200)
    expect(columnOf(html, 'new')).toContain('Ann')
    expect(columnOf(html, 'won')).toContain('Bea')
    expect(columnOf(html, 'won')).toContain('Cem')
    expect(text).toContain('3 leads.')
    expect(text).toMatch(/Won 2 /)
  })

  test('shows 7 cards of a stage, says how many there are, and the list shows each of them once', async () => {
    for (let n = 0; n < 55; n++) await put({}, named(`Person ${n}.`))
    const { html } = await ada.open(path)
    const column = columnOf(html, 'new')
    expect(column.match(/<li class="lead-card/g)).toHaveLength(7)
    expect(column).toContain('Show all 55')
    const seen = await listed('stage=new')
    expect([seen.length, new Set(seen).size]).toEqual([55, 55])
  })

  test('lists leads of the same moment each once, by when they came and by when they are due', async () => {
    const at = '2020-01-01T00:00:00.000Z'
    for (let n = 0; n < 105; n++) await put({ created_date: at, due_at: at }, named(`Person ${n}.`))
    for (const query of ['stage=new', 'stage=new&due=1']) {
      const seen = await listed(query)
      expect([query, seen.length, new Set(seen).size]).toEqual([query, 105, 105])
    }
  })

  test.each([
    ['location=loc_other', { location_id: 'loc_other' }, {}],
    ['source=reddit', { source: 'reddit' }, {}],
    ['seen=no', { seen_at: null }, { seen_at: '2026-03-01T00:00:00.000Z' }],
    ['seen=yes', { seen_at: '2026-03-01T00:00:00.000Z' }, {}],
    ['assigned=me', { assigned_to: 'Ada' }, { assigned_to: 'Bea' }],
    ['assigned=Bea', { assigned_to: 'Bea' }, {}],
    ['assigned=none', {}, { assigned_to: 'Bea' }],
    ['days=1', {}, { created_date: '2020-01-01T00:00:00.000Z' }],
    ['archived=1', { is_archived: true }, {}],
    ['', {}, { is_archived: true }],
    ['due=1', { next_step: 'Call', due_at: '2020-01-01T00:00:00.000Z' }, {}],
    ['due=1', { due_at: '2020-01-01T00:00:00.000Z' }, { due_at: '2999-01-01T00:00:00.000Z' }],
    ['due=1', { due_at: '2020-01-01T00:00:00.000Z' }, { due_at: '2020-01-01T00:00:00.000Z', stage: 'won' }],
  ] as const)('keeps to the filter of its address: %s', async (filter, wanted, unwanted) => {
    await put(wanted, named('Wanted'))
    await put(unwanted, named('Unwanted'))
    for (const more of ['', '&stage=new']) {
      const { text } = await ada.open(`${path}?${filter}${more}`)
      expect(text).toContain('Wanted')
      expect(text).not.toContain('Unwanted')
    }
  })

  test('names what it ignored, and never shows a lead of another workspace', async () => {
    await put({}, named('Ours'))
    const foreign = await put({}, named('Theirs'), world.gate.stranger.workspaceId)
    const { text } = await ada.open(`${path}?stage=cold`)
    expect(text).toContain('Some filters were ignored')
    expect(text).toContain('Use new, contacted, qualified, won, lost.')
    expect(text).not.toContain('Theirs')
    const away = await ada.open(`${path}?lead=${foreign.id}`)
    expect([away.status, away.text.includes('Theirs')]).toEqual([403, false])
    expect((await ada.open(`/app/data/leads.csv`)).html).not.toContain('Theirs')
  })

  test('says in words that the post is old, what is next and until when', async () => {
    const later = { next_step: 'Call again', due_at: '2020-01-02T00:00:00.000Z', assigned_to: 'Bea' }
    await put({ ...later, stale_post: true, stale_post_age_days: 45 })
    const { text } = await ada.open(path)
    expect(text).toContain('Old post: 45 days when found')
    expect(text).toMatch(/Due 2 Jan 2020 .{0,60}: Call again/)
    expect(text).toContain('Bea')
  })

  test('without a lead leads to the mentions', async () => {
    const { html, text } = await ada.open(path)
    expect(text).toContain('No leads yet.')
    expect(html).toContain('href="/app/mentions"')
  })
})

describe('A move', () => {
  test('of one lead needs no script, says what was done, and can be undone', async () => {
    const { id } = await put()
    await ada.open(`${path}?lead=${id}`)
    const after = await ada.submit(`${path}/move`, { stage: 'contacted' })
    expect(after.text).toContain('Moved to Contacted.')
    expect((await world.rowOf(id))?.stage).toBe('contacted')
    const undone = await ada.submit(`${path}/move`)
    expect(undone.text).toContain('Moved to New.')
    expect((await world.rowOf(id))?.stage).toBe('new')
  })

  test('has no undo where the stages allow no way back', async () => {
    const { id } = await put()
    await ada.open(`${path}?lead=${id}`)
    const { html } = await ada.submit(`${path}/move`, { stage: 'qualified' })
    expect(html).toContain('Moved to Qualified.')
    // The words of the parts are in the page as data.
    expect(html).not.toMatch(/<button[^>]*>Undo|aria-label="Undo/)
  })

  test('that the stages do not allow is refused in words', async () => {
    const { id } = await put()
    await ada.open(`${path}?lead=${id}`)
    const { status, text } = await ada.submit(`${path}/move`, { stage: 'won' })
    expect(status).toBe(422)
    expect(text).toContain('A lead in New can move to Contacted, Qualified or Lost, not to Won.')
    expect((await world.rowOf(id))?.stage).toBe('new')
  })

  test('to Lost needs a reason', async () => {
    const { id } = await put()
    await ada.open(`${path}?lead=${id}`)
    const refused = await ada.submit(`${path}/move`, { stage: 'lost', lost_reason: ' ' }, 1)
    expect(refused.text).toContain('Enter why the lead was lost.')
    await ada.submit(`${path}/move`, { stage: 'lost', lost_reason: 'Too dear' }, 1)
    expect(await world.rowOf(id)).toMatchObject({ stage: 'lost', lost_reason: 'Too dear' })
  })

  test('is refused if somebody else moved the lead meanwhile', async () => {
    const { id } = await put()
    await ada.open(`${path}?lead=${id}`)
    const { owner } = world.gate
    await changeLead(owner, id, movedTo(owner.now(), 'qualified'))
    const late = await ada.submit(`${path}/move`, { stage: 'contacted' })
    expect(late.status).toBe(422)
    expect(late.text).toContain('Somebody else moved this lead to Qualified.')
    expect((await world.rowOf(id))?.stage).toBe('qualified')
  })

  test('of a lead of another workspace is refused', async () => {
    const { id } = await put()
    const foreign = await put({}, {}, world.gate.stranger.workspaceId)
    await ada.open(`${path}?lead=${id}`)
    const { status, text } = await ada.submit(`${path}/move`, {
      lead: foreign.id,
      stage: 'contacted',
      search: '',
      back: path,
    })
    expect(status).toBe(422)
    expect(text).toContain('The lead was not moved')
    await ada.open(`${path}?lead=${id}`)
    const saved = await ada.submit(`${path}/save`, { lead: foreign.id, search: '', back: path })
    expect(saved.text).toContain('There is no such lead in this workspace.')
    expect(saved.text).not.toContain('not moved')
    expect((await world.rowOf(foreign.id))?.stage).toBe('new')
    expect((await world.rowOf(id))?.stage).toBe('new')
  })
})

describe('Several leads', () => {
  const stageOf = async (id: string) => (await world.rowOf(id))?.stage
  /** What the button Undo of a page sends. */
  const undoOf = (html: string) => ({
    chosen: [...html.matchAll(/<input type="hidden" name="chosen" value="([^"]+)"/g)].map(
      ([, sent]) => sent ?? '',
    ),
  })
  const item = ({ id, stage }: { readonly id: string; readonly stage: string }) => `${id}~${stage}`

  test('are moved at once, and taken back by one Undo where the stages allow it', async () => {
    const fresh = await put()
    const contacted = await put({ stage: 'contacted' })
    const won = await put({ stage: 'won' })
    const { html } = await ada.open(path)
    expect(html).toContain(`value="${item(fresh)}" form="chosen-rows"`)
    const chosen = [fresh, contacted, won].map(item)
    const moved = await ada.submit(`${path}/several-qualified`, { chosen })
    expect(moved.text).toContain('3 leads moved to Qualified.')
    const undone = await ada.submit(`${path}/undo-qualified`, undoOf(moved.html))
    // No lead goes back from Qualified to New.
    expect(undone.text).toContain('Undone for 2 leads.')
    const stages = await Promise.all([fresh, contacted, won].map(({ id }) => stageOf(id)))
    expect(stages).toEqual(['qualified', 'contacted', 'won'])
  })

  test('are moved without those that cannot be, and the page says why', async () => {
    const fresh = await put()
    const lost = await put({ stage: 'lost', lost_reason: 'Too dear' })
    await ada.open(path)
    const { text } = await ada.submit(`${path}/several-won`, { chosen: [item(fresh), item(lost)] })
    expect(text).toContain('1 lead: A lead in New can move to Contacted, Qualified or Lost, not to Won.')
    const back = await ada.submit(`${path}/several-contacted`, { chosen: [item(lost)] })
    expect(back.text).toContain('1 lead moved to Contacted.')
    // Without its reason, a lost lead cannot be lost again.
    expect(back.html).not.toContain(`${path}/undo-contacted`)
    expect(await stageOf(fresh.id)).toBe('new')
  })

  test('that somebody else moved are left where they are', async () => {
    const { id } = await put()
    await ada.open(path)
    const { owner } = world.gate
    await changeLead(owner, id, movedTo(owner.now(), 'qualified'))
    const { text } = await ada.submit(`${path}/several-contacted`, { chosen: [`${id}~new`] })
    expect(text).toContain('Somebody else moved this lead to Qualified.')
    expect(text).not.toContain('0 leads')
    expect(await stageOf(id)).toBe('qualified')
  })

  test('are archived, taken back and marked as seen', async () => {
    const leads = [await put(), await put()]
    const chosen = leads.map(item)
    await ada.open(`${path}?stage=new`)
    const archived = await ada.submit(`${path}/several-archive`, { chosen })
    expect(archived.text).toContain('2 leads archived.')
    const undone = await ada.submit(`${path}/undo-archive`, undoOf(archived.html))
    expect(undone.text).toContain('Undone for 2 leads.')
    await ada.open(path)
    await ada.submit(`${path}/several-see`, { chosen })
    for (const { id } of leads) {
      const row = await world.rowOf(id)
      expect([row?.is_archived, typeof row?.seen_at]).toEqual([false, 'string'])
    }
  })

  test('have only the acts that fit what is shown', async () => {
    await put()
    await put({ is_archived: true })
    const actsOf = async (query: string) =>
      [...(await ada.open(`${path}?${query}`)).html.matchAll(/formaction="[^"]*several-(\w+)"/g)].map(
        ([, name]) => name,
      )
    expect(await actsOf('')).toEqual(['new', 'contacted', 'qualified', 'won', 'archive', 'see'])
    expect(await actsOf('stage=new')).toEqual(['contacted', 'qualified', 'archive', 'see'])
    expect(await actsOf('archived=1')).toEqual(['unarchive', 'see'])
  })

  test('of another workspace are not moved', async () => {
    await put()
    const foreign = await put({}, {}, world.gate.stranger.workspaceId)
    await ada.open(path)
    const { text } = await ada.submit(`${path}/several-contacted`, { chosen: [item(foreign)] })
    expect(text).toContain('1 lead: There is no such lead in this workspace.')
    expect(await stageOf(foreign.id)).toBe('new')
  })
})

describe('The page of leads', () => {
  test('is small, and leads to every lead of a stage and to one lead without a script', async () => {
    const leads = [await put({ stage: 'won' }, named('Last'))]
    const words = 'Can anybody recommend a bakery near the harbour that is open on Sundays? '.repeat(3)
    for (const stage of ['new', 'contacted', 'qualified', 'won', 'lost'] as const)
      for (let n = 0; n < 12; n++) await put({ stage }, { body: words, excerpt: words })
    const { html } = await ada.open(path)
    expect(html.length).toBeLessThan(80_000)
    expect(html).toContain(`href="${path}?stage=won">Show all 13</a>`)
    const all = await ada.open(`${path}?stage=won`)
    expect(all.text).toContain('13 leads.')
    expect(all.html).toContain(`${path}?stage=won&amp;lead=${leads[0]?.id}`)
    const one = await ada.open(`${path}?stage=won&lead=${leads[0]?.id}`)
    expect(one.text).toContain('Contact details')
  })

  test('says who is asked for, also a person who is not among the choices', async () => {
    await put({ assigned_to: 'Bea' })
    const { html } = await ada.open(`${path}?assigned=Bea`)
    expect(html).toContain('<option value="Bea" selected>Bea</option>')
  })
})

describe('One lead', () => {
  const open = (id: string) => ada.open(`${path}?lead=${id}`)

  test('shows all mentions of its author, the contact details in their text, and its history', async () => {
    const body = 'Call me: ann@mail.example'
    const contacts = [{ field: 'email' as const, in: 'body' as const, start: 9, end: 25 }]
    const lead = await put({ email: 'ann@mail.example', phone: '+44 1632 960001', contacts }, { body })
    await world.mention({ lead_id: lead.id, is_lead: true, body: 'Second post about it' })
    await open(lead.id)
    await ada.submit(`${path}/see`)
    const { html, text } = await open(lead.id)
    expect(html).toContain('<mark>ann@mail.example</mark>')
    expect(text).toContain('in the text')
    expect(text).toContain('not from the text')
    expect(text).toContain('Second post about it')
    expect(text).toMatch(/Lead marked as seen Ada/)
    expect(html).toContain('mention=')
  })

  test('marks no contact details in a text that was edited since', async () => {
    const contacts = [{ field: 'email' as const, in: 'body' as const, start: 0, end: 4 }]
    const edited = { body: 'Another text', edited_at: '2999-01-01T00:00:00.000Z' }
    const { id } = await put({ email: 'ann@mail.example', contacts }, edited)
    const { html, text } = await open(id)
    expect(html).not.toContain('<mark>')
    expect(text).toContain('not from the text')
  })

  test('keeps what a person plans, and refuses to replace what somebody else wrote', async () => {
    const { id } = await put()
    await open(id)
    const plan = { assigned_to: 'Bea', next_step: 'Call', due_day: '2026-05-04', notes: 'Line 1\r\nLine 2' }
    const saved = await ada.submit(`${path}/save`, plan)
    expect(saved.text).toContain('Saved.')
    const stored = { assigned_to: 'Bea', next_step: 'Call', notes: 'Line 1\nLine 2' }
    expect(await world.rowOf(id)).toMatchObject(stored)
    expect(saved.html).toContain('value="2026-05-04"')
    const before = await world.rowOf(id)
    await ada.submit(`${path}/save`, plan)
    expect((await world.rowOf(id))?.updated_date).toBe(before?.updated_date as string)
    await world.gate.owner.rows(Lead).update(id, { notes: 'Theirs' })
    const late = await ada.submit(`${path}/save`, { notes: 'Mine' })
    expect(late.status).toBe(422)
    expect(late.text).toContain('Somebody else changed this lead since you opened it.')
    expect(late.html).toContain('Mine</textarea>')
    expect((await world.rowOf(id))?.notes).toBe('Theirs')
  })

  test.each([
    [{ next_step: '', due_day: '2026-05-04' }, 'Enter what is due on that day.'],
    [{ next_step: 'Call', due_day: 'tomorrow' }, 'Use a day such as 2026-03-14.'],
    [{ next_step: 'x'.repeat(501) }, 'Use at most 500 characters.'],
  ])('refuses a plan with %j', async (plan, words) => {
    const { id } = await put()
    await open(id)
    const { text, status } = await ada.submit(`${path}/save`, plan)
    expect(status).toBe(422)
    expect(text).toContain(words)
  })

  test('is archived and taken back, assigned and marked as seen', async () => {
    const { id } = await put()
    await open(id)
    const gone = await ada.submit(`${path}/archive`)
    expect(gone.text).toContain('Lead archived.')
    expect(await world.rowOf(id)).toMatchObject({ is_archived: true })
    await ada.submit(`${path}/unarchive`)
    expect(await world.rowOf(id)).toMatchObject({ is_archived: false })
    await ada.submit(`${path}/take`)
    expect(await world.rowOf(id)).toMatchObject({ assigned_to: 'Ada' })
    await ada.submit(`${path}/see`)
    expect((await world.rowOf(id))?.seen_at).toBeString()
  })

  test.each([
    ['HTML', '<img src=x onerror=alert(1)><script>alert(1)</script>"\'&'],
    ['another direction', '\u202eright to left\u202c\u2066'],
    ['100 kB', `<b>${'blue '.repeat(20_000)}`],
  ])('shows text with %s as text', async (_, words) => {
    const short = words.slice(0, 400)
    const author = { handle: short, name: short, url: 'javascript:alert(1)' }
    const { id } = await put(
      { first_name: short, intent_reason: words, notes: short, next_step: short, assigned_to: short },
      { body: words, title: short, excerpt: words, author, language: 'ar', url: 'javascript:alert(1)' },
    )
    for (const { html, status } of [
      await ada.open(path),
      await open(id),
      await ada.open(`${path}?stage=new`),
    ]) {
      expect(status).toBe(200)
      expect(html).not.toContain('<img src=x')
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<b>')
      expect(html).not.toContain('href="javascript')
      expect(html.length).toBeLessThan(600_000)
    }
    expect((await ada.open('/app/data/leads.csv')).status).toBe(200)
  })
})
