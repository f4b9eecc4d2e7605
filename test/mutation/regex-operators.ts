/** What can be changed about a regular expression literal: anchors, flags, bounds and classes. */
export function regexEdits(literal: string): string[] {
  const end = literal.lastIndexOf('/')
  const body = literal.slice(1, end)
  const flags = literal.slice(end + 1)
  const edits: string[] = []
  const add = (pattern: string, withFlags = flags) => {
    if (pattern === '' || (pattern === body && withFlags === flags)) return
    try {
      new RegExp(pattern, withFlags)
      edits.push(`/${pattern}/${withFlags}`)
    } catch {
      // It is no regular expression any more.
    }
  }
  if (body.startsWith('^')) add(body.slice(1))
  if (body.endsWith('$') && !body.endsWith('\\$')) add(body.slice(0, -1))
  if (flags.includes('i')) add(body, flags.replace('i', ''))
  for (const found of body.matchAll(/\{(\d+)(,?)(\d*)\}/g)) {
    const [whole, least, comma, most] = found
    const put = (text: string) =>
      add(body.slice(0, found.index) + text + body.slice(found.index + whole.length))
    put(`{${Number(least) + 1}${comma}${most}}`)
    if (Number(least) > 0) put(`{${Number(least) - 1}${comma}${most}}`)
    if (most) put(`{${least},${Number(most) + 1}}`)
    if (most) put(`{${least},${Number(most) - 1}}`)
  }
  for (const found of body.matchAll(/(?<!\\)(?:\\\\)*(\\[dDwWsSb])/g)) {
    const name = found[1] ?? ''
    const at = found.index + found[0].length - 1
    const letter = name.slice(1)
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    add(body.slice(0, at) + other + body.slice(at + 1))
  }
  for (const found of body.matchAll(/\[\^/g))
    if (body[found.index - 1] !== '\\') add(body.slice(0, found.index + 1) + body.slice(found.index + 2))
  return [...new Set(edits)]
}
