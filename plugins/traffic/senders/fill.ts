/** The values for the placeholders of a set-up page. */
export interface RecipeValues {
  /** Public origin of the ingest. */
  readonly ingestUrl: string
  readonly domain: string
  /** The forwarder token, if known. */
  readonly token?: string | undefined
  /** The key of the site's script, which is public. */
  readonly siteKey: string
}

/** Returns a text of a set-up page with a site's own address, domain and token. */
export function fill(text: string, { ingestUrl, domain, token, siteKey }: RecipeValues): string {
  const { hostname, protocol, port } = new URL(ingestUrl)
  const isTls = protocol === 'https:'
  return text
    .replaceAll('https://ingest.example.com', ingestUrl)
    .replace(/(Host\s+)ingest\.example\.com(\s+Port\s+)443/, `$1${hostname}$2${port || (isTls ? 443 : 80)}`)
    .replace(/(\btls\s+)on\b/, `$1${isTls ? 'on' : 'off'}`)
    .replaceAll('shop.example', domain)
    .replaceAll('<site key>', siteKey)
    .replaceAll('<forwarder token>', token ?? '<forwarder token>')
}
