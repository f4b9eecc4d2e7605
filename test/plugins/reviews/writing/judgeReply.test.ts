import { describe, expect, test } from 'bun:test'
import { judgeReply } from '../../../../plugins/reviews/writing/judgeReply'
import { replyLanguages } from '../../../../plugins/reviews/writing/safe-phrases'
import { composedReplies } from '../support/composed-replies'
import { judgedWrongly, replyCorpus } from '../support/reply-corpus'

const business = { business_name: 'Acme', country: 'GB' }
const review = {
  id: 'rev_1',
  workspace_id: 'wsp_1',
  star_rating: 5,
  reviewer_name: 'Ann Lee',
  review_text: 'The scones were lovely and Maria was so kind',
  review_language: 'en',
}
const whyNot = async (text: string, changes: object = {}) => {
  const verdict = await judgeReply(text, { ...review, ...changes }, business)
  return verdict.isSendable ? null : verdict.why
}

test.each(Object.entries(composedReplies))(
  'no promise and no blame is composed of safe words: %s',
  async (language, [said, texts]) => {
    const answered = { ...review, review_text: said, review_language: language }
    const sent: string[] = []
    for (const text of texts) {
      const verdict = await judgeReply(text, answered, { ...business, business_category: 'Café' })
      if (verdict.isSendable) sent.push(text)
    }
    expect(sent).toEqual([])
  },
)

/** Shares of good texts that must pass at least: below what was reached, so that a change for the worse is seen. */
const passRateMin = { 'held-out': 0.85, develop: 0.95 }

describe.each(['held-out', 'develop'] as const)('Of the %s texts', (part) => {
  const texts = replyCorpus(part)
  const judged = judgedWrongly(texts)
  const good = texts.filter(({ isGood }) => isGood).length
  const bad = texts.length - good

  test('no bad one is sent', async () => {
    const { missed, refused } = await judged
    console.info(
      `${part}: ${missed.length} of ${bad} bad texts sent, ${good - refused.length} of ${good} good ones`,
    )
    expect(missed.map(({ language, kind, text }) => [language, kind, text])).toEqual([])
    expect(missed.length / bad).toBeLessThanOrEqual(0.01)
  })

  test('most good ones are sent', async () => {
    const { refused } = await judged
    expect(1 - refused.length / good).toBeGreaterThanOrEqual(passRateMin[part])
  })
})

test('the held-out texts are at least 300, with 120 good ones, in every language that is answered', () => {
  const texts = replyCorpus('held-out')
  expect(texts.length).toBeGreaterThanOrEqual(300)
  expect(texts.filter(({ isGood }) => isGood).length).toBeGreaterThanOrEqual(120)
  expect([...new Set(texts.map(({ language }) => language))].sort()).toEqual([...replyLanguages].sort())
})

describe('A text', () => {
  test('is sent when every sentence is of a safe kind', async () => {
    expect(
      await whyNot(
        'Hello Ann,\n\nthank you for your review. We are glad that Maria was so kind.\n\nYour team at Acme',
      ),
    ).toBeNull()
    expect(await whyNot('Thank you! We are happy that you loved the scones 😊')).toBeNull()
  })

  test.each([
    ['is empty', '  ', 'it is empty'],
    ['is long', 'Thank you. '.repeat(100), 'longer than'],
    ['holds a link without a scheme', 'Thank you, welcome.back', 'link'],
    ['holds figures', 'Thank you for 20 scones', '“20”'],
    ['holds what cannot be seen', 'Thank\u200b you', 'invisible characters'],
    ['mixes scripts', 'Thаnk you', 'one script'],
    ['holds markup', 'Thank you <b>Ann</b>', 'plain punctuation'],
    ['names a thing that the review does not', 'Thank you. We are glad you loved our coffee', '“coffee”'],
    ['is in another language than the review', 'Vielen Dank für Ihre Bewertung', 'another language'],
  ])('is refused when it %s', async (_, text, why) => {
    expect(await whyNot(text)).toContain(why)
  })

  test('is refused in a language that has no list of words', async () => {
    expect(await whyNot('Köszönjük!', { review_language: 'hu' })).toContain('language')
  })

  test('may take up a noun of the review, but nothing that could be a name or does harm', async () => {
    const review_text =
      'Loved the babka. The lawsuit and the manager too. Nicer than starbucks. Ask Kevin Costa'
    expect(await whyNot('Thank you! We are glad you loved our babka.', { review_text })).toBeNull()
    expect(await whyNot('Thank you! We are glad you loved our lawsuit.', { review_text })).toContain(
      '“lawsuit”',
    )
    expect(await whyNot('Thank you! We are glad you loved our starbucks.', { review_text })).toContain(
      '“starbucks”',
    )
    expect(await whyNot('Thank you! We are glad you loved our Costa.', { review_text })).toContain('“Costa”')
    expect(await whyNot('Thank you! We are sorry about the babka.', { review_text })).toContain('regrets')
  })

  test.each<[string, string, boolean]>([
    ['Acme', "Your team at Acme's", true],
    ['Acme', 'Your team at Acmes', true],
    ['Acme', 'Your team at Acmeland', true],
    ['Acme', 'Your team at Acmelands', false],
    ['Acme', 'Your team at McAcme', false],
    ['Acme Zyx', 'Your team at Acmen Zyxen', true],
    ['Acme  Zyx ', 'Your team at Acme Zyx', true],
    ['Qx', 'Your team at Qx', true],
    ['Qx', 'Your team at Qxen', false],
    ['Acme 4', 'Your team at Acme 4', true],
    ['A.me', 'Your team at Acme', false],
  ])('names the business %j, or an inflected form of it: %s', async (business_name, end, isKnown) => {
    const verdict = await judgeReply(`Thank you for your review.\n\n${end}`, review, {
      ...business,
      business_name,
    })
    expect(verdict.isSendable).toBe(isKnown)
  })

  test.each([
    ['en', 'The scones were cold', ['We are very sorry.', 'We are deeply sorry.', 'We are so very sorry.']],
    ['de', 'Die Brötchen waren kalt', ['Das tut uns leid.', 'Wir bitten um Entschuldigung.']],
    ['fr', 'Le pain était froid', ['Nous sommes désolés.', 'Nous regrettons.']],
    ['es', 'El pan estaba frío', ['Lo sentimos.', 'Lo lamentamos.']],
    ['it', 'Il pane era freddo', ['Ci dispiace.']],
    ['nl', 'Het brood was koud', ['Het spijt ons.']],
    ['pt', 'O pão estava frio', ['Lamentamos.']],
  ])('regrets in a few short words without a reason: %s', async (review_language, review_text, texts) => {
    for (const text of texts)
      expect([text, await whyNot(text, { review_language, review_text, star_rating: 1 })]).toEqual([
        text,
        null,
      ])
  })

  test.each(['We are so very very sorry.', 'We are extremely sorry.', 'We regret your visit.'])(
    'needs a reason where it regrets in more words: %s',
    async (text) => {
      const complaint = { review_text: 'The scones were cold', star_rating: 1 }
      expect(await whyNot(text, complaint)).toBe('it does not say what it regrets')
    },
  )

  test('may repeat the name of the business and of the reviewer, which allow no other words', async () => {
    const named = { reviewer_name: 'Refund Voucher' }
    expect(await whyNot('Thank you Refund!', named)).toContain('“Refund”')
    const text = 'Thank you! You get free money.'
    const verdict = await judgeReply(text, review, { ...business, business_name: 'Free Money Ltd' })
    expect(verdict.isSendable).toBe(false)
  })

  test('may name no thing of its own, because a single one makes up a detail', async () => {
    const said = { review_text: 'Got red wine out of silk. Bit pricey.' }
    expect(await whyNot('We appreciate that you came to us with the blouse.', said)).toContain('“blouse”')
    expect(await whyNot('We appreciate that you came to us with the silk.', said)).toBeNull()
  })

  test.each([
    'Thank you! Your next visit is on us.',
    'Thank you! The scones are on the house.',
    'We are happy that you and your family are leaving.',
    'We are glad to have you back for nothing.',
    'Thank you. You are a very special liar.',
    'We hope to never see you again.',
    'Thank you! Everyone at Acme thinks you are rude.',
    'We are sorry that we were wrong.',
    'Thank you for the five stars, we will send you two more.',
    'Thank you! Acme is better than the others.',
  ])('is refused although most of its words are safe: %s', async (text) => {
    expect(await whyNot(text)).not.toBeNull()
  })
})
