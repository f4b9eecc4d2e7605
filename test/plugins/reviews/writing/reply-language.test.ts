import { describe, expect, test } from 'bun:test'
import { locationLanguage, replyLanguage } from '../../../../plugins/reviews/writing/reply-language'

const review = { id: 'rev_1', workspace_id: 'wsp_1', star_rating: 5 }
const at = (country?: string) => ({ business_name: 'Acme', ...(country === undefined ? {} : { country }) })

describe('A review is answered', () => {
  test('in its own language where Renown answers in it', async () => {
    expect(await replyLanguage({ ...review, review_language: 'pt-BR' }, at('DE'))).toBe('pt')
    expect(
      await replyLanguage({ ...review, review_text: 'Bardzo miła obsługa i dobre jedzenie, polecam' }, at()),
    ).toBe('pl')
    expect(
      await replyLanguage({ ...review, review_text: 'Jättebra mat och mycket trevlig personal' }, at()),
    ).toBe('sv')
    expect(
      await replyLanguage({ ...review, review_text: 'Çok güzel bir yer ve yemekler harika' }, at()),
    ).toBe('tr')
  })

  test('in the language of the location when it has no words, or few of no known language', async () => {
    expect(await replyLanguage(review, at('DE'))).toBe('de')
    expect(await replyLanguage({ ...review, review_text: '' }, at('Poland'))).toBe('pl')
    expect(await replyLanguage({ ...review, review_text: 'Top!' }, at('fr'))).toBe('fr')
    const spoken = { ...at('BE'), enrichment: { languages: ['nl'] } }
    expect(await replyLanguage(review, spoken)).toBe('nl')
  })

  test('in the language that its letters show, wherever the business is', async () => {
    const near = { ...review, review_text: 'Fensterputzer Schornsteinfeger sehr Dachdecker' }
    expect(await replyLanguage(near, at('DE'))).toBe('de')
    expect(await replyLanguage(near, at('FR'))).toBe('de')
    const nearEnglish = { ...review, review_text: 'Superb Schreinerei Autowerkstatt' }
    expect(await replyLanguage(nearEnglish, at('DE'))).toBe('de')
  })

  test.each([
    ['its words are many and near to no language', { review_text: 'Lorem ipsum dolor sit amet' }, at('DE')],
    [
      'its words are near to none, and those of its location too',
      { review_text: 'Lorem ipsum dolor sit' },
      at(),
    ],
    ['its language has no template', { review_language: 'hu' }, at('DE')],
    ['it is written in another script', { review_text: 'Супер' }, at('DE')],
    [
      'its words are of no language that is known',
      { review_text: 'Fantastinen paikka ja todella ystävällinen' },
      at('DE'),
    ],
    ['nothing tells the language of the location', {}, at()],
    ['the country of the location has several languages', {}, at('CH')],
  ])('by no one but people when %s', async (_, changes, business) => {
    expect(await replyLanguage({ ...review, ...changes }, business)).toBeNull()
  })
})

test('a location with several languages and no country has none', async () => {
  expect(locationLanguage({ ...at(), enrichment: { languages: ['fr', 'nl'] } })).toBeNull()
})
