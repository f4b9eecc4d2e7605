/** What a child process says first, a line at least: how a server of ours tells its port. The rest is left unread. */
export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let said = ''
  for await (const chunk of stream) {
    said += new TextDecoder().decode(chunk)
    if (said.includes('\n')) break
  }
  return said
}
