/** DataForSEO knows Chinese by its two scripts, and other languages by their two letters. */
export function languageCode(language: string): string {
  const [code = 'en'] = language.toLowerCase().split('-')
  if (code !== 'zh') return code
  return /-(?:hant|tw|hk|mo)\b/i.test(language) ? 'zh-TW' : 'zh-CN'
}
