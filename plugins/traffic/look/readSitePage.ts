/** A script of a page that could be a beacon. */
export interface BeaconTag {
  readonly src: URL
  /** The key in its address. */
  readonly key: string
  readonly type: string
  readonly nonce: string
}

/** The parts of a site's page that concern the beacon. */
export interface SitePage {
  readonly tags: readonly BeaconTag[]
  /** Policies in the page's own `meta` elements. */
  readonly policies: readonly string[]
  /** Whether the key occurs anywhere in the page, not only in a script's address. */
  readonly namesKey: boolean
}

const tagsMax = 20
const beaconAddress = /\/s\/([\w-]{1,100})\.js$/

/** Reads an untrusted page. It is neither run, shown nor stored. */
export async function readSitePage(html: Uint8Array, url: string, siteKey: string): Promise<SitePage> {
  const tags: BeaconTag[] = []
  const policies: string[] = []
  let base = url
  const reading = new HTMLRewriter()
    .on('base[href]', {
      element(element) {
        if (base === url) base = URL.parse(element.getAttribute('href') ?? '', url)?.href ?? url
      },
    })
    .on('script[src]', {
      element(element) {
        const src = URL.parse(element.getAttribute('src') ?? '', base)
        const key = beaconAddress.exec(src?.pathname ?? '')?.[1]
        if (!src || key === undefined || tags.length >= tagsMax) return
        const [type, nonce] = ['type', 'nonce'].map((name) => element.getAttribute(name) ?? '')
        tags.push({ src, key, type: type ?? '', nonce: nonce ?? '' })
      },
    })
    .on('meta[http-equiv]', {
      element(element) {
        const name = element.getAttribute('http-equiv')?.toLowerCase()
        const content = element.getAttribute('content')
        if (name === 'content-security-policy' && content && policies.length < tagsMax) policies.push(content)
      },
    })
  await reading.transform(new Response(html as Uint8Array<ArrayBuffer>)).arrayBuffer()
  return { tags, policies, namesKey: new TextDecoder().decode(html).includes(siteKey) }
}
