import { expect, test } from 'bun:test'
import { detectLanguage } from '../../../../plugins/leads/finding/language'
import { halfOf, readCorpus } from '../../../support/judges/corpora'

test.each([
  ['Best brunch in Leeds', 'en'],
  ['Any good garage near Bath?', 'en'],
  ['Nice haircut at Salut', 'und'],
  ['Fin de bail le 30', 'und'],
  ['Видели лису прямо', 'und'],
  ['Salamat friends, naku', 'und'],
  ['Suche Tierarzt in Coburg', 'de'],
  ['Ang sarap ng kape sa bagong kapihan', 'tl'],
  ['Alguém conhece um bom encanador?', 'pt'],
  ['東京の水道屋さんを探しています', 'ja'],
  ['ok!', 'und'],
])('a short post is not guessed by its letters alone: %s is %s', async (text, language) => {
  expect(await detectLanguage(text)).toBe(language)
})

test.each([
  [3, 0.45],
  [4, 0.7],
  [6, 0.85],
])(
  'of the first %i words of a text, at most one in a hundred shows a wrong language',
  async (count, knownMin) => {
    const texts = readCorpus('intent').filter((line) => halfOf(line) === 'build')
    const found = { known: 0, wrong: 0 }
    for (const { language, text } of texts) {
      const shown = await detectLanguage(text.split(/\s+/).slice(0, count).join(' '))
      if (shown === language) found.known++
      else if (shown !== 'und') found.wrong++
    }
    expect(found.wrong / texts.length).toBeLessThanOrEqual(0.012)
    expect(found.known / texts.length).toBeGreaterThanOrEqual(knownMin)
  },
)
