/**
 * Replies made of words that are each on the lists: promises of things at the next visit, blame, and family turned into things. By
 * language: the review, and the replies.
 */
export const composedReplies: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  en: [
    'The coffee and cake were lovely, great team. My wife and kids love it. Priced fairly. Sorry for the mess.',
    [
      'Thank you! Your next coffee is our pleasure.',
      'We hope to have your wife at our place.',
      'Thank you for your wife.',
      'We look forward to having your wife.',
      'Your next visit with us, our pleasure!',
      'We are happy to have your coffee and cake for you next time.',
      'We appreciate your patient treatment.',
      'We are delighted to welcome you with coffee and cake next time.',
      'Thank you for the 5 star review of our team, please come and see us.',
      'We are sorry you had to wait, it was our staff.',
      'Thank you! Our coffee is lovely, unlike others.',
      'We love your wife and kids.',
      'We hope you had a wait.',
      'Everyone had coffee with your wife. Thank you!',
      'We hope to see you for coffee, our treat.',
      'It was a pleasure to have your wife.',
    ],
  ],
  de: [
    'Der Kaffee und Kuchen waren super, nette Bedienung. Meine Frau und Kinder lieben es.',
    [
      'Der nächste Kaffee ist uns eine Freude.',
      'Wir freuen uns auf Ihre Frau.',
      'Vielen Dank! Ihr nächster Kaffee von uns.',
      'Vielen Dank, beim nächsten Mal ist der Kuchen für Sie da.',
      'Wir hoffen, Ihre Kinder haben alles gemacht.',
      'Es tut uns leid, es war unser Team.',
    ],
  ],
  fr: [
    'Le café et le gâteau étaient superbes. Ma femme et mes enfants adorent.',
    [
      'Merci ! Votre prochain café pour vous par nous.',
      'Au plaisir de recevoir votre femme.',
      'Nous sommes ravis de votre femme.',
      'Merci, nous espérons votre femme.',
      'Nous sommes désolés, notre équipe était lente.',
      'Nous vous remercions, le prochain gâteau avec plaisir pour vous.',
    ],
  ],
  es: [
    'El café y la tarta estaban geniales. A mi mujer y a mis hijos les encantó.',
    [
      'Gracias, tu próxima visita con café para ti.',
      'Esperamos a tu mujer con ilusión.',
      'Lo sentimos, fue nuestro equipo.',
      'Gracias, en tu próxima visita te esperamos con tarta.',
    ],
  ],
  it: [
    'Il caffè e la torta erano ottimi. Mia moglie e i bambini contenti.',
    [
      'Grazie, la prossima volta il caffè con piacere per te.',
      "Non vediamo l'ora di accogliere tua moglie.",
      'Siamo felici di tua moglie.',
      'Ci dispiace, è stato il nostro team.',
      'Grazie, la prossima volta la torta da noi per voi.',
    ],
  ],
  nl: [
    'Koffie en taart waren heerlijk. Mijn vrouw en kinderen vonden het top.',
    [
      'Bedankt, de volgende keer koffie van ons.',
      'Bedankt, de volgende keer is de koffie van ons.',
      'We kijken uit naar je vrouw.',
      'Het spijt ons, het was ons team.',
      'Bedankt, volgende keer taart van ons voor jullie!',
    ],
  ],
  pt: [
    'O café e o bolo eram ótimos. A minha mulher e os filhos adoraram.',
    [
      'Obrigado, o próximo café por nossa.',
      'Obrigado, na próxima visita um bolo para si com carinho.',
      'Lamentamos, foi a nossa equipa.',
      'Obrigado, da próxima vez o café por nós.',
    ],
  ],
  pl: [
    'Kawa i ciasto były pyszne. Żona i dzieci zadowolone.',
    [
      'Dziękujemy, następnym razem kawa od nas.',
      'Dziękujemy, kawa od nas dla Pana.',
      'Czekamy na żonę.',
      'Przykro nam, to był nasz zespół.',
      'Dziękujemy, następnym razem ciasto dla Pana od nas.',
    ],
  ],
  sv: [
    'Kaffe och tårta var toppen. Min fru och barn är nöjda.',
    [
      'Tack, nästa gång kaffe från oss.',
      'Tack, nästa kaffe är från oss.',
      'Vi ser fram emot din fru.',
      'Vi beklagar, det var vår personal.',
      'Tack, nästa besök tårta till dig från oss.',
    ],
  ],
  tr: [
    'Kahve ve pasta çok güzeldi. Eşim ve çocuklar memnun kaldı.',
    [
      'Teşekkürler, bir sonraki ziyaretinizde kahve bizimle.',
      'Teşekkürler, kahve bizim için.',
      'Eşinizi bekliyoruz.',
      'Üzgünüz, ekibimiz.',
      'Teşekkürler, bir daha kahve sizin için.',
    ],
  ],
}
