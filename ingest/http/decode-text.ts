const pieceBytes = 256 * 1024

/**
 * Decodes UTF-8 like `TextDecoder`, in pieces of 256 KiB with an event loop turn after each. Invalid bytes take 15
 * times as long, so a large body of them would block the ingest for a second.
 */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder()
  if (bytes.length <= pieceBytes) return decoder.decode(bytes)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }))
    await nextTurn()
  }
  pieces.push(decoder.decode())
  return pieces.join('')
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
