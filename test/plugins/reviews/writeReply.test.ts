import { describe, expect, test } from 'bun:test'
import type { Model } from '../../../core/contracts/outbound'
import { judgeReply } from '../../../plugins/reviews/judgeReply'
import { replyTexts } from '../../../plugins/reviews/reply-texts'
import { modelReply, templateReply } from '../../../plugins/reviews/writeReply'

const business = {
  business_name: 'Café $& Söhne',
  phone: '+44 113 496 0000',
  website: 'https://cafe.example',
}
const review = {
  id: 'rev_1',
  workspace_id: 'wsp_1',
  star_rating: 5,
  review_text: 'Great',
  reviewer_name: 'Jo Smith',
}

describe('A template', () => {
  test('is fit to be sent in every language, for every rating, and names the business as it is', () => {
    for (const review_language of [...Object.keys(replyTexts), 'en-GB', 'xx', undefined]) {
      for (const star_rating of [1, 2, 3, 4, 5, null]) {
        for (let n = 0; n < 12; n++) {
          const text = templateReply({ ...review, id: `rev_${n}`, star_rating, review_language }, business)
          expect(judgeReply(text, review, business)).toMatchObject({ isSendable: true })
          expect(text).toContain('Café $& Söhne')
          expect(text).not.toMatch(/[{}]|undefined/)
        }
      }
    }
  })

  test('is the same for the same review, and others for its neighbours', () => {
    const texts = Array.from({ length: 20 }, (_, n) => templateReply({ ...review, id: `rev_${n}` }, business))
    expect(templateReply({ ...review, id: 'rev_3' }, business)).toBe(texts[3] ?? '')
    expect(new Set(texts).size).toBeGreaterThan(1)
  })

  test('calls by name only who surely bears one', () => {
    for (const name of ['jo99', 'XXL Reviews', 'B.', '<b>Jo</b>', '']) {
      expect(templateReply({ ...review, reviewer_name: name }, business)).not.toContain(
        name.split(' ')[0] || '\u0000',
      )
    }
    expect(templateReply({ ...review, reviewer_name: "Zoë O'Hara" }, business)).toStartWith('Hello Zoë,')
  })
})

test('a model is told what the business is as it holds, with what people wrote in place of what was read', async () => {
  const told: unknown[] = []
  const ask = async ({ data }: { data: unknown }) => {
    told.push(data)
    return { reply: 'Thank you.' }
  }
  const model = { isConfigured: true, generator: 'llm:small', ask } as unknown as Model
  const enrichment = { about: 'Read', services: ['coffee'], sources: [] }
  await modelReply(
    model,
    review,
    { ...business, enrichment, enrichment_overrides: { about: 'Ours' } },
    'friendly',
  )
  expect(told).toMatchObject([{ business: { name: 'Café $& Söhne', about: 'Ours', services: ['coffee'] } }])
})

test('what must not be sent is told apart from what may', () => {
  const fit = [
    'Thank you!',
    'Call us at +44 113 496 0000.',
    'See https://cafe.example for more.',
    'Wir sind bis 22 Uhr da.',
  ]
  const not = [
    ...[
      '',
      '   ',
      'x'.repeat(5_000),
      'Visit http://evil.example',
      'Write to me@evil.example',
      'Call 0800 123 4567',
    ],
    ...[
      'You get a full refund.',
      'Here is a voucher',
      'Wir erstatten alles',
      'As an AI I cannot',
      'see evil.com',
    ],
  ]
  for (const text of fit) expect([text, judgeReply(text, review, business).isSendable]).toEqual([text, true])
  for (const text of not) expect([text, judgeReply(text, review, business).isSendable]).toEqual([text, false])
})
