import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  corporaFolder,
  corpusFiles,
  corpusLanguages,
  corpusNames,
  halfOf,
  readBrands,
  readCorpus,
} from '../support/judges/corpora'
import { corpusTable } from '../support/judges/corpus-table'

/** Each language has at least one text of so many. */
const share = 22
const counts = { relevance: 1_360, intent: 620, answers: 1_700, sensitive: 840, replies: 380 } as const

describe.each(corpusNames)('the labelled texts of %s', (name) => {
  // Reading throws on a line that does not fit its schema.
  const lines = readCorpus(name)

  test('are one file a language, each line in the file of its language', () => {
    expect(corpusFiles(name).toSorted()).toEqual(corpusLanguages.map((one) => `${one}.jsonl`).toSorted())
    expect(lines.length).toBe(counts[name])
    for (const language of corpusLanguages)
      expect(lines.filter((line) => line.language === language).length).toBeGreaterThanOrEqual(
        Math.floor(counts[name] / share),
      )
  })

  test('have unique ids, and no text twice', () => {
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
    const texts = lines.map((line) => ('reply' in line ? line.reply : `${line.text}`))
    expect(texts.length - new Set(texts).size).toBe(0)
  })

  test('contain the words that their labels rest on', () => {
    const strange = lines.filter(
      (line) => line.quote !== undefined && !('reply' in line ? line.reply : line.text).includes(line.quote),
    )
    expect(strange.map(({ id }) => id)).toEqual([])
  })

  test('say what the writer meant only where it is another label', () => {
    const same = lines.filter((line) => Bun.deepEquals(line.label, line.written_as))
    expect(same.map(({ id }) => id)).toEqual([])
  })

  test('are split in two halves of about the same size', () => {
    const built = lines.filter((line) => halfOf(line) === 'build').length
    expect(built / lines.length).toBeGreaterThan(0.4)
    expect(built / lines.length).toBeLessThan(0.6)
  })
})

test('a file of texts is in the file of its language', async () => {
  for (const name of corpusNames)
    for (const file of corpusFiles(name)) {
      const text = await Bun.file(join(corporaFolder, name, file)).text()
      const strange = text
        .trim()
        .split('\n')
        .filter((line) => JSON.parse(line).language !== file.replace('.jsonl', ''))
      expect(strange).toEqual([])
    }
})

test('every post is of a known business, and every business has posts of both kinds', () => {
  const brands = readBrands()
  expect(brands.size).toBe(32)
  const posts = readCorpus('relevance')
  expect(posts.filter(({ brand }) => !brands.has(brand))).toEqual([])
  for (const id of brands.keys()) {
    const labels = new Set(posts.filter(({ brand }) => brand === id).map(({ label }) => label))
    expect([id, labels.has('about'), labels.has('other')]).toEqual([id, true, true])
  }
})

test('an answer that does not name the brand neither recommends it nor has a stance', () => {
  const wrong = readCorpus('answers').filter(
    ({ label }) => label.mentioned !== (label.stance !== 'none') || (label.recommended && !label.mentioned),
  )
  expect(wrong.map(({ id }) => id)).toEqual([])
})

test('the README says how many there are', async () => {
  expect(await Bun.file(join(corporaFolder, 'README.md')).text()).toContain(corpusTable())
})

test('the texts are not part of the package', async () => {
  const { files } = await Bun.file(join(corporaFolder, '../package.json')).json()
  expect(files.filter((one: string) => one.startsWith('corpora'))).toEqual([])
})
