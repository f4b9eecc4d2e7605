import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringsOf } from './code-prose'
import { sentencesIn } from './sentences'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'renown-sentences-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const texts = (path: string, text: string) =>
  stringsOf(path, text).map((one) => one.text.replace(/\s+/g, ' ').trim())

test('reads a text of a page as a person does: over its lines, and with what it marks up', () => {
  const page = `export const A = ({ n }: { n: number }) => (
  <section>
    <p>
      Renown read {n} reviews, and <b>kept</b> <a href="/x">all of{' '}
      them</a>. <Copy of={n} />
    </p>
    <p>Another text of the page</p>
  </section>
)`
  expect(texts('core/web/a.tsx', page).filter((text) => text !== '/x')).toEqual([
    'Renown read x reviews, and kept all of them. x',
    'Another text of the page',
  ])
})

test('reads templates and strings that are added as one text', () => {
  const code =
    "export const a = (b: string) => `The key ${b} is wrong. ` + 'Rotate it, ' + (b + ' and try again.')\n"
  expect(texts('core/http/a.ts', code)).toEqual(['The key x is wrong. Rotate it, x and try again.'])
})

test('tells apart where people read a sentence, and leaves out code', () => {
  const put = (name: string, text: string) => {
    writeFileSync(join(root, name), text)
    return name
  }
  const found = sentencesIn(root, [
    put('a.md', '# A title of four words\n\nThis is one sentence. Short one. And here is another.\n'),
    put('b.tsx', '/** Shows a page to people. */\nexport const B = () => <p>Here is the page.</p>\n'),
    put(
      'c.ts',
      "export const sql = 'SELECT a FROM b WHERE c'\nexport const fault = 'The key is not valid.'\n",
    ),
  ])
  const of = Object.fromEntries(
    Object.entries(found).map(([kind, all]) => [kind, all.map(({ text }) => text)]),
  )
  expect(of).toEqual({
    docs: ['This is one sentence.', 'And here is another.'],
    docstrings: ['Shows a page to people.'],
    pages: ['Here is the page.'],
    errors: ['The key is not valid.'],
  })
  expect(found.pages[0]?.place).toBe('b.tsx:2')
})
