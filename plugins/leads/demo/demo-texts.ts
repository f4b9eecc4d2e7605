interface Voice {
  /** Posts of people who look for what the business offers. */
  readonly asks: readonly string[]
  /** Posts about the business. */
  readonly tells: readonly string[]
}

/** Sample posts, by language. */
export const voices: Readonly<Record<string, Voice>> = {
  en: {
    asks: [
      'Can anyone recommend a good {trade} in {city}? Needed this week if possible.',
      'New to {city} and looking for a {trade}. Budget is not an issue, quality is.',
      'Who do you use? Our {trade} has just closed. {city} area please 🙏',
    ],
    tells: [
      '{name} saved the day again.',
      'Honest question: is {name} still any good? Mixed stories lately.',
      'Went to {name} in {city}. Would not go back, sadly.',
      'A little film about {name}, out now.',
    ],
  },
  es: {
    asks: [
      '¿Alguien recomienda un {trade} en {city}?',
      'Busco {trade} en {city} para este fin de semana. ¡Gracias!',
    ],
    tells: ['{name}: muy recomendable.', 'Mala experiencia en {name}, una pena.'],
  },
  de: {
    asks: [
      'Kann jemand eine gute Adresse empfehlen? {trade}, {city}.',
      'Suche {trade} in {city}, gern kurzfristig.',
    ],
    tells: ['{name} kann ich nur empfehlen.', 'War bei {name}. Geht so.'],
  },
  pt: {
    asks: ['Procuro {trade} em {city}, sugestões?', 'Alguém conhece uma boa {trade} em {city}?'],
    tells: ['{name} é imperdível!', 'Fiquei desiludido com {name}.'],
  },
  ar: {
    asks: ['أبحث عن {trade} في {city}، ما رأيكم؟', 'من يعرف أفضل {trade} في {city}؟'],
    tells: ['{name} مكان رائع 👌', 'لم تعجبني تجربتي في {name}.'],
  },
  he: {
    asks: ['מחפשת {trade} ב{city}, המלצות?', 'מישהו מכיר {trade} טובה ב{city}?'],
    tells: ['{name} — ממליץ בחום!', 'התאכזבתי מ{name}.'],
  },
  ja: {
    asks: ['{city}でおすすめの{trade}を教えてください。', '{city}の{trade}を探しています。'],
    tells: ['{name}に行ってきました。最高。', '{name}、少し混んでいました。'],
  },
}

/** First and last names, by language. */
export const people: Readonly<Record<string, readonly (readonly string[])[]>> = {
  en: [['Grace', 'Holloway'], ['Sam', 'Okafor'], ['Declan', "O'Brien"], ['Mei', 'Lin'], ['Prince']],
  es: [
    ['Carmen', 'Ortuño'],
    ['Íñigo', 'Peña'],
  ],
  de: [
    ['Björn', 'Schäfer'],
    ['Heike', 'Groß-Meier'],
  ],
  pt: [
    ['Conceição', 'Araújo'],
    ['Tomás', 'Simões'],
  ],
  ar: [
    ['ليلى', 'الحداد'],
    ['يوسف', 'منصور'],
  ],
  he: [
    ['תמר', 'פרץ'],
    ['יואב', 'שפירא'],
  ],
  ja: [
    ['花子', '佐藤'],
    ['健', '鈴木'],
  ],
}
