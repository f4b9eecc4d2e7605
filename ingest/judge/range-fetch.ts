/** Headers of an earlier answer, for conditional requests. */
export interface Validators {
  readonly etag: string | null
  readonly modified: string | null
}
export type RangeAnswer = { readonly unchanged: true } | ({ readonly body: string } & Validators)

const bytesMax = 2 * 2 ** 20

/** Fetches a list, conditionally if an earlier answer allows it. Throws for any status but 200 and 304. */
export async function fetchRangeList(
  fetch: typeof globalThis.fetch,
  url: string,
  { etag, modified }: Validators,
  signal: AbortSignal,
): Promise<RangeAnswer> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/csv, text/plain, text/html',
    'user-agent': 'Renown',
  }
  if (etag) headers['if-none-match'] = etag
  if (modified) headers['if-modified-since'] = modified
  const response = await fetch(url, { headers, signal })
  if (url.startsWith('https:') && response.url.startsWith('http:')) {
    await response.body?.cancel()
    throw new Error('redirected away from https')
  }
  if (response.status === 304 && (etag || modified)) return { unchanged: true }
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`answered ${response.status}`)
  }
  const body = await readCapped(response)
  return { body, etag: response.headers.get('etag'), modified: response.headers.get('last-modified') }
}

async function readCapped(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new Error(`more than ${bytesMax} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
