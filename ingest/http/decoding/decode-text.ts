const pieceBytes = 256 * 1024

/**
 * Decodes UTF-8 like `TextDecoder`, in pieces of 256 KiB with an event loop turn after each. Invalid bytes take 15
 * times as long, so a large body of them would block the ingest for a second.
 */
export async function decodeText(
  bytes: Uint8Array,
  turn: () => Promise<void> = nextImmediate,
): Promise<string> {
  const decoder = new TextDecoder()
  if (bytes.length <= pieceBytes) return decoder.decode(bytes)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }))
    await turn()
  }
  pieces.push(decoder.decode())
  return pieces.join('')
}

/** Waits until the event loop has served what waits. */
export const nextImmediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
