import { describe, expect, test } from 'bun:test'
import { locationLanguage, replyLanguage } from '../../../../plugins/reviews/writing/reply-language'

const review = { id: 'rev_1', workspace_id: 'wsp_1', star_rating: 5 }
const at = (country?: string) => ({ business_name: 'Acme', ...(country === undefined ? {} : { country }) })

describe('A review is answered', () => {
  test('in its own language where Renown answers in it', () => {
    expect(replyLanguage({ ...review, review_language: 'pt-BR' }, at('DE'))).toBe('pt')
    expect(
      replyLanguage({ ...review, review_text: 'Bardzo miła obsługa i dobre jedzenie, polecam' }, at()),
    ).toBe('pl')
    expect(replyLanguage({ ...review, review_text: 'Jättebra mat och mycket trevlig personal' }, at())).toBe(
      'sv',
    )
    expect(replyLanguage({ ...review, review_text: 'Çok güzel bir yer ve yemekler harika' }, at())).toBe('tr')
  })

  test('in the language of the location when it has no words, or few of no known language', () => {
    expect(replyLanguage(review, at('DE'))).toBe('de')
    expect(replyLanguage({ ...review, review_text: '' }, at('Poland'))).toBe('pl')
    expect(replyLanguage({ ...review, review_text: 'Top!' }, at('fr'))).toBe('fr')
    const spoken = { ...at('BE'), enrichment: { languages: ['nl'] } }
    expect(replyLanguage(review, spoken)).toBe('nl')
  })

  test('in the language of the location when its words come nearest to that, and by no one if to another', () => {
    const near = { ...review, review_text: 'Fensterputzer Schornsteinfeger sehr Dachdecker' }
    expect(replyLanguage(near, at('DE'))).toBe('de')
    expect(replyLanguage(near, at('FR'))).toBeNull()
    const nearEnglish = { ...review, review_text: 'Superb Schreinerei Autowerkstatt' }
    expect(replyLanguage(nearEnglish, at('DE'))).toBeNull()
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
  ])('by no one but people when %s', (_, changes, business) => {
    expect(replyLanguage({ ...review, ...changes }, business)).toBeNull()
  })
})

test('a location with several languages and no country has none', () => {
  expect(locationLanguage({ ...at(), enrichment: { languages: ['fr', 'nl'] } })).toBeNull()
})
