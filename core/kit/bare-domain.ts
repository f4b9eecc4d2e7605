/**
 * Returns a domain in its stored form: ASCII, lower case, without scheme, `www.`, port and path. Null when the text
 * contains none.
 */
export function normaliseDomain(typed: string): string | null {
  const text = typed.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') return null
  const host = url.hostname.replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '')
  if (host === 'localhost' || host === '127.0.0.1') return host
  const labels = host.split('.')
  const well = labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  return well && labels.length >= 2 && host.length <= 253 && /[a-z]/.test(labels.at(-1) ?? '') ? host : null
}
