import type { PostType } from '../records/content'

interface DraftTexts extends Readonly<Record<PostType, string>> {
  /** Names services. `{}` is their list. */
  readonly services: string
  readonly end: string
}

/** The texts of templates by language. `{}` is the name of the business, or the services. */
const draftTexts = {
  en: {
    update: 'News from {}.',
    offer: 'A new offer from {}.',
    event: 'An event at {}.',
    services: 'We offer: {}.',
    end: 'Ask us anything. We are glad to help.',
  },
  de: {
    update: 'Neues von {}.',
    offer: 'Ein neues Angebot von {}.',
    event: 'Eine Veranstaltung bei {}.',
    services: 'Wir bieten: {}.',
    end: 'Fragen Sie uns. Wir helfen gern.',
  },
  fr: {
    update: 'Des nouvelles de {}.',
    offer: 'Une nouvelle offre de {}.',
    event: 'Un événement chez {}.',
    services: 'Nous proposons : {}.',
    end: 'Posez-nous vos questions. Nous vous aiderons volontiers.',
  },
  es: {
    update: 'Novedades de {}.',
    offer: 'Una nueva oferta de {}.',
    event: 'Un evento en {}.',
    services: 'Ofrecemos: {}.',
    end: 'Pregúntanos. Te ayudaremos con gusto.',
  },
  it: {
    update: 'Novità da {}.',
    offer: 'Una nuova offerta di {}.',
    event: 'Un evento da {}.',
    services: 'Offriamo: {}.',
    end: 'Chiedi pure. Siamo felici di aiutarti.',
  },
  pt: {
    update: 'Novidades de {}.',
    offer: 'Uma nova oferta de {}.',
    event: 'Um evento em {}.',
    services: 'Oferecemos: {}.',
    end: 'Pergunte-nos. Teremos gosto em ajudar.',
  },
  nl: {
    update: 'Nieuws van {}.',
    offer: 'Een nieuw aanbod van {}.',
    event: 'Een evenement bij {}.',
    services: 'Wij bieden: {}.',
    end: 'Stel ons je vraag. We helpen graag.',
  },
  pl: {
    update: 'Nowości: {}.',
    offer: 'Nowa oferta: {}.',
    event: 'Wydarzenie: {}.',
    services: 'Oferujemy: {}.',
    end: 'Zapraszamy do kontaktu. Chętnie pomożemy.',
  },
  sv: {
    update: 'Nyheter från {}.',
    offer: 'Ett nytt erbjudande från {}.',
    event: 'Ett evenemang hos {}.',
    services: 'Vi erbjuder: {}.',
    end: 'Fråga oss gärna. Vi hjälper till.',
  },
  ja: {
    update: '{}からのお知らせです。',
    offer: '{}の新しいご提案です。',
    event: '{}のイベントです。',
    services: '取り扱い：{}。',
    end: 'お気軽にお問い合わせください。',
  },
  ar: {
    update: 'أخبار من {}.',
    offer: 'عرض جديد من {}.',
    event: 'فعالية لدى {}.',
    services: 'نقدم: {}.',
    end: 'اسألونا، يسعدنا أن نساعدكم.',
  },
  he: {
    update: 'חדשות מ־{}.',
    offer: 'הצעה חדשה מ־{}.',
    event: 'אירוע ב־{}.',
    services: 'אנחנו מציעים: {}.',
    end: 'אפשר לשאול אותנו הכול. נשמח לעזור.',
  },
} as const satisfies Readonly<Record<string, DraftTexts>>

/** The languages of templates. */
export const draftLanguages = Object.keys(draftTexts) as (keyof typeof draftTexts)[]

const servicesMax = 3

/** Returns the text of a template in a language, in English if there is none, and the language that it is in. */
export function templatePost(
  business: string,
  services: readonly string[],
  post_type: PostType,
  wanted: string,
): { readonly text: string; readonly language: string } {
  const base = wanted.toLowerCase().split('-', 1)[0] ?? ''
  const language = draftLanguages.find((one) => one === base) ?? 'en'
  const texts: DraftTexts = draftTexts[language]
  const list = new Intl.ListFormat(language, { type: 'unit' }).format(services.slice(0, servicesMax))
  const sentences = [
    texts[post_type].replace('{}', () => business),
    ...(list === '' ? [] : [texts.services.replace('{}', () => list)]),
    texts.end,
  ]
  return { text: sentences.join(language === 'ja' ? '' : ' '), language }
}
