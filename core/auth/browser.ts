const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Describes a browser so that people recognize their sessions. Nothing of the header itself is stored. */
export function browserOf(userAgent: string | null): string {
  const found = (list: typeof browsers) => list.find(([form]) => form.test(userAgent ?? ''))?.[1]
  const browser = found(browsers) ?? 'A program'
  const system = found(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
