const patterns: readonly RegExp[] = [
  /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi,
  /\b((?:access|refresh|id)_token|client_secret|appsecret_proof|password|api_?key|key|code)(["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi,
]

/** Returns a text without known secrets and without texts that look like one. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, '[redacted]')
  }
  const [scheme, pair] = patterns
  if (scheme) clean = clean.replace(scheme, '$1 [redacted]')
  if (pair) clean = clean.replace(pair, '$1$2[redacted]')
  return clean
}
