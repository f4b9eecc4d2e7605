import { proseOf } from './docs-prose'

/** Words that begin an instruction. A sentence that begins with another verb is found by the test's list of all first words. */
const verbs =
  /^(?:Add|Ask|Change|Check|Choose|Copy|Create|Drop|Enter|Give|Hash|Import|Install|Keep|Let|Load|Lock|Look|Make|Move|Name|Open|Point|Protect|Prove|Publish|Put|Raise|Read|Remove|Repeat|Replace|Restart|Restore|Rotate|Run|Select|Send|Set|Sign|Start|Stop|Take|Tick|Try|Turn|Update|Upgrade|Use|Verify|Wait|Write)\b/

/** Returns the sentences of a page that tell an operator what to do, with their code, and its blocks of code. */
export function adviceIn(page: string): string[] {
  let columns: readonly string[] = []
  const sentences = proseOf(page).flatMap(({ text }) => {
    if (!/^\s*\|/.test(text)) {
      columns = []
      return instructionsIn(text)
    }
    const cells = text.split('|').map((cell) => cell.trim())
    if (columns.length === 0) columns = cells
    return cells.filter((_, place) => /What to do|alarm/.test(columns[place] ?? '')).flatMap(instructionsIn)
  })
  const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(
    ([, kind = '', code = '']) => `${kind || 'text'}: ${code.trim().split('\n')[0]}`,
  )
  return [...new Set([...sentences, ...blocks])]
}

function instructionsIn(text: string): string[] {
  const codes: string[] = []
  const plain = text
    .replace(/^\s*(?:[-#>]|\d+\.)\s+/, '')
    .replace(/\*\*/g, '')
    .replace(/`[^`]*`/g, (code) => `⟦${codes.push(code.replace(/\s+/g, ' ')) - 1}⟧`)
    .replace(/\s+/g, ' ')
    .trim()
  return plain
    .split(/(?<=[.!?:;])\s/)
    .flatMap((sentence) => {
      // "To move, stop the product" and "With nginx, set …" begin with their reason.
      const parts = [sentence, ...sentence.split(/, (?:and |then |or )?/).slice(1)]
      const isOne = parts.some(
        (part) => verbs.test(`${part[0]?.toUpperCase()}${part.slice(1)}`) && isImperative(sentence, part),
      )
      return isOne && !/:$|alarm when$/.test(sentence) && sentence.includes(' ') ? [sentence] : []
    })
    .map((sentence) => sentence.replace(/⟦(\d+)⟧/g, (_, place) => codes[Number(place)] ?? ''))
}

/** A verb inside a sentence is an instruction only after a reason: `To …,`, `If …,`, `Without …,`, `After …,`. */
const isImperative = (sentence: string, part: string): boolean =>
  part === sentence ||
  /^(?:To|If|For|With|Without|After|Before|Then|When|While|There|Below|Otherwise|Instead)\b/.test(sentence)
