/** Returns what is sent if a row is chosen: its id, and what the person saw of it. */
export const chosenItem = (id: string, seen: string | undefined): string =>
  seen === undefined ? id : `${id}~${encodeURIComponent(seen).replaceAll('~', '%7E')}`

/** Returns the id and what was seen. Anybody can have written the text. */
export function chosenParts(item: string): readonly [id: string, seen: string] {
  const at = item.lastIndexOf('~')
  if (at < 0) return [item, '']
  const seen = item.slice(at + 1)
  try {
    return [item.slice(0, at), decodeURIComponent(seen)]
  } catch {
    return [item.slice(0, at), seen]
  }
}
