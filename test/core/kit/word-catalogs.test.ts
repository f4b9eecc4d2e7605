import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Messages, Phrase } from '../../../core/contracts/words'
import { englishText, messagesIn, shownText } from '../../../core/kit/phrases'
import { defineWords, loadedCatalogs, missingWords } from '../../../core/kit/word-catalogs'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-words-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const english = {
  plain: 'Open',
  from: 'From {name}',
  stars: { one: '{count} star', other: '{count} stars' },
  since: 'Since {day}',
  mailed: 'Mailed on {time}',
  all: 'All: {names}',
  rate: '{rate} %',
} as const satisfies Messages

/** Words of a room with these files. */
function wordsWith(name: string, files: Readonly<Record<string, Messages>>) {
  const own = mkdtempSync(join(folder, 'room-'))
  for (const [lang, messages] of Object.entries(files))
    writeFileSync(join(own, `${lang}.ts`), `export default ${JSON.stringify(messages)}\n`)
  writeFileSync(join(own, 'index.ts'), 'export {}\n')
  return defineWords(name, own, english)
}
const german = {
  plain: 'Öffnen',
  from: 'Von {name}',
  stars: { one: '{count} Stern', other: '{count} Sterne' },
  since: 'Seit dem {day}',
  mailed: 'Gesendet am {time}',
  all: 'Alle: {names}',
  rate: '{rate} %',
}
const berlin = (lang: string) => ({ lang, timezone: 'Europe/Berlin' })
const say = (phrase: Phrase, lang: string) => shownText(phrase, berlin(lang))

describe('a language', () => {
  test('is a file', () => {
    const words = wordsWith('one-file', { de: german })
    expect(say(words('plain'), 'de')).toEqual({ text: 'Öffnen' })
    expect(say(words('from', { name: 'Ann' }), 'de')).toEqual({ text: 'Von Ann' })
    expect(say(words('plain'), 'en')).toEqual({ text: 'Open' })
    expect([...words.catalog.translations.keys()]).toEqual(['de'])
  })

  test('has the plural forms, numbers, days, times and lists of Intl', () => {
    const words = wordsWith('formats', {
      de: german,
      pl: {
        stars: { one: '{count} gwiazdka', few: '{count} gwiazdki', many: '{count} gwiazdek', other: '?' },
      },
    })
    expect([1, 12_345].map((count) => say(words('stars', { count }), 'de').text)).toEqual([
      '1 Stern',
      '12.345 Sterne',
    ])
    expect(say(words('stars', { count: 12_345 }), 'en').text).toBe('12,345 stars')
    expect([1, 2, 5, 22].map((count) => say(words('stars', { count }), 'pl').text)).toEqual([
      '1 gwiazdka',
      '2 gwiazdki',
      '5 gwiazdek',
      '22 gwiazdki',
    ])
    expect(say(words('since', { day: { day: '2026-03-14' } }), 'de').text).toBe('Seit dem 14. März 2026')
    expect(say(words('since', { day: { day: '2026-03-14' } }), 'en').text).toBe('Since 14 Mar 2026')
    const time = { instant: '2026-03-14T12:05:00.000Z' }
    expect(say(words('mailed', { time }), 'de').text).toMatch(/^Gesendet am 14\. März 2026, 13:05 MEZ$/)
    expect(say(words('all', { names: { list: ['A', 'B', words('plain')] } }), 'de').text).toBe(
      'Alle: A, B und Öffnen',
    )
    expect(say(words('rate', { rate: 12.3 }), 'de').text).toBe('12,3 %')
  })

  test('that lacks a message shows the English one, says so, and is counted', () => {
    const { plain, ...others } = german
    const words = wordsWith('incomplete', { de: others })
    expect(plain).toBe('Öffnen')
    expect(say(words('plain'), 'de')).toEqual({ text: 'Open', lang: 'en' })
    expect(say(words('stars', { count: 2 }), 'sv')).toEqual({ text: '2 stars', lang: 'en' })
    expect(messagesIn(words.catalog, 'de').missing).toEqual(['plain'])
    expect(missingWords([words.catalog])).toEqual([{ room: 'incomplete', language: 'de', keys: ['plain'] }])
  })

  test('without a file in one room lacks all words of that room', () => {
    const all = [wordsWith('with', { sv: german }).catalog, wordsWith('without', {}).catalog]
    expect(missingWords(all).map(({ room, language, keys }) => [room, language, keys.length])).toEqual([
      ['with', 'sv', 0],
      ['without', 'sv', 7],
    ])
    expect(loadedCatalogs().map(({ room }) => room)).toEqual(expect.arrayContaining(['with', 'without']))
  })

  test('is refused at start if its file has no messages', () => {
    const own = mkdtempSync(join(folder, 'faulty-'))
    writeFileSync(join(own, 'de.ts'), 'export const words = {}\n')
    expect(() => defineWords('faulty', own, english)).toThrow(
      'The words of faulty in de are not the default export of their file',
    )
  })
})

describe('a phrase', () => {
  test('is no text before its language is known', () => {
    const words = wordsWith('no-text', {})
    expect(() => `${words('plain')}`).toThrow('A phrase is not a text yet')
    expect(englishText(words('from', { name: words('plain') }))).toBe('From Open')
  })

  test('of one language says it on pages in another, and a plain text says nothing', () => {
    expect(shownText({ text: 'It failed.', lang: 'en' }, berlin('de'))).toEqual({
      text: 'It failed.',
      lang: 'en',
    })
    expect(shownText({ text: 'It failed.', lang: 'en' }, berlin('en'))).toEqual({ text: 'It failed.' })
    expect(shownText('Zoë', berlin('de'))).toEqual({ text: 'Zoë' })
  })
})
