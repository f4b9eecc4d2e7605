import type { webcrypto } from 'node:crypto'

/**
 * A second verifier of signatures, written from RFC 9421 for the fields that crawlers sign. It shares no code with the
 * product: it cuts the fields with patterns and checks with the Web Crypto API.
 */
export interface SignedMessage {
  readonly fields: Readonly<Record<string, string>>
  /** Values of derived components, such as `"@authority"` or `"@authority";req`. */
  readonly derived: Readonly<Record<string, string>>
}

const inputForm = /^([a-z*][\w.*-]*)=(\(([^()]*)\)(.*))$/

/** Whether the signature with a label fits the message and a public key in the form of a JWK. */
export async function fits(
  message: SignedMessage,
  label: string,
  jwk: webcrypto.JsonWebKey,
): Promise<boolean> {
  const { fields, derived } = message
  const input = split(fields['signature-input'] ?? '').find((member) => member.startsWith(`${label}=`))
  const made = split(fields.signature ?? '').find((member) => member.startsWith(`${label}=`))
  const [, , params = '', list = ''] = inputForm.exec(input ?? '') ?? []
  const bytes = /^[^:]*:([A-Za-z0-9+/=]*):$/.exec(made ?? '')?.[1]
  if (params === '' || bytes === undefined) return false
  const lines: string[] = []
  for (const component of list.match(/"[^"]*"(?:;[a-z]+(?:="[^"]*")?)*/g) ?? []) {
    const value = derived[component] ?? fieldValue(fields, component)
    if (value === undefined) return false
    lines.push(`${component}: ${value}`)
  }
  const base = new TextEncoder().encode([...lines, `"@signature-params": ${params}`].join('\n'))
  const isRsa = jwk.kty === 'RSA'
  const kind = isRsa ? { name: 'RSA-PSS', hash: 'SHA-512' } : { name: 'Ed25519' }
  const { kty, crv, x, n, e } = jwk
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, n, e }, kind, false, ['verify'])
  const how = isRsa ? { name: 'RSA-PSS', saltLength: 64 } : { name: 'Ed25519' }
  return crypto.subtle.verify(how, key, Buffer.from(bytes, 'base64'), base)
}

/** The value of a whole field, or of the member that `key` names. */
function fieldValue(fields: SignedMessage['fields'], component: string): string | undefined {
  const [, name = '', key] = /^"([^"]*)"(?:;key="([^"]*)")?$/.exec(component) ?? []
  if (key === undefined) return fields[name]
  return split(fields[name] ?? '')
    .find((member) => member.startsWith(`${key}=`))
    ?.slice(key.length + 1)
}

/** Splits at commas outside quotes and brackets. */
const split = (text: string) =>
  (text.match(/(?:"[^"]*"|\([^)]*\)|[^,"(])+/g) ?? []).map((member) => member.trim())
