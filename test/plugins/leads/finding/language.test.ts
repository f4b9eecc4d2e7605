import { expect, test } from 'bun:test'
import { detectLanguage } from '../../../../plugins/leads/finding/language'

test.each([
  ['Best brunch in Leeds', 'en'],
  ['Any good garage near Bath?', 'en'],
  ['Nice haircut at Salut', 'und'],
  ['Suche Tierarzt in Coburg', 'de'],
  ['Ang sarap ng kape sa bagong kapihan', 'tl'],
  ['Alguém conhece um bom encanador?', 'pt'],
  ['東京の水道屋さんを探しています', 'ja'],
  ['ok!', 'und'],
])('a short post is not guessed by its letters alone: %s is %s', async (text, language) => {
  expect(await detectLanguage(text)).toBe(language)
})
