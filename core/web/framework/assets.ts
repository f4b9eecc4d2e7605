import { brotliCompressSync, constants } from 'node:zlib'

/** A file of the pages with a hash of its content in its address. It never changes. */
export interface Asset {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly br: Uint8Array<ArrayBuffer>
}

/** Returns a short hash of a file's content. */
export const hashOf = (content: string | Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 12)

/**
 * Returns a file in all its encodings. The first request for an encoding compresses it, once, so it uses a good
 * compression.
 */
export function assetOf(type: string, content: string | Uint8Array<ArrayBuffer>): Asset {
  const plain = typeof content === 'string' ? new TextEncoder().encode(content) : content
  // Fonts are already compressed.
  if (type.startsWith('font/')) return { type, plain, gzip: plain, br: plain }
  let gzip: Asset['gzip'] | undefined
  let br: Asset['br'] | undefined
  return {
    type,
    plain,
    get gzip() {
      gzip ??= Bun.gzipSync(plain, { level: 9 })
      return gzip
    },
    get br() {
      br ??= new Uint8Array(brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      return br
    },
  }
}

/** Returns the answer with a file of the pages, or null if the path has none. */
export function assetAnswer(
  assets: ReadonlyMap<string, Asset>,
  path: string,
  request: Request,
): Response | null {
  const asset = assets.get(path)
  if (!asset || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const accepted = request.headers.get('accept-encoding') ?? ''
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'plain'
  const body = asset[encoding]
  return new Response(body, {
    headers: {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
      ...(encoding === 'plain' || body === asset.plain ? {} : { 'content-encoding': encoding }),
    },
  })
}
