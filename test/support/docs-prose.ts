import type { Prose } from './code-prose'

/** The sentences of a text, with `x` for code. A table row and a heading have none. */
export const sentencesOf = (text: string): string[] =>
  /^\s*[|#<]/.test(text)
    ? []
    : text
        .replace(/`[^`]*`|\]\([^)]*\)/g, 'x')
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.!?:;])\s|\s-\s(?=[A-Z\d])/)

/** The paragraphs, list items and table rows of a document, without its code. */
export function proseOf(text: string): Prose[] {
  const quiet = text.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ' '))
  const found: Prose[] = []
  let at = 0
  for (const piece of quiet.split(/(\n(?=\s*(?:- |\d+\. |\|)|\n))/)) {
    if (piece.trim() !== '') found.push({ at: at + piece.search(/\S/), text: piece })
    at += piece.length
  }
  return found
}
