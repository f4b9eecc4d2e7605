const writes = ['insert', 'insertMany', 'update', 'updateOne', 'updateMany', 'updateWhere'] as const
const casts = [' as never', ' as any', ' as unknown'] as const

/** Lines of calls that write rows past the type of their entity, such as `insert(row as never)`. */
export function untypedWrites(text: string): number[] {
  return writes
    .flatMap((verb) => callsOf(text, `.${verb}(`))
    .filter(({ given }) => casts.some((cast) => given.includes(cast)))
    .map(({ from }) => text.slice(0, from).split('\n').length)
    .sort((a, b) => a - b)
}

function callsOf(text: string, opening: string): { from: number; given: string }[] {
  const calls: { from: number; given: string }[] = []
  for (let from = text.indexOf(opening); from >= 0; from = text.indexOf(opening, from + 1)) {
    const start = from + opening.length
    calls.push({ from, given: text.slice(start, endOf(text, start)) })
  }
  return calls
}

/** Where the parenthesis is closed that was opened before `start`. */
function endOf(text: string, start: number): number {
  let open = 1
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') open++
    else if (text[at] === ')' && --open === 0) return at
  }
  return text.length
}
