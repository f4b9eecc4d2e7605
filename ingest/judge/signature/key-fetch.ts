import { isServiceFault, type SafeFetch, trimTrailing } from 'renown/contracts'
import { directoryPath } from './claim'
import { type ListedKey, readDirectory } from './keys'

export interface KeyFetchOptions {
  /** Fetches only from the public internet. Without it, and without a mirror, nothing is fetched. */
  readonly safeFetch: SafeFetch | null
  /** Base URL of a mirror with the layout `<host>/<path>`, which an operator set. */
  readonly mirror: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
}

const bytesMax = 64 * 1024
const mediaType = 'application/http-message-signatures-directory+json'

/** Fetches the directory of a signer. Throws for any answer but a complete directory. Follows no redirects. */
export async function fetchKeys(options: KeyFetchOptions, host: string): Promise<ListedKey[]> {
  return readDirectory(options.mirror ? await fromMirror(options, host) : await fromSigner(options, host))
}

async function fromSigner({ safeFetch, timeoutMs }: KeyFetchOptions, host: string): Promise<string> {
  if (!safeFetch) throw new Error('this process fetches nothing')
  const asked = { maxBytes: bytesMax, timeoutMs, redirects: 0, accept: mediaType }
  const { status, headers, body } = await safeFetch(`https://${host}${directoryPath}`, asked).catch(
    (error) => {
      throw isServiceFault(error) ? new Error(`not fetched: ${error.code}`) : error
    },
  )
  if (status !== 200) throw new Error(`answered ${status}`)
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== mediaType) throw new Error('the answer is not a key directory')
  return new TextDecoder().decode(body)
}

async function fromMirror({ mirror, fetch, timeoutMs }: KeyFetchOptions, host: string): Promise<string> {
  const response = await fetch(`${trimTrailing(mirror, '/')}/${host}${directoryPath}`, {
    headers: { 'user-agent': 'Renown' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`answered ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new Error(`more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
