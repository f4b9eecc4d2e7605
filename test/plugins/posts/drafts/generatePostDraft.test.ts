import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ServiceFault } from 'renown'
import { runCommand } from '../../../../core/contexts/run-command'
import type { Model } from '../../../../core/contracts/outbound'
import { where } from '../../../../core/contracts/where'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { builtin } from '../../../../plugins'
import { editPost } from '../../../../plugins/posts/acts/edit'
import { draftWarnings } from '../../../../plugins/posts/drafts/draft-warnings'
import { Post, type PostRow } from '../../../../plugins/posts/records/Post'
import { PostedLocation, type PostedLocationRow } from '../../../../plugins/posts/records/PostedLocation'
import { type Gate, startGate } from '../../../support/harness'

const business = {
  business_name: 'Northgate Plumbing',
  business_category: 'plumber',
  city: 'Leeds',
  phone: '+441632960001',
  website: 'https://www.northgate.example/',
  google_account_id: 'accounts/1',
  google_location_id: 'locations/1',
  enrichment: { services: ['Boilers', 'Drains'] },
  is_active: true,
  is_prospect: false,
  auto_response_enabled: false,
}

let gate: Gate
let answers: () => Promise<{ post: string }>
let asked: unknown[]
const model: Model = {
  isConfigured: true,
  generator: 'llm:test',
  ask: (async (task: unknown) => {
    asked.push(task)
    return answers()
  }) as unknown as Model['ask'],
}
let locationId: string
async function start(given: { model?: Model } = {}) {
  asked = []
  gate = await startGate({ plugins: builtin, ...given })
  locationId = (await gate.put(BusinessLocation, business)).id
}
afterEach(() => gate.stop())

async function draft(body: object = {}) {
  const answer = await gate.call('generatePostDraft', { business_location_id: locationId, ...body })
  const read = (await answer.json()) as Record<string, unknown> & { post_id: string; warnings: string[] }
  return { status: answer.status, body: read }
}
const stored = () => gate.owner.rows(Post).list()
const one = async () => (await stored())[0] as NonNullable<Awaited<ReturnType<typeof stored>>[0]>
const set = (id: string, row: object) =>
  gate.documents.collection(Post).updateOne(where.eq('id', id), { set: row as never })

describe('without a model', () => {
  beforeEach(() => start())

  test('saves a template that says it is one', async () => {
    const { status, body } = await draft()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'draft',
      generator: 'template:v1',
      replaced_previous: false,
      warnings: ['This is a template and does not contain the intent. Add what the post should say.'],
      post: {
        platform: 'gbp',
        post_type: 'update',
        status: 'draft',
        ai_generated: false,
        written_by: 'template:v1',
      },
    })
    expect(await one()).toMatchObject({
      id: body.post_id,
      business_location_id: locationId,
      scheduled_at: null,
      revision: 1,
      content: {
        language: 'en',
        media: [],
        summary:
          'News from Northgate Plumbing. We offer: Boilers, Drains. Ask us anything. We are glad to help.',
      },
    })
    expect(JSON.stringify(body)).not.toContain('text_hash')
  })

  test.each([
    ['de-AT', 'de', 'Neues von Northgate Plumbing.'],
    ['fi', 'en', 'News from Northgate Plumbing.'],
  ])('writes a template for the locale %s in %s', async (locale, language, begins) => {
    await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { locale })
    await draft()
    const { content } = await one()
    expect([content.language, content.summary.startsWith(begins)]).toEqual([language, true])
  })

  test('keeps the time zone for scheduling, makes no picture, and says what the platform refuses', async () => {
    const { body } = await draft({ timezone: 'Asia/Tokyo', generate_image: true, post_type: 'event' })
    expect(body.post).toMatchObject({ timezone: 'Asia/Tokyo', post_type: 'event', content: { media: [] } })
    expect(body.warnings).toContain('The draft has no picture, because no image service is configured.')
    expect(body.warnings).toContain('A post of the kind event needs an event with its dates.')
  })

  test('a person schedules it in its time zone', async () => {
    const { post_id } = (await draft({ timezone: 'Asia/Tokyo' })).body
    const deps = { owner: gate.owner, commands: gate.registry.commands }
    await runCommand(deps, 'post schedule', { post_id, at: '2099-01-01T09:00' })
    expect(await one()).toMatchObject({ timezone: 'Asia/Tokyo', scheduled_at: '2099-01-01T00:00:00.000Z' })
  })

  test('names the field of a text that no store holds, as the caller sent it', async () => {
    for (const text of ['a\u0000b', 'a\uD800b']) {
      const { status, body } = await draft({ text })
      expect([status, (body as { errors?: { pointer: string }[] }).errors?.[0]?.pointer]).toEqual([
        422,
        '/text',
      ])
    }
  })

  test('names what keeps the post from being scheduled', async () => {
    const { post_id } = (await draft({ platform: 'bluesky' })).body
    const post = (await gate.owner.rows(Post).get(post_id)) as PostRow
    const location = (await gate.owner.rows(PostedLocation).get(locationId)) as PostedLocationRow
    const written = {
      text: 'News',
      language: 'en',
      generator: 'caller',
      intent: '',
      post,
      location,
      target: null,
    }
    expect(draftWarnings(written, false)).toEqual(['No loaded plugin publishes to bluesky.'])
    const row = { google_account_id: undefined, google_location_id: undefined, is_active: false }
    await gate.owner.rows(BusinessLocation).update(locationId, row)
    const { warnings } = (await draft()).body
    expect(warnings).toContain('This location is paused. Its posts cannot be scheduled.')
    expect(warnings).toHaveLength(3)
  })

  test('saves the own words of the caller unchanged, and gives the replaced text back', async () => {
    const first = await draft()
    const { post_id } = first.body
    const before = (await one()).content.summary
    const second = await draft({ post_id, text: ' We are open. ', if_unchanged: before })
    expect(second.body).toMatchObject({ generator: 'caller', replaced_previous: true, warnings: [] })
    expect(await one()).toMatchObject({
      content: { summary: 'We are open.' },
      written_by: 'caller',
      revision: 2,
    })
    expect((await one()).ai_generated).toBeUndefined()
    const back = await draft({ post_id, take_back: true })
    expect(back.body).toMatchObject({ generator: 'template:v1', post: { content: { summary: before } } })
    expect((await draft({ post_id, take_back: true })).body.post).toMatchObject({
      content: { summary: 'We are open.' },
      written_by: 'caller',
    })
    expect(await stored()).toHaveLength(1)
  })

  test('replaces only what the caller expects', async () => {
    const { post_id } = (await draft({ text: 'One' })).body
    const refused = await draft({ post_id, text: 'Two', if_unchanged: 'Other' })
    expect([refused.status, refused.body.text]).toEqual([409, 'One'])
    expect((await draft({ post_id, text: 'Two', if_unchanged: (await one()).updated_date })).status).toBe(200)
    expect((await one()).content.summary).toBe('Two')
  })

  test('warns of what the profile does not have in the own words, but saves them', async () => {
    const text = 'Save 20 % at https://other.example/'
    const { body } = await draft({ text })
    expect(body.warnings).toEqual([
      expect.stringContaining('https://other.example/'),
      expect.stringContaining('20 %'),
    ])
    expect((await one()).content.summary).toBe(text)
    expect((await draft({ text: 'Save 20 % now', intent: '20 % off' })).body.warnings).toEqual([])
  })

  test.each([
    ['a text with take_back', { take_back: true, text: 'x' }, 422],
    ['take_back without a draft', { take_back: true }, 422],
    ['a precondition without a draft', { if_unchanged: 'x', text: 'y' }, 422],
    ['an empty text', { text: ' ' }, 422],
    ['a text that is too long', { text: 'x'.repeat(1_501) }, 422],
    ['an empty intent', { intent: '' }, 422],
    ['a long intent', { intent: 'x'.repeat(1_001) }, 422],
    ['an unknown time zone', { timezone: 'Mars/Base' }, 422],
    ['an unknown platform', { platform: 'fax' }, 422],
    ['an unknown draft', { post_id: 'pst_0' }, 404],
    ['an unknown location', { business_location_id: 'loc_0' }, 404],
  ])('refuses %s and saves nothing', async (_, body, status) => {
    expect((await draft(body)).status).toBe(status)
    expect(await stored()).toEqual([])
  })

  test('refuses a prospect, and a location of others', async () => {
    const prospect = await gate.put(BusinessLocation, { ...business, is_active: false, is_prospect: true })
    expect((await draft({ business_location_id: prospect.id })).status).toBe(409)
    const foreign = await gate.put(BusinessLocation, business, gate.stranger.workspaceId)
    expect((await draft({ business_location_id: foreign.id })).status).toBe(403)
    expect(await stored()).toEqual([])
  })

  test.each([
    ['a scheduled post', { status: 'scheduled', scheduled_at: '2030-01-01T00:00:00.000Z' }, {}, 409],
    ['a text that a client reviews', { approval: 'in_review' }, {}, 409],
    ['a text that a client approved', { approval: 'approved' }, {}, 409],
    ['the platform of a draft', {}, { platform: 'webhook' }, 422],
    ['the kind of a draft', {}, { post_type: 'offer' }, 422],
    ['a draft without an earlier text', {}, { text: undefined, take_back: true }, 409],
  ])('does not change %s', async (_, row, given, status) => {
    const { post_id } = (await draft({ text: 'One' })).body
    if (Object.keys(row).length > 0) await set(post_id, row)
    expect((await draft({ post_id, text: 'Two', ...given })).status).toBe(status)
    expect((await one()).content.summary).toBe('One')
  })

  test('a new text ends the rejection of the old one', async () => {
    const { post_id } = (await draft({ text: 'One' })).body
    await set(post_id, { approval: 'rejected', approval_note: 'No.' })
    await draft({ post_id, text: 'Two' })
    const { approval, approval_note } = await one()
    expect([approval, approval_note]).toEqual([undefined, undefined])
  })

  test('the edit of a person cannot be taken back by a client', async () => {
    const { post_id } = (await draft({ text: 'One' })).body
    await draft({ post_id, text: 'Two' })
    await editPost(gate.owner, { post_id, content: { summary: 'By hand' } })
    expect((await one()).written_by).toBeUndefined()
    expect((await draft({ post_id, take_back: true })).status).toBe(409)
    expect((await one()).content.summary).toBe('By hand')
  })

  test('writes nothing in a dry run', async () => {
    expect((await draft({ text: 'x', dry_run: true })).body.generator).toBe('caller')
    expect(await stored()).toEqual([])
  })
})

describe('with a model', () => {
  beforeEach(() => start({ model }))

  test('saves what it wrote, and keeps the intent out of its instructions', async () => {
    answers = async () => ({ post: 'Our boiler week starts on 3 March. Call 01632 960001.' })
    const { body } = await draft({ intent: 'Boiler week from 2026-03-03' })
    expect(body).toMatchObject({ generator: 'llm:test', warnings: [], post: { ai_generated: true } })
    const [{ instructions, data }] = asked as [{ instructions: string; data: { intent: string } }]
    expect([instructions.includes('Boiler week'), data.intent]).toEqual([
      false,
      'Boiler week from 2026-03-03',
    ])
  })

  test.each([
    ['fails', () => Promise.reject(new ServiceFault('transient', 'down'))],
    ['invents a price', async () => ({ post: 'Boilers from £499.' })],
  ])('saves nothing if it %s', async (_, given) => {
    answers = given
    expect((await draft({ intent: 'Boilers' })).status).toBe(503)
    expect(await stored()).toEqual([])
  })

  test('keeps a draft that it cannot replace', async () => {
    const { post_id } = (await draft({ text: 'One' })).body
    answers = async () => ({ post: 'Write to win@evil.example' })
    expect((await draft({ post_id })).status).toBe(503)
    expect((await one()).content.summary).toBe('One')
  })

  test('two replacements at the same time: one is refused', async () => {
    const { post_id } = (await draft({ text: 'One' })).body
    answers = async () => {
      await draft({ post_id, text: 'Two' })
      return { post: 'Three' }
    }
    const late = await draft({ post_id })
    expect([late.status, late.body.text]).toEqual([409, 'Two'])
    expect((await one()).content.summary).toBe('Two')
  })
})
