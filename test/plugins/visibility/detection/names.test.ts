import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createNameFinder } from '../../../../plugins/visibility/detection/find-names'
import { fold, originalSpan } from '../../../../plugins/visibility/detection/fold'

const acme = { id: 'brand', names: ['Acme'] }
const of = (text: string, ...entities: Parameters<typeof createNameFinder>[0]) =>
  createNameFinder(entities.length > 0 ? entities : [acme])(text).map(
    ({ entity, start, end }) => `${entity}:${text.slice(start, end)}`,
  )

describe('A name is found', () => {
  test.each([
    ['Acme is good', 'Acme'],
    ['ACME!', 'ACME'],
    ["Acme's plumbers", 'Acme'],
    ['Acme’s plumbers', 'Acme'],
    ['**Acme**: good', 'Acme'],
    ['_Acme_ is good', 'Acme'],
    ['(Acme)', 'Acme'],
    ['1. Acme\n2. Beta', 'Acme'],
    ['| Acme | 4.8 |', 'Acme'],
    ['Ácmé', 'Ácmé'],
    ['A\u0301cme', 'A\u0301cme'],
    ['Ａｃｍｅ', 'Ａｃｍｅ'],
    ['Ac\u00adme', 'Ac\u00adme'],
    ['Acmeは良い', 'Acme'],
    ['お店はAcmeです', 'Acme'],
    ['[Acme](https://acme.example/x)', 'Acme'],
    ['Use Acme. Then', 'Acme'],
    ['Beta/Acme', 'Acme'],
    ['Acme-like', 'Acme'],
  ])('in %j', (text, found) => {
    expect(of(text)).toEqual([`brand:${found}`])
  })

  test.each([
    ['Straße 7', 'STRASSE 7 is open', 'STRASSE 7'],
    ['Strasse 7', 'die Straße 7 hat', 'Straße 7'],
    ['Müller Bäder', 'Mueller Baeder', 'Mueller Baeder'],
    ['Müller Bäder', 'Muller Bader', 'Muller Bader'],
    ["O'Reilly", 'Ask OReilly', 'OReilly'],
    ["O'Reilly", 'Ask O’Reilly', 'O’Reilly'],
    ['Coca-Cola', 'Coca Cola', 'Coca Cola'],
    ['Coca-Cola', 'Coca‑Cola', 'Coca‑Cola'],
    ['Coca-Cola', 'cocacola', 'cocacola'],
    ['Smith & Sons', 'Smith and Sons', 'Smith and Sons'],
    ['Smith & Sons', 'Smith&Sons', 'Smith&Sons'],
    ['Acme Plumbing', 'Acme\u00a0Plumbing', 'Acme\u00a0Plumbing'],
    ['Acme Plumbing', '**Acme** Plumbing', 'Acme** Plumbing'],
    ['Acme Plumbing', 'Acme-Plumbing', 'Acme-Plumbing'],
    ['Booking.com', 'on Booking.com, and', 'Booking.com'],
    ['Yahoo!', 'Yahoo! says', 'Yahoo!'],
    ['東京水道', '東京水道は早い', '東京水道'],
    ['ร้านช่าง', 'ลองร้านช่างดู', 'ร้านช่าง'],
    ['Ёлка', 'елка рядом', 'елка'],
    ['서울배관', '서울배관은 빠르다', '서울배관'],
    ['서울배관', '서울배관보다', '서울배관'],
    ['C++ Shop', 'the C++ Shop', 'C++ Shop'],
    ['Disney+', 'on Disney+ now', 'Disney+'],
    ['Zażółć', 'ZAZOLC', 'ZAZOLC'],
    ['ΟΔΟΣ', 'οδος', 'οδος'],
  ])('%j in %j', (name, text, found) => {
    expect(of(text, { id: 'x', names: [name] })).toEqual([`x:${found}`])
  })
})

describe('A name is found without words that only say what the business is', () => {
  test.each([
    ['Umber Coffee', 'Walk ten minutes to Umber: it is open', 'Umber'],
    ['Kanzlei Brandt & Wölk', 'Brandt & Wölk ist eine Kanzlei', 'Brandt & Wölk'],
    ['Copyshop Druckreif', 'Für ein Skript reicht Druckreif allemal', 'Druckreif'],
    ['Résidence Les Glycines', 'des erreurs aux Glycines', 'Glycines'],
    ['Hotel Kaskada', 'Goście wypominają Kaskadzie zimną wodę', 'Kaskadzie'],
    ['Hostel Wawel Inn', 'W Wawel Innie są szafki', 'Wawel Innie'],
    ['Гостиница Околица', 'рядом есть гостиница «Околица»', 'гостиница «Околица'],
    ['Натяжные потолки Глянец', 'Сейчас «Глянцем» недовольны', 'Глянцем'],
    ['كراج الوفاء', 'عليك بالوفاء في البطارية', 'الوفاء'],
  ])('%s in %j', (name, text, found) => {
    expect(of(text, { id: 'x', names: [name] })).toEqual([`x:${found}`])
  })

  test.each([
    ['Umber Coffee', 'Walk to Umber Square'],
    ['Umber Coffee', 'Ask for Jonathan Umber'],
    ['Umber Coffee', 'The walls are umber and White'],
    ['Hotel Sonne', 'Es war eine Sonne zu sehen'],
  ])('%s, but not in %j', (name, text) => {
    expect(of(text, { id: 'x', names: [name] })).toEqual([])
  })
})

describe('No name is found', () => {
  test.each([
    'Acmeon is another',
    'a pacme',
    'visit acme.example today',
    'see shop.acme.example',
    'https://acme.example/Acme',
    'www.acme.example/Acme',
    'write to info@acme.example or acme@mail.example',
    'follow @Acme and #Acme',
    'the file is acme_plan and my_acme',
    '[their site](https://maps.example/Acme)',
    'Acme2',
    'Ac me',
    '[1]: https://acme.example Acme',
  ])('in %j', (text) => {
    expect(of(text)).toEqual([])
  })

  test('of a plus sign that is not there', () => {
    expect(of('Disney and Hulu', { id: 'x', names: ['Disney+'] })).toEqual([])
  })

  test('inside a longer Korean word', () => {
    expect(of('서울배관공사', { id: 'x', names: ['서울배관'] })).toEqual([])
    expect(of('새서울배관', { id: 'x', names: ['서울배관'] })).toEqual([])
  })

  test('of another case where the name is a common word', () => {
    const target = { id: 't', names: ['Target'], isCaseSensitive: true }
    expect(of('their target is Target, TARGET', target)).toEqual(['t:Target'])
  })

  test('of two letters, unless a longer one of the same brand is in the answer', () => {
    const ge = { id: 'ge', names: ['GE', 'General Energy'] }
    expect(of('GE is good', ge)).toEqual([])
    expect(of('General Energy (GE) and ge', ge)).toEqual(['ge:General Energy', 'ge:GE'])
    expect(of('東の店', { id: 'e', names: ['東', '東京水道'] })).toEqual([])
  })
})

describe('Where names overlap, the longest counts', () => {
  const plus = { id: 'rival', names: ['Acme Plus'] }
  test.each([
    ['Acme Plus and Acme', ['rival:Acme Plus', 'brand:Acme']],
    ['Acme Plus', ['rival:Acme Plus']],
    ['Acme plus others', ['brand:Acme']],
  ])('in %j', (text, found) => {
    expect(of(text, acme, plus)).toEqual(found)
  })
  test('also without spaces', () => {
    expect(
      of('東京水道工業', { id: 'a', names: ['東京水道'] }, { id: 'b', names: ['東京水道工業'] }),
    ).toEqual(['b:東京水道工業'])
  })
})

test('a span of the folded text is a span of the original, whatever the text', () => {
  const units = fc.array(
    fc.oneof(
      fc.constantFrom('ß', 'e\u0301', '\u200d', '𝐀', 'é', 'Ω', '가', 'が', '👨‍👩‍👧', ' ', 'a', 'ﬁ'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }),
    ),
    { minLength: 1, maxLength: 30 },
  )
  fc.assert(
    fc.property(units, (all) => {
      const text = all.join('')
      const folded = fold(text)
      expect(folded.origin === null || folded.origin.length === folded.text.length + 1).toBe(true)
      if (folded.text === '') return
      expect(originalSpan(folded, 0, folded.text.length)[1]).toBe(text.length)
      for (let at = 0; at < folded.text.length; at++) {
        const [start, end] = originalSpan(folded, at, at + 1)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a name is found wherever it stands between spaces', () => {
  // Without brackets: a name in the target of a link is no mention.
  const rest = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[[\]]|www|:\/\//i.test(text))
  fc.assert(
    fc.property(rest, rest, (before, after) => {
      const text = `${before} Acme Plumbing ${after}`
      const spans = createNameFinder([{ id: 'x', names: ['acme plumbing'] }])(text)
      expect(spans.some(({ start, end }) => text.slice(start, end) === 'Acme Plumbing')).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
