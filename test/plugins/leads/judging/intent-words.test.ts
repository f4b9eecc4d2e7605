import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { intentLexicon } from '../../../../plugins/leads/judging/intent-lexicon'
import { createLexicon } from '../../../../plugins/leads/judging/lexicon'

/** A post, and the kinds of intent that a reader of its language sees in it. */
interface IntentExample {
  readonly text: string
  readonly kinds: readonly string[]
}

const folder = join(import.meta.dir, '../examples/intent')
const examples = readdirSync(folder).map((name) => ({
  language: name.replace('.json', ''),
  posts: JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly IntentExample[],
}))
const kindsOf = createLexicon(intentLexicon)

for (const { language, posts } of examples)
  for (const { text, kinds } of posts)
    test(`the words of intent say what a reader says, ${language}: ${text}`, () => {
      expect(kindsOf({ body: text }).map(({ rule }) => rule.kind)).toEqual([...kinds])
    })

test('each language with words of intent has examples', () => {
  const words = readdirSync(join(import.meta.dir, '../../../../plugins/leads/judging/words'))
  expect(examples.map(({ language }) => `${language}.json`).toSorted()).toEqual(words.toSorted())
})
