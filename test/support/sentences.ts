import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentsOf, type Prose, stringsOf } from './code-prose'
import { proseOf, sentencesOf } from './docs-prose'

/** Where people read a sentence. `pages` has e-mails too, and `errors` everything that programs and the command line say. */
export const sentenceKinds = ['docs', 'docstrings', 'pages', 'errors'] as const
export type SentenceKind = (typeof sentenceKinds)[number]

/** A sentence, and the file and line of the text that it is part of. */
export interface Sentence {
  readonly place: string
  readonly text: string
}

const wordsMin = 4

/** Returns every sentence of at least four words that people read, by kind. */
export function sentencesIn(root: string, paths: readonly string[]): Record<SentenceKind, Sentence[]> {
  const found: Record<SentenceKind, Sentence[]> = { docs: [], docstrings: [], pages: [], errors: [] }
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8')
    const add = (kind: SentenceKind, pieces: readonly Prose[]) => {
      for (const piece of pieces)
        for (const sentence of sentencesOf(piece.text))
          if (isProse(sentence))
            found[kind].push({
              place: `${path}:${text.slice(0, piece.at).split('\n').length}`,
              text: sentence,
            })
    }
    if (path.endsWith('.md')) add('docs', proseOf(text))
    else {
      add('docstrings', commentsOf(text))
      add(isPage(path) ? 'pages' : 'errors', stringsOf(path, text))
    }
  }
  return found
}

const isPage = (path: string) => path.endsWith('.tsx') || /\/(?:mail|pages)\/|[-/]mail\b/.test(path)

/** Whether a text is a sentence rather than SQL, a pattern, a list of words or a style. */
const isProse = (text: string) =>
  text.split(' ').length >= wordsMin &&
  /^[“"'(]?[A-Z]/.test(text) &&
  !/[{}=;*|]|::|\b(?:SELECT|FROM|WHERE|INSERT|CREATE|INTERVAL)\b/.test(text)
