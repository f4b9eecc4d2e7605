/** Four questions per language: the best business in the city, the one to choose, the price, and whether this business is good. */
export const questions: Readonly<Record<string, readonly string[]>> = {
  en: [
    'What is the best {trade} in {city}?',
    'Which {trade} in {city} should I choose for {service}?',
    'How much does {service} cost in {city}?',
    'Is {name} any good?',
  ],
  es: [
    '¿Cuál es el mejor {trade} en {city}?',
    '¿Qué {trade} de {city} recomiendas por {service}?',
    '¿Cuánto cuesta {service} en {city}?',
    '¿Qué tal es {name}?',
  ],
  de: [
    'Welche {trade} in {city} ist die beste?',
    'Welche {trade} in {city} empfiehlst du für {service}?',
    'Was kostet {service} in {city}?',
    'Ist {name} gut?',
  ],
  pt: [
    'Qual é a melhor {trade} em {city}?',
    'Que {trade} em {city} recomendas para {service}?',
    'Quanto custam {service} em {city}?',
    'A {name} é boa?',
  ],
  ar: [
    'ما أفضل {trade} في {city}؟',
    'أي {trade} في {city} تنصح به من أجل {service}؟',
    'كم سعر {service} في {city}؟',
    'هل {name} جيد؟',
  ],
  he: [
    'מה ה{trade} הכי טובה ב{city}?',
    'איזו {trade} מומלצת ל{service}?',
    'כמה עולה {service}?',
    '{name} מומלץ?',
  ],
  ja: [
    '{city}で一番おすすめの{trade}は？',
    '{service}なら{city}のどの{trade}がいい？',
    '{city}の{service}の値段は？',
    '{name}の評判は？',
  ],
}

/** Answers per language. `{}` is replaced by the named businesses. */
export const answers: Readonly<Record<string, string>> = {
  en: 'Several places come up again and again: {}. Opening hours vary, so check before you go.',
  es: 'Varios nombres se repiten: {}. Conviene confirmar el horario.',
  de: 'Häufig genannt werden: {}. Öffnungszeiten bitte vorher prüfen.',
  pt: 'Os mais referidos são: {}. Confirme o horário antes de ir.',
  ar: 'الأماكن الأكثر ذكراً: {}. يُنصح بالتأكد من أوقات العمل.',
  he: 'השמות שחוזרים: {}. כדאי לבדוק שעות פתיחה.',
  ja: 'よく挙がるのは{}です。営業時間は事前にご確認ください。',
}
