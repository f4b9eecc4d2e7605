import type { ReplyLanguage } from './safe-phrases'

/** The parts of a reply: a greeting, the content, and a close. `{name}` and `{business}` are replaced. */
interface ReplyTexts {
  readonly greeting: string
  readonly greetingNameless: string
  readonly positive: readonly string[]
  /** Texts for a rating without words. */
  readonly positiveSilent: readonly string[]
  readonly mixed: readonly string[]
  readonly negative: readonly string[]
  readonly close: string
}

/**
 * Templates by language. They must be true for any business: they promise nothing, and never claim that
 * somebody did something. A test checks each with `judgeReply`.
 */
export const replyTexts: Readonly<Record<ReplyLanguage, ReplyTexts>> = {
  en: {
    greeting: 'Hello {name},',
    greetingNameless: 'Hello,',
    positive: [
      'thank you for taking the time to write. It is good to read that you were happy with us.',
      'thank you for your review. We are glad that you were happy with us.',
      'thank you very much for your review. We look forward to seeing you again.',
    ],
    positiveSilent: [
      'thank you for your rating. We are glad that you were happy with us.',
      'thank you for the good rating. We look forward to seeing you again.',
    ],
    mixed: [
      'thank you for your honest review. We appreciate your feedback.',
      'thank you for letting us know. Your feedback is important to us.',
    ],
    negative: [
      'thank you for letting us know. We are sorry that your visit did not meet your expectations. Please contact us directly.',
      'thank you for your feedback. We are sorry that your experience did not meet your expectations. Please get in touch with us directly.',
    ],
    close: 'Your team at {business}',
  },
  de: {
    greeting: 'Guten Tag {name},',
    greetingNameless: 'Guten Tag,',
    positive: [
      'vielen Dank, dass Sie sich die Zeit für eine Bewertung genommen haben. Es freut uns, dass Sie zufrieden waren.',
      'herzlichen Dank für Ihre Bewertung. Wir freuen uns auf Ihren nächsten Besuch.',
    ],
    positiveSilent: ['vielen Dank für Ihre Bewertung. Es freut uns, dass Sie zufrieden waren.'],
    mixed: ['vielen Dank für Ihre ehrliche Bewertung. Ihre Rückmeldung ist uns wichtig.'],
    negative: [
      'es tut uns leid, dass wir Ihre Erwartungen nicht erfüllt haben. Bitte melden Sie sich direkt bei uns, damit wir verstehen, was geschehen ist.',
    ],
    close: 'Ihr Team von {business}',
  },
  fr: {
    greeting: 'Bonjour {name},',
    greetingNameless: 'Bonjour,',
    positive: [
      'merci d’avoir pris le temps de nous écrire. Nous sommes ravis que vous soyez satisfait de votre visite.',
      'merci beaucoup pour votre avis. Au plaisir de vous revoir.',
    ],
    positiveSilent: ['merci pour votre note. Nous espérons vous revoir bientôt.'],
    mixed: ['merci pour votre avis sincère. Vos remarques sont importantes pour nous.'],
    negative: [
      'nous regrettons de ne pas avoir répondu à vos attentes. Merci de nous contacter directement, afin que nous comprenions ce qui s’est passé.',
    ],
    close: 'L’équipe de {business}',
  },
  es: {
    greeting: 'Hola, {name}:',
    greetingNameless: 'Hola:',
    positive: [
      'muchas gracias por dedicar un momento a escribirnos. Nos alegra que haya disfrutado de su visita.',
      'muchas gracias por su valoración. Esperamos verle pronto de nuevo.',
    ],
    positiveSilent: ['muchas gracias por su valoración. Esperamos verle pronto de nuevo.'],
    mixed: ['muchas gracias por su opinión sincera. Sus comentarios son importantes para nosotros.'],
    negative: [
      'lamentamos no haber estado a la altura de lo que esperaba. Póngase en contacto con nosotros directamente para que podamos entender qué pasó.',
    ],
    close: 'El equipo de {business}',
  },
  it: {
    greeting: 'Buongiorno {name},',
    greetingNameless: 'Buongiorno,',
    positive: [
      'grazie per aver trovato il tempo di scriverci. Siamo felici che si sia trovato bene da noi.',
      'grazie per la sua recensione. Speriamo di rivederla presto.',
    ],
    positiveSilent: ['grazie per la sua valutazione. Speriamo di rivederla presto.'],
    mixed: ['grazie per la sua recensione sincera. La sua opinione è importante per noi.'],
    negative: [
      'ci dispiace di non essere stati all’altezza delle sue aspettative. La preghiamo di contattarci direttamente, per permetterci di capire che cosa è successo.',
    ],
    close: 'Il team di {business}',
  },
  nl: {
    greeting: 'Hallo {name},',
    greetingNameless: 'Hallo,',
    positive: [
      'bedankt dat u de tijd nam om ons te schrijven. Fijn om te lezen dat u tevreden was.',
      'bedankt voor uw beoordeling. We zien u graag nog eens terug.',
    ],
    positiveSilent: ['bedankt voor uw beoordeling. We zien u graag nog eens terug.'],
    mixed: ['bedankt voor uw eerlijke beoordeling. Uw mening is belangrijk voor ons.'],
    negative: [
      'het spijt ons dat we niet aan uw verwachtingen hebben voldaan. Neem gerust rechtstreeks contact met ons op, zodat we begrijpen wat er is gebeurd.',
    ],
    close: 'Het team van {business}',
  },
  pt: {
    greeting: 'Olá, {name},',
    greetingNameless: 'Olá,',
    positive: [
      'muito obrigado por ter dedicado um momento para nos escrever. Ficamos felizes por ter gostado.',
      'muito obrigado pela sua avaliação. Até breve.',
    ],
    positiveSilent: ['muito obrigado pela sua avaliação. Esperamos voltar a vê-lo em breve.'],
    mixed: ['muito obrigado pela sua opinião sincera. A sua opinião é importante para nós.'],
    negative: [
      'lamentamos não ter correspondido às suas expectativas. Por favor, fale connosco diretamente, para percebermos o que aconteceu.',
    ],
    close: 'A equipa da {business}',
  },
  pl: {
    greeting: 'Dzień dobry,',
    greetingNameless: 'Dzień dobry,',
    positive: [
      'dziękujemy za poświęcony czas i za opinię. Cieszymy się, że wizyta była udana.',
      'bardzo dziękujemy za opinię. Zapraszamy ponownie.',
    ],
    positiveSilent: ['dziękujemy za ocenę. Zapraszamy ponownie.'],
    mixed: ['dziękujemy za szczerą opinię. Każda opinia jest dla nas ważna.'],
    negative: [
      'przykro nam, że nie spełniliśmy oczekiwań. Prosimy o bezpośredni kontakt z nami, abyśmy mogli zrozumieć, co się stało.',
    ],
    close: 'Zespół {business}',
  },
  sv: {
    greeting: 'Hej {name},',
    greetingNameless: 'Hej,',
    positive: [
      'tack för att du tog dig tid att skriva. Det gläder oss att du är nöjd.',
      'tack så mycket för ditt omdöme. Välkommen tillbaka.',
    ],
    positiveSilent: ['tack för ditt betyg. Det gläder oss att du är nöjd.'],
    mixed: ['tack för ditt ärliga omdöme. Din åsikt är viktig för oss.'],
    negative: [
      'vi beklagar att ditt besök inte motsvarade dina förväntningar. Kontakta oss gärna direkt, så att vi förstår vad som hände.',
    ],
    close: 'Teamet på {business}',
  },
  tr: {
    greeting: 'Merhaba,',
    greetingNameless: 'Merhaba,',
    positive: [
      'zaman ayırıp yorum yaptığınız için teşekkür ederiz. Memnun kalmanıza sevindik.',
      'yorumunuz için çok teşekkür ederiz. Sizi tekrar bekleriz.',
    ],
    positiveSilent: ['değerlendirmeniz için teşekkür ederiz. Sizi tekrar bekleriz.'],
    mixed: ['samimi yorumunuz için teşekkür ederiz. Görüşleriniz bizim için değerli.'],
    negative: ['beklentilerinizi karşılayamadığımız için üzgünüz. Lütfen bizimle doğrudan iletişime geçin.'],
    close: '{business} ekibi',
  },
}
