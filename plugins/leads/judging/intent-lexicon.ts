import type { LexiconRule } from './lexicon'

/** The version of the rules below. Increase it with each change, so that old scores stay explainable. */
export const intentRules = 'intent.rules@1'

/** What shows that a person wants to buy, and what shows the opposite. The keywords are in the keyword language. */
export const intentLexicon: readonly LexiconRule[] = [
  {
    kind: 'asks_recommendation',
    points: 55,
    says: 'Asks for a recommendation',
    keywords: [
      '(anyone OR anybody OR someone OR somebody OR you OR u OR people) NEAR/4 (recommend OR suggest)',
      '"any recommendations" OR "any recommendation" OR "any recs" OR "any suggestions" OR "recommendations for" OR "recommendation for" OR "recommendations please" OR "recommendations needed"',
      '"who do you use" OR "who should i use" OR "who should i call" OR "who should i go" OR "who is the best" OR "who\'s the best" OR "what is the best" OR "what\'s the best" OR "which is the best" OR "where is the best"',
      '"where can i find" OR "where can i get" OR "where can i buy" OR "where should i go" OR "where do you go" OR "does anyone know a" OR "does anyone know of" OR "anyone know a" OR "anyone know of" OR "anybody know a" OR "know of a good" OR "know any good"',
      '"alternative to" NEAR/6 (any OR good OR best OR looking OR need)',
      '"can jemand empfehlen" OR (jemand NEAR/6 empfehlen) OR (wer NEAR/5 empfehlen) OR (empfehlt NEAR/3 ihr) OR "empfehlung für" OR "empfehlungen für" OR "kennt jemand" OR "kennt ihr" OR "hat jemand eine empfehlung" OR "wo finde ich" OR "wo bekomme ich"',
      '(quelqu\'un NEAR/6 recommander) OR (quelqu\'un NEAR/5 conseiller) OR "vous me conseillez" OR "me recommander" OR "me conseiller" OR "connaissez-vous" OR "connaissez vous" OR "une recommandation" OR "des recommandations" OR "où trouver" OR "où puis-je trouver"',
      '(alguien NEAR/5 (recomienda OR recomendar OR recomiende OR conoce)) OR "me recomiendan" OR "me recomendáis" OR "qué me recomiendan" OR "alguna recomendación" OR "recomendaciones de" OR "dónde puedo encontrar" OR "dónde encuentro"',
      '(qualcuno NEAR/5 (consiglia OR consigliare OR consigliarmi OR conosce)) OR "mi consigliate" OR "cosa consigliate" OR "avete consigli" OR "qualche consiglio" OR "dove posso trovare" OR "dove trovo"',
      '(iemand NEAR/6 (aanraden OR aanrader OR tip OR tips)) OR "wie kent" OR "kent iemand" OR "weet iemand een" OR "heeft iemand een" OR "waar vind ik" OR "waar kan ik"',
      '(alguém NEAR/5 (recomenda OR indica OR indicar OR recomendar OR conhece)) OR "me recomendam" OR "me indicam" OR "alguma recomendação" OR "alguma indicação" OR "onde encontro" OR "onde posso encontrar"',
    ],
  },
  {
    kind: 'wants_to_buy',
    points: 50,
    says: 'Looks for somebody or something',
    keywords: [
      '("looking for" OR "searching for" OR "in search of" OR iso) NEAR/2 (a OR an OR someone OR somebody OR good OR reliable OR decent OR local OR affordable OR recommendations)',
      '"i need a" OR "i need an" OR "we need a" OR "we need an" OR "need someone to" OR "need somebody to" OR "in need of a" OR "want to hire" OR "looking to hire" OR "looking to buy" OR "want to buy" OR "wanting to book" OR "looking to book" OR "trying to find a" OR "i am after a" OR "i\'m after a"',
      '"ich suche" OR "wir suchen" OR "auf der suche nach" OR "ich brauche einen" OR "ich brauche eine" OR "wir brauchen einen" OR "wir brauchen eine" OR "suche dringend" OR "möchte buchen" OR "möchte kaufen"',
      '"je cherche" OR "nous cherchons" OR "on cherche" OR "à la recherche" OR "j\'ai besoin" OR "nous avons besoin" OR "je recherche" OR "je voudrais réserver"',
      '"estoy buscando" OR "busco un" OR "busco una" OR "buscamos un" OR "buscamos una" OR "necesito un" OR "necesito una" OR "necesitamos un" OR "necesitamos una" OR "quiero contratar" OR "quiero comprar"',
      '"sto cercando" OR "cerco un" OR "cerco una" OR "cerchiamo un" OR "cerchiamo una" OR "ho bisogno di" OR "abbiamo bisogno di" OR "vorrei prenotare"',
      '"ik zoek" OR "wij zoeken" OR "op zoek naar" OR "ik heb een" NEAR/4 nodig OR "gezocht"',
      '"estou procurando" OR "procuro um" OR "procuro uma" OR "preciso de um" OR "preciso de uma" OR "estou à procura" OR "quero contratar"',
    ],
  },
  {
    kind: 'switching',
    points: 45,
    says: 'Wants to switch',
    keywords: [
      '(switch OR switching OR moving OR move OR migrating OR migrate OR change OR changing) NEAR/1 (from OR away OR providers OR provider OR supplier OR suppliers) NOT ("switched from" OR "moved from")',
      '"looking for an alternative" OR "looking for alternatives" OR "alternatives to" OR "alternative to" OR "replacement for" OR "thinking of leaving" OR "time to leave" OR "cancel my subscription" OR "cancelling my" OR "canceling my" OR "want to cancel"',
      '(wechseln NEAR/5 (anbieter OR will OR möchte OR wollen)) OR "alternative zu" OR "alternativen zu" OR "ersatz für" OR "vertrag kündigen"',
      '"changer de" OR "alternative à" OR "alternatives à" OR "résilier mon" OR "cambiar de" OR "alternativa a" OR "alternativas a" OR "darme de baja"',
      '"cambiare fornitore" OR "alternativa al" OR "alternative al" OR "overstappen" OR "alternatief voor" OR "trocar de" OR "mudar de fornecedor" OR "alternativa ao"',
    ],
  },
  {
    kind: 'competitor_complaint',
    points: 35,
    says: 'Complains about another provider',
    keywords: [
      '"fed up with" OR "sick of" OR "tired of" OR "had enough of" OR "let down by" OR "let us down" OR "let me down" OR "never again with" OR "never using" OR "rip off" OR "ripped off" OR "ripoff" OR "cowboys" OR "no show" OR "didn\'t show up" OR "never showed up" OR "never turned up" OR "didn\'t turn up" OR "stopped answering" OR "won\'t answer" OR "overcharged" OR "did a terrible job" OR "awful job"',
      '(terrible OR awful OR horrible OR appalling OR worst) NEAR/2 (service OR experience OR support OR company)',
      '"die nase voll" OR "nie wieder" OR "abzocke" OR "nicht erschienen" OR "im stich gelassen" OR (schlechter NEAR/1 service) OR "unverschämt teuer"',
      '"marre de" OR "ras le bol" OR "plus jamais" OR arnaque OR "service déplorable" OR "pas venu" OR "harto de" OR "harta de" OR estafa OR "nunca más" OR "pésimo servicio" OR "mal servicio" OR "no se presentó"',
      '"stufo di" OR "stufa di" OR truffa OR "mai più" OR "pessimo servizio" OR "non si è presentato" OR "klaar met" OR oplichters OR "nooit meer" OR "slechte service" OR "cansado de" OR "nunca mais" OR "péssimo atendimento" OR golpe',
    ],
  },
  {
    kind: 'price_question',
    points: 40,
    says: 'Asks for a price',
    keywords: [
      '"how much does" OR "how much do" OR "how much would" OR "how much is" OR "how much should" OR "what does it cost" OR "what would it cost" OR "what do you charge" OR "going rate" OR "ballpark" OR "fair price for" OR "a quote for" OR "get a quote" OR "quotes for" OR "is it worth the price" OR "any discount"',
      '"was kostet" OR "was kosten" OR "wie viel kostet" OR "wieviel kostet" OR kostenvoranschlag OR "wie teuer ist"',
      '"combien coûte" OR "combien ça coûte" OR "quel prix" OR "quel est le prix" OR "un devis" OR "cuánto cuesta" OR "cuánto cobran" OR "qué precio" OR presupuesto',
      '"quanto costa" OR "quanto costano" OR "un preventivo" OR "wat kost" OR "hoeveel kost" OR offerte OR "quanto custa" OR "quanto cobram" OR orçamento',
    ],
  },
  {
    kind: 'sells',
    points: -45,
    says: 'Sells or advertises',
    keywords: [
      '"we offer" OR "our services" OR "we provide" OR "we specialise" OR "we specialize" OR "book now" OR "call us" OR "contact us" OR "visit our" OR "check out our" OR "dm me for" OR "dm for" OR "hire me" OR "free consultation" OR "limited offer" OR "sign up today" OR "promo code" OR "use code" OR "affiliate link" OR "link in bio" OR "i built" OR "we built" OR "we just launched" OR "we\'re launching" OR "my new app" OR "show hn"',
      '"wir bieten" OR "unser angebot" OR "jetzt buchen" OR "jetzt anrufen" OR rabattcode OR "nous proposons" OR "nos services" OR "réservez maintenant" OR "code promo" OR "ofrecemos" OR "nuestros servicios" OR "reserva ahora" OR "código de descuento"',
      '"offriamo" OR "i nostri servizi" OR "prenota ora" OR "codice sconto" OR "wij bieden" OR "onze diensten" OR "boek nu" OR kortingscode OR "oferecemos" OR "nossos serviços" OR "código de desconto"',
    ],
  },
  {
    kind: 'job_offer',
    points: -45,
    says: 'Is about a job',
    keywords: [
      '"we are hiring" OR "we\'re hiring" OR "now hiring" OR "job opening" OR "job opportunity" OR "apply now" OR "join our team" OR "send your cv" OR "salary" OR "internship" OR "looking for a job" OR "looking for work" OR "who is hiring" OR "who wants to be hired"',
      '"wir stellen ein" OR stellenangebot OR "bewirb dich" OR "offre d\'emploi" OR "nous recrutons" OR "oferta de empleo" OR "oferta de trabajo" OR "offerta di lavoro" OR "assumiamo" OR vacature OR "vaga de emprego"',
    ],
  },
  {
    kind: 'recommends',
    points: -30,
    says: 'Recommends instead of asking',
    keywords: [
      '"i recommend" OR "i highly recommend" OR "highly recommended" OR "i can recommend" OR "i\'d recommend" OR "would recommend" OR "can\'t recommend" OR "cannot recommend" OR "shout out to" OR "big thanks to"',
      '"kann ich empfehlen" OR "sehr zu empfehlen" OR "je recommande" OR "lo recomiendo" OR "muy recomendable" OR "lo consiglio" OR "consigliatissimo" OR "echte aanrader" OR "eu recomendo" OR "super recomendo"',
    ],
  },
  {
    kind: 'solved',
    points: -35,
    says: 'Has already found somebody',
    keywords: [
      '"found someone" OR "found one thanks" OR "now sorted" OR "all sorted" OR "sorted now" OR "no longer needed" OR "thanks everyone" OR "problem solved" OR "update solved" OR "already booked" OR "hat sich erledigt" OR "schon gefunden" OR "c\'est réglé" OR "ya encontré" OR "ya está resuelto" OR "ho risolto" OR "al gevonden" OR "já encontrei"',
    ],
  },
]

/** Counts only beside one of the rules with positive points. */
export const urgencyRule: LexiconRule = {
  kind: 'urgency',
  points: 15,
  says: 'Needs it soon',
  keywords: [
    'asap OR urgent OR urgently OR emergency OR "right now" OR "as soon as possible" OR today OR tonight OR tomorrow OR "this week" OR "this weekend" OR "short notice"',
    'dringend OR sofort OR "so schnell wie möglich" OR heute OR morgen OR notfall OR "rapidement" OR urgence OR "dès que possible" OR "aujourd\'hui" OR demain OR "lo antes posible" OR hoy OR "esta semana" OR urgente OR "il prima possibile" OR oggi OR domani OR "zo snel mogelijk" OR vandaag OR spoed OR hoje OR "o mais rápido possível"',
  ],
}
