import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { cleanName, typedName } from '../../../core/contracts/typed-name'
import { withCore } from '../../../core/product/core-plugins'
import { createRegistry } from '../../../core/registry/registry'
import { builtin } from '../../../plugins'

/** Direction marks, zero-width characters, controls, tags, a lone surrogate and private use. */
const marks = '\u202e\u200b\u2060\ufeff\u0007\u00ad\u{e0041}\ud800\ue000\u2066\u200e\u3164\u034f'

test('a name loses characters that nobody can see, and only those', () => {
  expect(cleanName(`Har${[...marks].join('b')}our`)).toBe(`Har${'b'.repeat([...marks].length - 1)}our`)
  expect(cleanName('  Harbour \n\t\u2028 Bakery ')).toBe('Harbour Bakery')
  expect(cleanName('e\u0301')).toBe('\u00e9')
  const kept = [
    'Zoë & Søn, 12½',
    'مخبز الميناء',
    'می‌خواهم',
    'क्‍ष',
    '東京ラーメン',
    'Bäckerei “Zum Löwen”',
    '👨‍👩‍👧 Family',
    '☕️ Café',
    '🇬🇧 Shop',
    '👋🏽 Hi',
    '❤️‍🔥',
  ]
  expect(kept.map(cleanName)).toEqual(kept.map((name) => name.normalize('NFC')))
})

test('joiners between Latin letters go, because they only make two names look the same', () => {
  expect([cleanName('Bak\u200dery'), cleanName('Bak\u200cery'), cleanName('\u200dBakery\u200c')]).toEqual(
    new Array(3).fill('Bakery'),
  )
})

test('cleaning twice changes nothing more', () => {
  for (const name of [`a${marks}b`, '\u200d\u202e👨\u200d\u202e👩', 'x \u200b y', 'م\u202e\u200cم'])
    expect(cleanName(cleanName(name))).toBe(cleanName(name))
})

test('a name of marks alone is empty, and is refused', () => {
  const name = typedName('A name', { max: 5 })
  expect(v.safeParse(name, marks)).toMatchObject({ success: false })
  expect(v.safeParse(name, 'Harbour')).toMatchObject({ success: false })
  expect(v.parse(name, ` ${marks}Har `)).toBe('Har')
})

/** Fields of commands that find something by its name, or hold a name that a platform gave. */
const looksUp = ['connection add.account_name']

test('no command accepts a name with characters that nobody can see', () => {
  const { commands } = createRegistry(withCore(builtin))
  const accepting: string[] = []
  let names = 0
  for (const [command, { input }] of commands) {
    const { entries = {} } = input as unknown as { entries?: Record<string, v.GenericSchema> }
    for (const [field, schema] of Object.entries(entries)) {
      if (!/(^|_)name$/.test(field) || looksUp.includes(`${command}.${field}`)) continue
      names++
      const parsed = v.safeParse(schema, 'Har\u202ebour\u200b')
      if (parsed.success && parsed.output !== 'Harbour') accepting.push(`${command}.${field}`)
    }
  }
  expect(accepting).toEqual([])
  expect(names).toBeGreaterThan(4)
})
