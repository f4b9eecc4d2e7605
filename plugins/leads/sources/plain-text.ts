import { Parser } from 'htmlparser2'

/** Maximum characters of the text of a post. */
export const bodyMax = 20_000

/** Characters that cannot be seen but can hide words or reverse their order. Joiners of emoji and scripts stay. */
const invisible =
  /[[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]--[\n]]/gv
const lineEnd = /\r\n|[\r\u0085\u2028\u2029]/g
const space = /[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]/g

/** Returns untrusted text without invisible characters, with its lines, at most `charactersMax` UTF-16 units. */
export function cleanText(text: string, charactersMax = bodyMax): string {
  const seen = text
    .slice(0, charactersMax * 4)
    .replace(lineEnd, '\n')
    .replace(space, ' ')
    .replace(invisible, '')
    .toWellFormed()
  return joinedLines(seen).slice(0, charactersMax).toWellFormed().trimEnd()
}

/** Joins trimmed lines, with at most one empty line between two. */
function joinedLines(text: string): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const words = line.replace(/ {2,}/g, ' ').trim()
    if (words !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(words)
  }
  return lines.join('\n').trim()
}

const blocks = new Set(
  'address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
)
const silent = new Set(['script', 'style', 'template', 'noscript', 'title'])

/** Returns the text of HTML, with a new line for each block. Text without any mark is returned as it is. */
export function plainText(html: string, charactersMax = bodyMax): string {
  if (!/[<&]/.test(html)) return cleanText(html, charactersMax)
  let text = ''
  let hidden = 0
  const parser: Parser = new Parser({
    onopentag(name) {
      if (silent.has(name)) hidden++
      if (blocks.has(name)) text += '\n'
    },
    onclosetag(name) {
      if (silent.has(name)) hidden = Math.max(0, hidden - 1)
      if (blocks.has(name) && name !== 'br') text += '\n'
    },
    ontext(part) {
      // The line ends of HTML are spaces.
      if (hidden === 0) text += part.replace(/[\t\n\r]/g, ' ')
      if (text.length > charactersMax * 2) parser.pause()
    },
  })
  parser.end(html.slice(0, charactersMax * 8))
  return cleanText(text, charactersMax)
}
