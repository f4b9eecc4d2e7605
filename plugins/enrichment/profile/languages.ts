/** Tags of languages whose names are recognized in texts of pages. */
const known =
  'ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko lt lv ms mt nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh'

const named = new Map(known.split(' ').flatMap((tag) => namesOf(tag).map((name) => [name, tag] as const)))

/**
 * Returns a language as a BCP 47 tag, from a tag, or from a name in English or in the language itself. Null
 * if it is unknown.
 */
export function languageTag(said: string): string | null {
  const text = said.trim().replaceAll('_', '-')
  if (text.length > 35) return null
  const byName = named.get(text.toLowerCase())
  if (byName !== undefined) return byName
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text)) return null
  try {
    const [tag = null] = Intl.getCanonicalLocales(text)
    return tag
  } catch {
    return null
  }
}

/** Returns language tags without duplicates. */
export function languageTags(said: readonly string[], most: number): string[] {
  const tags = said.map(languageTag).filter((tag) => tag !== null)
  return [...new Set(tags)].slice(0, most)
}

function namesOf(tag: string): string[] {
  return ['en', tag].flatMap((locale) => {
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(tag)
    return name === undefined || name === tag ? [] : [name.toLowerCase()]
  })
}
