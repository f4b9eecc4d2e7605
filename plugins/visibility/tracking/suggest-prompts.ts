/** The profile data for prompt suggestions. */
export interface Profile {
  readonly name: string
  readonly category?: string | undefined
  readonly city?: string | undefined
  readonly language: string
}

/** A suggested prompt. Branded ones name the business, and the headline rate leaves them out. */
export interface Suggestion {
  readonly text: string
  readonly intent: 'informational' | 'commercial' | 'navigational' | 'local'
  readonly isBranded: boolean
}

type Kind = Pick<Suggestion, 'intent' | 'isBranded'>

/** The kinds in the order of the texts below. */
const kinds: readonly Kind[] = [
  { intent: 'local', isBranded: false },
  { intent: 'commercial', isBranded: false },
  { intent: 'commercial', isBranded: false },
  { intent: 'informational', isBranded: false },
  { intent: 'navigational', isBranded: true },
]

const texts: Readonly<Record<string, readonly string[]>> = {
  en: [
    'What is the best {category} in {city}?',
    'Which {category} in {city} do you recommend?',
    'I need a reliable {category} in {city}. Whom should I call?',
    'How do I choose a good {category} in {city}?',
    'Is {name} in {city} any good?',
  ],
  de: [
    'Was ist der beste Anbieter für {category} in {city}?',
    'Wen empfiehlst du für {category} in {city}?',
    'Ich brauche zuverlässige Hilfe: {category} in {city}. Wen soll ich anrufen?',
    'Woran erkenne ich einen guten Anbieter für {category} in {city}?',
    'Ist {name} in {city} gut?',
  ],
  fr: [
    'Quel est le meilleur choix en {city} pour : {category} ?',
    'Qui recommandes-tu à {city} pour : {category} ?',
    'Je cherche un professionnel fiable à {city} ({category}). Qui appeler ?',
    'Comment bien choisir à {city} pour : {category} ?',
    'Que vaut {name} à {city} ?',
  ],
  es: [
    '¿Cuál es la mejor opción en {city} para {category}?',
    '¿A quién recomiendas en {city} para {category}?',
    'Necesito un profesional de confianza en {city} ({category}). ¿A quién llamo?',
    '¿Cómo elijo bien en {city} ({category})?',
    '¿Qué tal es {name} en {city}?',
  ],
  it: [
    'Qual è la scelta migliore a {city} per {category}?',
    'Chi consigli a {city} per {category}?',
    'Cerco un professionista affidabile a {city} ({category}). Chi chiamo?',
    'Come scelgo bene a {city} ({category})?',
    'Com’è {name} a {city}?',
  ],
  pt: [
    'Qual é a melhor opção em {city} para {category}?',
    'Quem recomendas em {city} para {category}?',
    'Preciso de um profissional de confiança em {city} ({category}). Quem devo chamar?',
    'Como escolho bem em {city} ({category})?',
    'Que tal é {name} em {city}?',
  ],
  nl: [
    'Wat is de beste keuze in {city} voor {category}?',
    'Wie raad je aan in {city} voor {category}?',
    'Ik zoek een betrouwbare vakman in {city} ({category}). Wie bel ik?',
    'Hoe kies ik goed in {city} ({category})?',
    'Is {name} in {city} goed?',
  ],
  ja: [
    '{city}で一番おすすめの{category}はどこですか？',
    '{city}の{category}ならどこを勧めますか？',
    '{city}で信頼できる{category}を探しています。どこに頼めばいいですか？',
    '{city}で{category}を選ぶときの注意点は何ですか？',
    '{city}の{name}の評判はどうですか？',
  ],
}

/**
 * Suggests prompts from a business's profile. Without a category or a city it suggests only the prompt about
 * the business, because a question without them measures nothing.
 */
export function suggestPrompts({ name, category, city, language }: Profile): Suggestion[] {
  const base = language.toLowerCase().split('-')[0] ?? 'en'
  const found = texts[base] ?? texts.en ?? []
  return kinds.flatMap((kind, place) => {
    const isKnown = city !== undefined && (kind.isBranded || category !== undefined)
    if (!isKnown) return []
    const text = (found[place] ?? '')
      .replaceAll('{category}', category ?? '')
      .replaceAll('{city}', city)
      .replaceAll('{name}', name)
    return [{ text, ...kind }]
  })
}

/** Returns the language of suggested prompts: one of the languages above, else English. */
export const languageOf = (locale: string | undefined): string => {
  const base = locale?.toLowerCase().split('-')[0] ?? 'en'
  return Object.hasOwn(texts, base) ? base : 'en'
}
