const lettersMin = 12

/**
 * Returns the BCP 47 language tag of a text, or `und` if the text is too short to know. The detector is loaded with
 * the first text, because it takes about a second.
 */
export async function detectLanguage(text: string): Promise<string> {
  const words = text.replace(/https?:\S+|[@#]\S+/g, ' ').slice(0, 2_000)
  if ((words.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return 'und'
  const { eld } = await import('eld/extrasmall')
  const found = eld.detect(words)
  return found.isReliable() && found.language !== '' ? found.language : 'und'
}
