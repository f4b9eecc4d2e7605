import { describe, expect, test } from 'bun:test'
import { all, asc, eq, sample, type Tools } from './tools'

/** Texts compare by bytes and are searched literally. */
export function texts({ put, ids, rows }: Tools): void {
  describe('texts', () => {
    test('compare by their UTF-8 bytes', async () => {
      const titles = ['', ' ', 'A', 'Z', 'a', 'a\u0301', 'z', 'ß', 'ä', '\u{fffd}', '\u{1f389}']
      await put(...titles.map((title, place) => sample(place, { title })).reverse())
      expect(await ids(all, [asc('title')])).toEqual(titles.map((_, place) => place))
      expect(await ids({ op: 'gt', field: 'title', value: '\u{fffd}' })).toEqual([10])
      expect(await ids(eq('title', 'á'))).toEqual([])
    })

    test('$contains and $startsWith are literal and fold case, not accents', async () => {
      const titles = [
        '100% sure_thing\\n (a+b)*[c]{2}^$|.?/#-',
        'Straße STRASSE',
        'STRAẞE',
        'İstanbul ISPARTA ısparta',
        'Σίσυφος ΣΊΣΥΦΟΣ',
        '🎉 PARTY 🥳',
        'Grüße ÄÖÜ',
        'line one\nline two',
        '',
        'Kelvin K and ſtrange',
      ]
      await put(
        ...titles.map((title, place) => sample(place, { title })),
        sample(20),
        sample(21, { title: null }),
      )
      const contains = (value: string) => ids({ op: 'contains', field: 'title', value })
      const starts = (value: string) => ids({ op: 'startsWith', field: 'title', value })
      for (const literal of [
        '%',
        '_',
        '\\',
        '(a+b)*',
        '[c]',
        '{2}',
        '^$',
        '|.?',
        '/#-',
        'SURE_THING',
        '.?/',
      ]) {
        expect([literal, await contains(literal)]).toEqual([literal, [0]])
      }
      expect(await contains('strasse')).toEqual([1])
      expect(await contains('straße')).toEqual([1, 2])
      expect(await contains('STRAẞE')).toEqual([1, 2])
      expect(await contains('isparta')).toEqual([3])
      expect(await contains('ISTANBUL')).toEqual([])
      expect(await contains('ıspart')).toEqual([3])
      expect(await contains('σίσυφοσ')).toEqual([4])
      expect(await contains('🥳')).toEqual([5])
      expect(await contains('äöü')).toEqual([6])
      expect(await contains('grusse')).toEqual([])
      expect(await contains('K')).toEqual([9])
      expect(await contains('STR')).toEqual([1, 2, 9])
      expect(await starts('line')).toEqual([7])
      expect(await starts('LINE TWO')).toEqual([])
      expect(await starts('🎉 party')).toEqual([5])
      expect(
        (await ids({ op: 'not', of: { op: 'contains', field: 'title', value: 'a' } })).slice(-3),
      ).toEqual([8, 20, 21])
      expect(await rows().count({ op: 'contains', field: 'title', value: 'e' })).toBe(6)
    })
  })
}
