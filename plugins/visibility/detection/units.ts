/** A sentence, an item of a list or a row of a table. */
export interface Unit {
  readonly start: number
  readonly end: number
  /** The number of its paragraph or item. */
  readonly line: number
  readonly isItem: boolean
  readonly isRow: boolean
}

const itemStart = /^\s{0,8}(?:[-*+•◦▪–—→①-⑳]\s?|[(*_]{0,3}[\d٠-٩]{1,3}[.)、]\s?|\|)/u
const boldStart = /^\s{0,8}(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__)/u
/** A full stop ends a sentence before a capital, unless it ends an abbreviation. */
const sentenceEnd =
  /(?<!(?<![\p{L}\p{N}])(?:vs|inc|corp|co|ltd|st|dr|mr|mrs|ms|no|approx|e\.g|i\.e|z\. ?b|bzw|ca|d\. ?h|u\. ?a|p\. ?ex|sr|sra|m\.in|nr|ul|\d))[.!?؟。…](?=["»”’')*_\]]{0,3}(?:\[\d{1,2}\]){0,4}\s)/giu

/** Returns the units of an answer, in order. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = []
  let start = 0
  let line = 0
  for (const part of text.split('\n')) {
    const end = start + part.length
    if (part.trim() !== '') addLine(units, part, start, line++)
    start = end + 1
  }
  return units
}

function addLine(units: Unit[], text: string, start: number, line: number): void {
  const isRow = /^\s{0,8}\|/.test(text)
  const isItem = isRow || itemStart.test(text) || boldStart.test(text)
  const add = (from: number, to: number) => {
    if (text.slice(from, to).trim() === '') return
    units.push({ start: start + from, end: start + to, line, isItem, isRow })
  }
  if (isItem) {
    add(0, text.length)
    return
  }
  let from = 0
  for (const { index } of text.matchAll(sentenceEnd)) {
    add(from, index + 1)
    from = index + 1
  }
  add(from, text.length)
}
