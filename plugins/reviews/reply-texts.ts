/** How a reply is put together: a greeting, what it says, and a close. `{name}` and `{business}` are filled in. */
interface ReplyTexts {
  readonly greeting: string
  readonly greetingNameless: string
  readonly positive: readonly string[]
  /** A rating without words. */
  readonly positiveSilent: readonly string[]
  readonly mixed: readonly string[]
  readonly negative: readonly string[]
  readonly close: string
}

/** Templates by language. They promise nothing, name no link and no number, and say nothing that a business might not mean. */
export const replyTexts: Readonly<Record<string, ReplyTexts>> = {
  en: {
    greeting: 'Hello {name},',
    greetingNameless: 'Hello,',
    positive: [
      'thank you for taking the time to write. It is good to read that you were happy with us.',
      'thank you for your kind words. We have passed them on to the whole team.',
      'thank you very much for your review. We look forward to seeing you again.',
    ],
    positiveSilent: [
      'thank you for your rating. We are glad that you were happy with us.',
      'thank you for the good rating. We look forward to seeing you again.',
    ],
    mixed: [
      'thank you for your honest review. We take what you write to heart and will look into what we can do better.',
      'thank you for telling us what was good and what was not. Both help us.',
    ],
    negative: [
      'thank you for telling us, and we are sorry that we did not meet your expectations. Please get in touch with us directly, so that we can understand what happened.',
      'we are sorry to read this. It is not how a visit should go. Please contact us directly, so that we can look into it.',
    ],
    close: 'Your team at {business}',
  },
  de: {
    greeting: 'Guten Tag {name},',
    greetingNameless: 'Guten Tag,',
    positive: [
      'vielen Dank, dass Sie sich die Zeit für eine Bewertung genommen haben. Es freut uns, dass Sie zufrieden waren.',
      'herzlichen Dank für Ihre freundlichen Worte. Wir haben sie an das ganze Team weitergegeben.',
    ],
    positiveSilent: ['vielen Dank für Ihre Bewertung. Es freut uns, dass Sie zufrieden waren.'],
    mixed: ['vielen Dank für Ihre ehrliche Bewertung. Wir nehmen uns zu Herzen, was Sie schreiben.'],
    negative: [
      'es tut uns leid, dass wir Ihre Erwartungen nicht erfüllt haben. Bitte melden Sie sich direkt bei uns, damit wir verstehen, was geschehen ist.',
    ],
    close: 'Ihr Team von {business}',
  },
  fr: {
    greeting: 'Bonjour {name},',
    greetingNameless: 'Bonjour,',
    positive: [
      'merci d’avoir pris le temps de nous écrire. Nous sommes ravis que vous ayez été satisfait de votre visite.',
      'merci beaucoup pour vos mots. Nous les avons transmis à toute l’équipe.',
    ],
    positiveSilent: ['merci pour votre note. Nous espérons vous revoir bientôt.'],
    mixed: ['merci pour votre avis sincère. Nous prenons vos remarques à cœur.'],
    negative: [
      'nous regrettons de ne pas avoir répondu à vos attentes. Merci de nous contacter directement, afin que nous comprenions ce qui s’est passé.',
    ],
    close: 'L’équipe de {business}',
  },
  es: {
    greeting: 'Hola, {name}:',
    greetingNameless: 'Hola:',
    positive: [
      'muchas gracias por dedicar un momento a escribirnos. Nos alegra que la visita fuera de su agrado.',
      'muchas gracias por sus palabras. Las hemos compartido con todo el equipo.',
    ],
    positiveSilent: ['muchas gracias por su valoración. Esperamos verle pronto de nuevo.'],
    mixed: ['muchas gracias por su opinión sincera. Tomamos nota de lo que nos cuenta.'],
    negative: [
      'lamentamos no haber estado a la altura de lo que esperaba. Póngase en contacto con nosotros directamente para que podamos entender qué pasó.',
    ],
    close: 'El equipo de {business}',
  },
  it: {
    greeting: 'Buongiorno {name},',
    greetingNameless: 'Buongiorno,',
    positive: ['grazie per aver trovato il tempo di scriverci. Siamo felici che si sia trovato bene da noi.'],
    positiveSilent: ['grazie per la sua valutazione. Speriamo di rivederla presto.'],
    mixed: ['grazie per la sua recensione sincera. Terremo conto di quello che ci scrive.'],
    negative: [
      'ci dispiace di non essere stati all’altezza delle sue aspettative. La preghiamo di contattarci direttamente, per permetterci di capire che cosa è successo.',
    ],
    close: 'Il team di {business}',
  },
  nl: {
    greeting: 'Hallo {name},',
    greetingNameless: 'Hallo,',
    positive: ['bedankt dat u de tijd nam om ons te schrijven. Fijn om te lezen dat u tevreden was.'],
    positiveSilent: ['bedankt voor uw beoordeling. We zien u graag nog eens terug.'],
    mixed: ['bedankt voor uw eerlijke beoordeling. We nemen uw opmerkingen ter harte.'],
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
    ],
    positiveSilent: ['muito obrigado pela sua avaliação. Esperamos voltar a vê-lo em breve.'],
    mixed: ['muito obrigado pela sua opinião sincera. Levamos a sério o que nos conta.'],
    negative: [
      'lamentamos não ter correspondido às suas expectativas. Por favor, fale connosco diretamente, para percebermos o que aconteceu.',
    ],
    close: 'A equipa da {business}',
  },
}
