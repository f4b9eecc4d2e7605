// Invalid UTF-8 does not throw, because servers log the bytes that clients sent.
const utf8 = new TextDecoder()

/** Removes the escapes of nginx (`\xHH` only) and Apache (C style). Runs of bytes are UTF-8. */
export function unescapeC(text: string): string {
  return text.replace(/(?:\\x[0-9a-fA-F]{2})+|\\[\s\S]/g, (found) => {
    if (found.startsWith('\\x') && found.length > 2) return bytesOf(found, '\\x')
    return controls[found] ?? found.slice(1)
  })
}

const controls: Readonly<Record<string, string>> = {
  '\\t': '\t',
  '\\n': '\n',
  '\\r': '\r',
  '\\b': '\b',
  '\\f': '\f',
  '\\v': '\v',
}

/** Removes HAProxy's `#HH` escapes. */
export function unescapeHash(text: string): string {
  return text.replace(/(?:#[0-9A-F]{2})+/g, (run) => bytesOf(run, '#'))
}

/** Removes percent-encoding, also when it was applied twice, as some senders do. Broken escapes stay. */
export function unescapePercent(text: string): string {
  return percent(percent(text))
}

function percent(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => bytesOf(run, '%'))
}

/**
 * Replaces log escapes (`\xHH`, `\v`) in a JSON text by escapes that JSON knows. Returns the same text if it has
 * none. The caller parses the result with the bounds of a record, because `\x5b` is a bracket.
 */
export function repairEscapes(text: string): string {
  return text.replace(/\\u[0-9a-fA-F]{4}|(?:\\x[0-9a-fA-F]{2})+|\\[\s\S]/g, (found) => {
    if (found.startsWith('\\x') && found.length > 2) return JSON.stringify(bytesOf(found, '\\x')).slice(1, -1)
    return found.length === 2 && !'"\\/bfnrt'.includes(found.charAt(1))
      ? JSON.stringify(unescapeC(found)).slice(1, -1)
      : found
  })
}

function bytesOf(run: string, mark: string): string {
  return utf8.decode(Uint8Array.from(run.split(mark).slice(1), (hex) => Number.parseInt(hex, 16)))
}
