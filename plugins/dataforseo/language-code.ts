/**
 * Returns DataForSEO's code of a language. It has two codes for Chinese, one per script, and two letters for
 * other languages.
 */
export function languageCode(language: string): string {
  const [code = 'en'] = language.toLowerCase().split('-')
  if (code !== 'zh') return code
  return /-(?:hant|tw|hk|mo)\b/i.test(language) ? 'zh-TW' : 'zh-CN'
}
