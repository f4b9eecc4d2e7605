import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Glob } from 'bun'
import { loadedCatalogs, missingWords } from '../core/kit/word-catalogs'
import { withCore } from '../core/product/core-plugins'
import { languages } from '../core/web/framework/language'
import { builtin } from '../plugins'
import { pluralFormsOf } from './support/plural-forms'
import { literalWords, translationFaults } from './support/word-rules'

const root = join(import.meta.dir, '..')
// Every room declares its words when its plugin is loaded.
withCore(builtin)

const folders = [...new Glob('{core,plugins}/**/words/index.ts').scanSync(root)].map((file) =>
  file.replace('/words/index.ts', ''),
)
const sourcesOf = (folder: string) =>
  [...new Glob('**/*.{ts,tsx}').scanSync(join(root, folder))].filter(
    (file) => !/(^|\/)words\/([a-z]{2,3}(-\w+)?|index)\.ts$/.test(file),
  )
/** The room that a folder declares, such as `inbox`. */
const roomOf = (folder: string) =>
  /defineWords\('([a-z-]+)'/.exec(readFileSync(join(root, folder, 'words/index.ts'), 'utf8'))?.[1] ?? ''

/** Other tests of this process declare words too. */
const catalogs = loadedCatalogs().filter(({ room }) => folders.some((folder) => roomOf(folder) === room))

describe('the words of rooms', () => {
  test('are loaded from every folder of words, each with a name of its own', () => {
    const declared = folders.map(roomOf).toSorted()
    expect(declared.length).toBeGreaterThan(8)
    expect(catalogs.map(({ room }) => room)).toEqual(declared)
    expect(new Set(declared).size).toBe(declared.length)
  })

  test('lack nothing in any language', () => {
    expect(missingWords(catalogs).filter(({ keys }) => keys.length > 0)).toEqual([])
    expect(languages).toContain('de')
  })

  test('have the placeholders and the plural forms that their language needs', () => {
    const all = catalogs.flatMap(({ room, english, translations }) =>
      [['en', english] as const, ...translations].map(([language, messages]) => ({
        room,
        language,
        english,
        messages,
      })),
    )
    expect(all.flatMap((one) => translationFaults(one as never))).toEqual([])
    expect(pluralFormsOf('de')).toEqual(['one', 'other'])
  })

  test('have no key that no file of the room uses', () => {
    const unused = folders.flatMap((folder) => {
      const catalog = catalogs.find(({ room }) => room === roomOf(folder))
      const texts = usersOf(folder).map((file) => readFileSync(join(root, file), 'utf8'))
      return Object.keys(catalog?.english ?? {})
        .filter((key) => !texts.some((text) => text.includes(`'${key}'`)))
        .map((key) => `${folder}: ${key}`)
    })
    expect(unused).toEqual([])
  })

  test('are not in English in the files that say them', () => {
    const said = moved.flatMap((file) => literalWords(file, readFileSync(join(root, file), 'utf8')))
    expect(said).toEqual([])
    expect(moved.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

/** Files outside the folder of a room that use its words. The words of the frame are also said by what is in the frame. */
const usersOf = (folder: string) => [
  ...sourcesOf(folder).map((file) => join(folder, file)),
  ...(folder === 'core/web/framework' ? sourcesOf('core/web').map((file) => join('core/web', file)) : []),
  ...(folder === 'core/web/pages/inbox' ? ['core/web/pages/proposals/proposal-entries.ts'] : []),
  ...(folder === 'core/web/kit/parts'
    ? [
        'core/web/framework/language.ts',
        'core/web/kit/client/failed-update.tsx',
        'core/web/kit/client/live-notice.tsx',
      ]
    : []),
]

const filesOf = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder))
    .filter((file) => pattern.test(file))
    .map((file) => relative(root, join(root, folder, file)))

/** Files of rooms that were moved to a catalog. Every file with `inbox` in its name is one, so that new sources have words too. */
const moved = [
  ...filesOf('core/web/pages/inbox', /\.tsx?$/),
  ...filesOf('core/web/frame/desk', /\.tsx?$/).filter(
    (file) => !/(desk-asset|(board|desk|list|typed)-script|browser-page)\.ts$/.test(file),
  ),
  'core/web/frame/frame.tsx',
  'core/web/kit/client/failed-update.tsx',
  'core/web/kit/client/live-notice.tsx',
  'core/web/kit/parts/key-hints.tsx',
  'core/web/kit/parts/list-detail.tsx',
  'core/web/kit/parts/moment.tsx',
  'core/web/kit/parts/toast.tsx',
  'core/web/pages/proposals/proposal-entries.ts',
  ...readdirSync(join(root, 'plugins'))
    .filter((plugin) => existsSync(join(root, 'plugins', plugin, 'cards')))
    .flatMap((plugin) => filesOf(`plugins/${plugin}/cards`, /inbox.*\.ts$/)),
  'plugins/reviews/cards/send-draft.ts',
  'plugins/traffic/alerts/change-words.ts',
  'plugins/traffic/alerts/spoofed-words.ts',
  'plugins/traffic/cards/changes.ts',
  'plugins/traffic/cards/new-agents.ts',
  'plugins/visibility/alerts/notice-words.ts',
]

describe('a fault in a catalog is found', () => {
  const english = { plain: 'From {name}', many: { one: '{count} star', other: '{count} stars' } }
  const faults = (messages: Record<string, string | Record<string, string>>, language = 'de') =>
    translationFaults({ room: 'r', language, english, messages })
  test.each([
    [{ plain: 'Von {nam}' }, ['r de plain: English has no {nam}', 'r de plain: {name} is missing']],
    [{ palin: 'Von {name}' }, ['r de palin: English has no such key']],
    [{ many: { other: '{count} Sterne' } }, ['r de many: the form one is missing']],
    [{ many: '{count} Sterne' }, ['r de many: it needs plural forms']],
    [
      { many: { one: '{count} Stern', two: '{count} Sterne', other: '{count} Sterne' } },
      ['r de many: the language has no form two'],
    ],
    [
      { plain: { one: 'Von {name}', other: 'Von {name}' } },
      ['r de plain: English has no plural forms, so no count chooses one'],
    ],
    [{ plain: 'Von {name}', many: { one: 'ein Stern', other: '{count} Sterne' } }, []],
  ])('%j', (messages, expected) => {
    expect(faults(messages as Record<string, string | Record<string, string>>)).toEqual(expected)
  })

  test('a language with more forms needs them all, and one without plurals none', () => {
    expect(faults({ many: { one: '{count}', other: '{count}' } }, 'pl')).toEqual([
      'r pl many: the form few is missing',
      'r pl many: the form many is missing',
    ])
    expect(faults({ many: '{count} 星' }, 'ja')).toEqual([])
  })

  test.each([
    ['<p>All done</p>', 'All done'],
    ['<a title="Open it now">x</a>', 'Open it now'],
    ["<p>{isOld ? 'Very old' : old}</p>", 'Very old'],
    [`<p>{\`Done by \${name}\`}</p>`, `\`Done by \${name}\``],
    ["({ title: 'Failed' })", 'Failed'],
  ])('in %s', (code, words) => {
    expect(literalWords('a.tsx', `export const a = ${code}\n`)).toEqual([`a.tsx:1 ${words}`])
  })

  test.each([
    '<p class="row dim">{words(\'allDone\')}</p>',
    "log.error('a source could not be read', {})",
    "new Error('The page has no words')",
    "state === 'Failed'",
  ])('but not in %s', (code) => {
    expect(literalWords('a.tsx', `export const a = ${code}\n`)).toEqual([])
  })
})
