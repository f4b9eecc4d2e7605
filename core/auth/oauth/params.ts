import { formPairsMax, hasTooManyPairs } from '../../contracts/bounded-form'
import { echoed } from '../../contracts/echoed'
import { readBytes } from '../../requests/body'
import { mediaType } from '../../requests/headers'
import { OAuthError } from './oauth-error'

/** Parameters of a query or form. Only `resource` may repeat. */
export interface Params {
  /** Returns the value, or undefined if it is absent or empty, which means the same (RFC 6749 §3.1). */
  one(name: string): string | undefined
  all(name: string): readonly string[]
  /** Returns the escaped value as sent. An empty one stays empty. */
  raw(name: string): string | undefined
  /** The name of a parameter that is sent twice. */
  readonly duplicate: string | undefined
}

const formBytesMax = 64 * 1024

/** Parses a query or form. Throws `invalid_request` before parsing if it has too many parameters. */
export function parseParams(text: string): Params {
  if (hasTooManyPairs(text)) {
    throw new OAuthError('invalid_request', `A request takes at most ${formPairsMax} parameters`)
  }
  const values = new Map<string, string[]>()
  const raws = new Map<string, string>()
  for (const pair of text === '' ? [] : text.split('&')) {
    const [[name = '', value = ''] = []] = [...new URLSearchParams(pair)]
    const others = values.get(name)
    if (others) others.push(value)
    else values.set(name, [value])
    raws.set(name, pair.includes('=') ? pair.slice(pair.indexOf('=') + 1) : '')
  }
  const duplicate = [...values].find(([name, all]) => all.length > 1 && name !== 'resource')?.[0]
  return {
    one: (name) => values.get(name)?.[0] || undefined,
    all: (name) => (values.get(name) ?? []).filter((value) => value !== ''),
    raw: (name) => raws.get(name),
    duplicate,
  }
}

/** Reads the form that an app posts. */
export async function readParams(request: Request): Promise<Params> {
  if (mediaType(request.headers) !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'Post a form: Content-Type application/x-www-form-urlencoded')
  }
  const bytes = await readBytes(request, formBytesMax)
  const params = parseParams(new TextDecoder().decode(bytes))
  if (params.duplicate !== undefined) {
    throw new OAuthError('invalid_request', `The parameter ${echoed(params.duplicate)} was sent twice`)
  }
  return params
}
