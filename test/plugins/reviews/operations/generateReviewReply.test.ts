import { afterEach, describe, expect, test } from 'bun:test'
import type { Model } from '../../../../core/contracts/outbound'
import { ServiceFault } from '../../../../core/contracts/service-fault'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import leads from '../../../../plugins/leads'
import reviews from '../../../../plugins/reviews'
import { Review } from '../../../../plugins/reviews/records/Review'
import { type Gate, startGate } from '../../../support/harness'
import { quietLog } from '../../../support/quiet-log'

let gate: Gate
const logged: string[] = []
afterEach(() => gate.stop())

async function begin(ask?: () => Promise<unknown>, changes: object = {}) {
  const model = { isConfigured: true, generator: 'llm:small', ask } as unknown as Model
  logged.length = 0
  const log = { ...quietLog, warn: (...said: unknown[]) => void logged.push(JSON.stringify(said)) }
  gate = await startGate({ plugins: [leads, reviews], log, ...(ask ? { model } : {}) })
  const location = await gate.put(BusinessLocation, {
    business_name: 'Acme',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
    country: 'GB',
  })
  const review = await gate.put(Review, {
    location_id: location.id,
    source: 'google',
    source_id: 'a',
    star_rating: 5,
    review_text: 'Great',
    ...changes,
  })
  const draft = async (body: object = {}) => {
    const answer = await gate.call('generateReviewReply', { review_id: review.id, ...body })
    return {
      status: answer.status,
      body: (await answer.json()) as Record<string, unknown>,
      headers: answer.headers,
    }
  }
  const saved = async () => (await gate.owner.rows(Review).get(review.id))?.ai_suggested_response
  return { draft, saved }
}

describe('A drafted reply', () => {
  test('comes from a template that says so, and is saved', async () => {
    const { draft, saved } = await begin()
    const { status, body } = await draft()
    expect([status, body.generator, body.tone, body.warnings]).toEqual([200, 'template:v1', null, []])
    expect(await saved()).toBe(String(body.suggested_response))
    expect((await draft()).body.replaced_previous).toBe(true)
  })

  test('comes from the language model in the tone that was asked for', async () => {
    const { draft, saved } = await begin(async () => ({ reply: 'Thank you very much.' }))
    expect((await draft({ tone: 'concise' })).body).toMatchObject({
      suggested_response: 'Thank you very much.',
      generator: 'llm:small',
      tone: 'concise',
    })
    expect(await saved()).toBe('Thank you very much.')
  })

  test('can be the caller’s own, with the draft that it expects to replace, and can be taken back', async () => {
    const { draft, saved } = await begin()
    const own = 'Dear Jane, thank you. – Sam'
    expect((await draft({ text: `  ${own} `, if_unchanged: '' })).body).toMatchObject({
      suggested_response: own,
      generator: 'caller',
      tone: null,
      replaced_previous: false,
    })
    const late = await draft({ text: 'Another', if_unchanged: '' })
    expect([late.status, late.body.code, late.body.suggested_response]).toEqual([409, 'conflict', own])
    const next = await draft({ text: 'Another', if_unchanged: own })
    expect([next.status, next.body.replaced_previous, await saved()]).toEqual([200, true, 'Another'])
    expect((await draft({ take_back: true, dry_run: true })).body.suggested_response).toBe(own)
    expect(await saved()).toBe('Another')
    await draft({ take_back: true })
    expect(await saved()).toBe(own)
    const both = await draft({ take_back: true, text: 'x' })
    expect([both.status, (both.body.errors as { pointer: string }[])[0]?.pointer]).toEqual([
      422,
      '/take_back',
    ])
  })

  test('without a draft before it cannot be taken back', async () => {
    const { draft } = await begin()
    const refused = await draft({ take_back: true })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  })

  test('of a model does not replace what a person wrote meanwhile', async () => {
    const { draft, saved } = await begin(async () => {
      const [row] = await gate.owner.rows(Review).list()
      await gate.owner.rows(Review).update(row?.id ?? '', { ai_suggested_response: 'By hand' })
      return { reply: 'Thank you very much.' }
    })
    expect((await draft()).status).toBe(409)
    expect(await saved()).toBe('By hand')
  })

  test('warns of what should not be sent', async () => {
    const lie = 'Thank you. You get a refund at evil.example'
    const { draft, saved } = await begin(async () => ({ reply: lie }), { reply_text: 'Hi' })
    expect((await draft()).status).toBe(503)
    expect(await saved()).toBeUndefined()
    expect((await draft({ text: lie })).body.warnings).toEqual([
      'Check this before you send it: it names an address that is not your own: “evil.example”.',
      'Check this before you send it: it promises money back or a replacement: “You get”.',
      'The review already has a reply.',
    ])
    expect(await saved()).toBe(lie)
  })

  test.each([
    [
      'found glass in the bread, my child was hurt',
      {},
      'The review mentions an injury or a danger and a child',
    ],
    ['Ich hatte eine Lebensmittelvergiftung', {}, 'The review mentions an illness'],
    ['Fine', { is_flagged: true, flag_reason: 'The owner knows this person' }, 'The owner knows this person'],
    ['Fine', { is_flagged: true }, 'The review is flagged'],
  ])('says that a person must answer %j', async (review_text, changes, why) => {
    const { draft } = await begin(async () => ({ reply: 'Thank you very much.' }), {
      review_text,
      ...changes,
    })
    expect((await draft()).body.warnings).toContain(`${why}. Read the review and answer it yourself.`)
  })

  test.each([
    ['Lovely food and the kids loved it', 5],
    ['Great place, my daughter had a wonderful birthday', 4],
    ['Ein tolles Restaurant, sehr lecker, und die Kinder waren begeistert', 5],
  ])('takes praise that speaks of children as it is meant: %j', async (review_text, star_rating) => {
    const flag = { is_flagged: true, flag_reason: 'The review mentions a child' }
    const { draft } = await begin(async () => ({ reply: 'Thank you very much.' }), {
      review_text,
      star_rating,
      ...flag,
    })
    expect(JSON.stringify((await draft()).body.warnings)).not.toContain('answer it yourself')
  })

  test.each([
    ['Lovely food and the kids loved it', 2],
    ['Lovely food and the kids loved it', 3],
    ['Lovely food and the kids loved it', null],
    ['The kids were left alone', 5],
    ['Great food, but the waiter was rude to my kids', 5],
    ['Great food, but terrible with kids', 4],
  ])(
    'warns where children may have been treated badly: %j with %p stars',
    async (review_text, star_rating) => {
      const { draft } = await begin(async () => ({ reply: 'Thank you very much.' }), {
        review_text,
        star_rating,
      })
      expect((await draft()).body.warnings).toEqual([
        'The review mentions a child. Read the review and answer it yourself.',
      ])
    },
  )

  test('is not saved when the model fails, and says when to come again', async () => {
    const { draft, saved } = await begin(async () => {
      throw new ServiceFault('rate', 'slow down, key sk-secret', { retryAfterMs: 9_000 })
    })
    const { status, body, headers } = await draft()
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '9'])
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('a service outside is unavailable')
    expect(logged[0]).toContain('slow down')
    expect(JSON.stringify(body)).not.toContain('sk-secret')
    expect(await saved()).toBeUndefined()
  })

  test('of a dry run is not saved, and of a review elsewhere there is none', async () => {
    const { draft, saved } = await begin()
    expect((await draft({ dry_run: true })).status).toBe(200)
    expect(await saved()).toBeUndefined()
    expect((await draft({ review_id: 'rev_none' })).status).toBe(404)
    expect((await draft({ tone: 'rude' })).status).toBe(422)
  })
})
