/** The lengths of a reply. */
export const lengths = ['short', 'medium', 'long'] as const
/** One value of `lengths`. */
export type ReplyLength = (typeof lengths)[number]

interface ReplyTexts {
  /** The sentence that says who writes. `{business}` is its name. */
  readonly disclosure: string
  /** The template's sentences. A short reply has the first, a medium one two, a long one all. */
  readonly sentences: readonly [string, string, string]
}

/** Texts by language. The disclosure is added to every reply, so that nobody takes it for a stranger's advice. */
export const replyTexts: Readonly<Record<string, ReplyTexts>> = {
  en: {
    disclosure: 'I work at {business}.',
    sentences: [
      'Thank you for your post.',
      'If we can help, please ask here or write to us.',
      'We will gladly tell you what we can do and what it costs, without obligation.',
    ],
  },
  de: {
    disclosure: 'Ich arbeite bei {business}.',
    sentences: [
      'Danke für den Beitrag.',
      'Wenn wir helfen können, fragen Sie gern hier oder schreiben Sie uns.',
      'Wir sagen Ihnen gern unverbindlich, was wir tun können und was es kostet.',
    ],
  },
  fr: {
    disclosure: 'Je travaille chez {business}.',
    sentences: [
      'Merci pour votre message.',
      'Si nous pouvons vous aider, posez votre question ici ou écrivez-nous.',
      'Nous vous dirons volontiers, sans engagement, ce que nous pouvons faire et à quel prix.',
    ],
  },
  es: {
    disclosure: 'Trabajo en {business}.',
    sentences: [
      'Gracias por tu mensaje.',
      'Si podemos ayudar, pregunta aquí o escríbenos.',
      'Te diremos sin compromiso qué podemos hacer y cuánto cuesta.',
    ],
  },
  it: {
    disclosure: 'Lavoro da {business}.',
    sentences: [
      'Grazie per il messaggio.',
      'Se possiamo aiutare, chiedi qui o scrivici.',
      'Ti diremo volentieri, senza impegno, che cosa possiamo fare e quanto costa.',
    ],
  },
  pt: {
    disclosure: 'Trabalho na {business}.',
    sentences: [
      'Obrigado pela mensagem.',
      'Se pudermos ajudar, pergunte aqui ou escreva-nos.',
      'Diremos com gosto, sem compromisso, o que podemos fazer e quanto custa.',
    ],
  },
  nl: {
    disclosure: 'Ik werk bij {business}.',
    sentences: [
      'Bedankt voor je bericht.',
      'Als we kunnen helpen, vraag het hier of schrijf ons.',
      'We vertellen graag vrijblijvend wat we kunnen doen en wat het kost.',
    ],
  },
  pl: {
    disclosure: 'Pracuję w {business}.',
    sentences: [
      'Dziękujemy za wpis.',
      'Jeśli możemy pomóc, prosimy o pytanie tutaj lub wiadomość do nas.',
      'Chętnie i bez zobowiązań powiemy, co możemy zrobić i ile to kosztuje.',
    ],
  },
  sv: {
    disclosure: 'Jag arbetar på {business}.',
    sentences: [
      'Tack för ditt inlägg.',
      'Om vi kan hjälpa till, fråga här eller skriv till oss.',
      'Vi berättar gärna utan förpliktelser vad vi kan göra och vad det kostar.',
    ],
  },
  ja: {
    disclosure: '{business}の者です。',
    sentences: [
      '投稿ありがとうございます。',
      'お手伝いできることがあれば、ここでお尋ねいただくか、ご連絡ください。',
      'できることと料金を、無料でご案内いたします。',
    ],
  },
  ar: {
    disclosure: 'أعمل في {business}.',
    sentences: [
      'شكرًا على منشورك.',
      'إن استطعنا المساعدة فاسألنا هنا أو راسلنا.',
      'يسعدنا أن نخبرك دون أي التزام بما نستطيع فعله وبتكلفته.',
    ],
  },
  he: {
    disclosure: 'אני עובד ב{business}.',
    sentences: [
      'תודה על הפוסט.',
      'אם נוכל לעזור, אפשר לשאול כאן או לכתוב לנו.',
      'נשמח לספר בלי התחייבות מה אנחנו יכולים לעשות וכמה זה עולה.',
    ],
  },
}

/** Returns the texts of a language, English if there are none, and the language that they are in. */
export function textsIn(language: string): { readonly language: string; readonly texts: ReplyTexts } {
  const base = language.toLowerCase().split('-', 1)[0] ?? ''
  const texts = Object.hasOwn(replyTexts, base) ? replyTexts[base] : undefined
  return texts ? { language: base, texts } : { language: 'en', texts: replyTexts.en as ReplyTexts }
}

/** Returns the sentence that says who writes, in every language. English first. */
export const disclosures = (businessName: string): string[] =>
  Object.values(replyTexts).map(({ disclosure }) => disclosure.replace('{business}', () => businessName))
