import { describe, expect, test } from 'bun:test'
import type { Model } from '../../../../core/contracts/outbound'
import { judgeReply } from '../../../../plugins/reviews/writing/judgeReply'
import { replyTexts } from '../../../../plugins/reviews/writing/reply-texts'
import { replyLanguages } from '../../../../plugins/reviews/writing/safe-phrases'
import { modelReply, templateReply } from '../../../../plugins/reviews/writing/writeReply'

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
  test('may be sent in every language, for every rating, and names the business as it is', async () => {
    for (const language of replyLanguages) {
      for (const star_rating of [1, 2, 3, 4, 5, null]) {
        for (let n = 0; n < 12; n++) {
          const answered = { ...review, id: `rev_${n}`, star_rating, review_language: language }
          const text = templateReply(answered, business, language)
          expect([text, await judgeReply(text, answered, business)]).toMatchObject([
            text,
            { isSendable: true },
          ])
          expect(text).toContain('Café $& Söhne')
          expect(text).not.toMatch(/[{}]|undefined/)
        }
      }
    }
  })

  test('never says that somebody did something, and promises nothing', () => {
    const deeds =
      /passed|shared|forwarded|told|will |weiterge|weiterle|besproch|werden|transmis|partagé|allons|compartid|transmitid|vamos|condivis|inoltrat|terremo|doorge|besproken|zullen|partilh|transmit|vamos|przekaz|omówi|będziemy|vidarebef|framfört|kommer att|ilett|paylaştık|edeceğiz/i
    for (const texts of Object.values(replyTexts)) {
      expect(JSON.stringify(texts)).not.toMatch(deeds)
    }
  })

  test('is the same for the same review, and others for its neighbours', () => {
    const textOf = (n: number) => templateReply({ ...review, id: `rev_${n}` }, business, 'en')
    const texts = Array.from({ length: 20 }, (_, n) => textOf(n))
    expect(textOf(3)).toBe(texts[3] ?? '')
    expect(new Set(texts).size).toBeGreaterThan(1)
  })

  test('calls by name only who surely bears one', () => {
    for (const name of ['jo99', 'XXL Reviews', 'B.', '<b>Jo</b>', '']) {
      expect(templateReply({ ...review, reviewer_name: name }, business, 'en')).not.toContain(
        name.split(' ')[0] || '\u0000',
      )
    }
    const named = templateReply({ ...review, reviewer_name: "Zoë O'Hara" }, business, 'en')
    expect(named).toStartWith('Hello Zoë,')
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
