/** The words for analyzing reviews in one language. `*` stands for any ending, `!` marks a strong word. */
export interface Lexicon {
  readonly good: string
  readonly bad: string
  /** Words that negate the next words. */
  readonly not: string
  /** Words that start a clause that may say the opposite. */
  readonly but: string
  /** Frequent words that identify the language. */
  readonly common: string
  readonly emotions: Readonly<Record<'anger' | 'sadness' | 'fear' | 'surprise' | 'disgust', string>>
  readonly topics: Readonly<Partial<Record<Topic, string>>>
}

/** Topics of reviews. */
export const topics = [
  ...(['staff', 'service', 'price', 'waiting', 'cleanliness', 'quality', 'food', 'drinks'] as const),
  ...(['location', 'parking', 'atmosphere', 'communication', 'booking', 'delivery', 'repair'] as const),
] as const
export type Topic = (typeof topics)[number]

export const lexicons: Readonly<Record<string, Lexicon>> = {
  en: {
    good: 'good great nice lovely friendly helpful kind polite clean tasty delicious! fresh quick fast excellent! amazing! awesome! fantastic! wonderful! perfect! brilliant! superb! outstanding! love* best! recommend* happy pleasant professional comfortable fair affordable reasonable enjoyed impressed beautiful cosy cozy welcoming attentive knowledgeable efficient reliable honest spotless! gem!',
    bad: 'bad poor slow rude! dirty! awful! terrible! horrible! worst! disgusting! cold late overpriced expensive disappoint* unfriendly unhelpful unprofessional! broken wrong mistake* avoid! waste ruined! bland stale noisy filthy! scam! ripoff! rip-off! lied ignored mess damaged dishonest! careless never-again! useless! hate* unacceptable! annoyed complaint complained dangerous! unsafe! poison*!',
    not: "not no never isn't wasn't aren't weren't don't didn't doesn't won't wouldn't can't couldn't hardly without nothing",
    but: 'but however though although yet except unfortunately',
    common:
      'the and was were is are they this that with have had very for you we our there would from been it my will their what which when',
    emotions: {
      anger: 'angry furious rude scam outrageous ripoff lied unacceptable refund liar* robbed',
      sadness: 'sad disappoint* upset shame let-down unfortunately sorry',
      fear: 'unsafe dangerous scared afraid poison* hospital injur* threat*',
      surprise: 'surpris* unexpected* wow astonish* shocked',
      disgust: 'disgust* filthy cockroach* mould mold gross vomit hair smelly stank',
    },
    topics: {
      staff:
        'staff team waiter* waitress* server receptionist* employee* driver* technician* plumber* manager owner hairdresser* doctor nurse*',
      service: 'service',
      price: 'price* expensive cheap overpriced cost* value money bill fee* affordable quote*',
      waiting: 'wait waited waiting queue* delay* late slow hour',
      cleanliness: 'clean dirty filthy spotless hygien* smell*',
      quality: 'quality workmanship',
      food: 'food meal* dish* lunch dinner breakfast menu pizza bread cake* burger* portion*',
      drinks: 'coffee drink* beer wine tea cocktail*',
      location: 'location located area view',
      parking: 'parking park',
      atmosphere: 'atmosphere ambience music decor noisy cosy cozy vibe',
      communication: 'communicat* phone call* email* answered reply replied informed',
      booking: 'book booked booking appointment* reservation* reserved',
      delivery: 'deliver* shipping shipped arrived',
      repair: 'repair* fix fixed leak* install*',
    },
  },
  de: {
    good: 'gut gute guter gutes guten toll* super! nett* freundlich* hilfsbereit* sauber* lecker* frisch* schnell* hervorragend* ausgezeichnet* perfekt* klasse! wunderbar* fantastisch* beste* empfehle* empfehlen* empfehlenswert* zufrieden begeistert* gerne schön* angenehm* kompetent* professionell* günstig* fair* gemütlich* zuverlässig* pünktlich* top! großartig* danke',
    bad: 'schlecht* langsam* unfreundlich* dreckig* schmutzig* schrecklich* furchtbar* katastroph* kalt kaltes kalte teuer* überteuert* enttäusch* unverschämt* kaputt* falsch* nie-wieder! mies* unprofessionell* laut* ekelhaft* eklig* frech* abzocke! betrug! unzufrieden* unpünktlich* geschmacklos ignoriert* mangelhaft* schlimm* ärgerlich* inkompetent* wartezeit* leider',
    not: 'nicht kein keine keinen keiner nie niemals ohne kaum',
    but: 'aber jedoch allerdings obwohl trotzdem leider',
    common:
      'der die das und ist war sehr ich wir mit nicht auch ein eine einen für auf hat haben wurde sind beim zum von dem den uns man hier immer wieder',
    emotions: {
      anger: 'wütend unverschämt* frech* abzocke betrug sauer ärger*',
      sadness: 'traurig enttäusch* schade leider',
      fear: 'gefährlich* angst vergift* krankenhaus verletz*',
      surprise: 'überrasch* unerwartet* wow',
      disgust: 'ekel* eklig* schimmel* kakerlake* haar gestank widerlich*',
    },
    topics: {
      staff: 'personal mitarbeiter* team kellner* bedienung chef* inhaber* fahrer* arzt ärztin',
      service: 'service* bedienung kundendienst',
      price: 'preis* teuer* günstig* kosten rechnung geld preisleistung*',
      waiting: 'warten gewartet wartezeit* verspätung* langsam* stunde* termin-verspätet',
      cleanliness: 'sauber* dreckig* schmutzig* hygien*',
      quality: 'qualität*',
      food: 'essen speise* gericht* frühstück* mittagessen abendessen brot brötchen kuchen pizza portion*',
      drinks: 'kaffee getränk* bier wein tee',
      location: 'lage standort ausblick aussicht',
      parking: 'parkplatz parkplätze parken',
      atmosphere: 'atmosphäre ambiente musik gemütlich* laut*',
      communication: 'telefon* anruf* email* mail* antwort* kommunikation erreichbar*',
      booking: 'termin* buchung gebucht reserv*',
      delivery: 'liefer* versand geliefert',
      repair: 'reparatur* repariert* einbau montage',
    },
  },
  fr: {
    good: 'bon bonne bons bonnes bien super! excellent* parfait* génial* délicieu* sympa* sympathique* agréable* accueillant* aimable* gentil* propre* rapide* frais fraîche* magnifique* merveilleu* recommande* adore* meilleur* ravi* satisfait* impeccable* professionnel* chaleureu* top! merci efficace* qualité',
    bad: 'mauvais* lent* sale* froid froide nul! nulle! horrible* terrible* catastroph* cher chère décevant* déçu* désagréable* impoli* arnaque! éviter! fuir! pire! incompétent* cassé* bruyant* médiocre* inadmissible* honteu* dégoûtant* dégueulasse! erreur* attente malpoli* sec insipide',
    not: 'pas ne jamais aucun aucune sans rien ni plus',
    but: 'mais cependant pourtant toutefois malheureusement dommage',
    common:
      'le la les et est était très nous je avec pour une des dans sur que qui pas ont été sont mon cette ce au du vous ils tout',
    emotions: {
      anger: 'colère furieu* arnaque inadmissible* honteu* scandaleu* voleur*',
      sadness: 'triste déçu* décevant* dommage malheureusement',
      fear: 'danger* peur intoxication hôpital bless*',
      surprise: 'surpris* surprise inattendu* étonn*',
      disgust: 'dégoût* dégueulasse cafard* moisi* cheveu* puait',
    },
    topics: {
      staff: 'personnel équipe serveur* serveuse* employé* patron* vendeur* vendeuse* médecin',
      service: 'service*',
      price: 'prix cher chère coût* facture argent tarif* rapport',
      waiting: 'attente attendre attendu retard* lent* heure',
      cleanliness: 'propre* sale* hygiène propreté',
      quality: 'qualité*',
      food: 'plat* repas cuisine nourriture déjeuner dîner menu pain pizza dessert*',
      drinks: 'café boisson* bière* vin vins thé',
      location: 'emplacement situé* vue quartier',
      parking: 'parking stationnement garer',
      atmosphere: 'ambiance musique cadre décor* bruyant*',
      communication: 'téléphone appel* réponse* répond* mail* communication',
      booking: 'réserv* rendez-vous',
      delivery: 'livraison* livré*',
      repair: 'répar* fuite* installation',
    },
  },
  es: {
    good: 'bueno buena buenos buenas buen bien excelente* perfecto* genial* delicioso* rico rica ricos ricas amable* simpátic* agradable* limpio* limpia* rápido* rápida* fresco* maravillos* fantástic* recomiendo recomendable* encant* mejor mejores! content* satisfech* profesional* acogedor* atent* increíble* gracias estupend*',
    bad: 'malo mala malos malas mal lento lenta lentos sucio* sucia* frío fría horrible* terrible* pésim* caro cara caros decepcion* maleducad* grosero* grosera* estafa! evitar! peor! incompetente* roto rota ruidos* mediocre* inaceptable* vergüenza! asco! asqueros* desastre! error* antipátic* engañ* timo!',
    not: 'no nunca jamás ni sin nada ningún ninguna tampoco',
    but: 'pero aunque sin-embargo lástima desgraciadamente',
    common:
      'el la los las y es era muy nos me con para una un que por del se lo fue está son mi su todo este esta nosotros cuando hay han',
    emotions: {
      anger: 'enfadad* estafa timo vergüenza indignad* inaceptable* ladrones',
      sadness: 'triste decepcion* lástima pena',
      fear: 'peligros* miedo intoxica* hospital herid*',
      surprise: 'sorprend* sorpresa inesperad*',
      disgust: 'asco asqueros* cucaracha* moho pelo',
    },
    topics: {
      staff: 'personal equipo camarer* emplead* dueñ* trabajador* médico',
      service: 'servicio* atención',
      price: 'precio* caro cara caros barat* dinero cuenta coste*',
      waiting: 'espera esperar esperando tarde lento lenta retraso* hora',
      cleanliness: 'limpio* limpia* sucio* sucia* higiene limpieza',
      quality: 'calidad',
      food: 'comida plato* cena desayuno almuerzo menú pan pizza postre* tapas',
      drinks: 'café bebida* cerveza* vino* té',
      location: 'ubicación situad* vistas zona',
      parking: 'aparcamiento aparcar parking estacionamiento',
      atmosphere: 'ambiente música decoración ruidos*',
      communication: 'teléfono llamad* respuesta respond* correo comunicación',
      booking: 'reserv* cita',
      delivery: 'entrega* envío*',
      repair: 'repar* arregl* fuga instalación',
    },
  },
  it: {
    good: 'buono buona buoni buone bene ottimo! ottima! ottimi! ottime! eccellent* perfett* fantastic* gentil* cordial* simpatic* pulit* veloc* fresc* delizios* squisit* bellissim* meraviglios* consiglio consigliat* consigliatissim* adoro migliore migliori! content* soddisfatt* professional* accoglient* disponibil* bravi bravissim* grazie piacevole*',
    bad: 'cattiv* male lento lenta lenti sporc* fredd* orribil* terribil* pessim* caro cara cari delus* deludent* maleducat* scortes* truffa! evitare! peggio! peggiore! incompetent* rotto rotta rumoros* mediocr* inaccettabil* vergogn* schifo! schifos* disastr* errore errori scadent* attesa',
    not: 'non mai senza nessun nessuna niente nulla né',
    but: 'ma però tuttavia purtroppo peccato anche-se',
    common:
      'il la le lo gli e è era molto ci mi con per una un che di del della sono ho abbiamo questo questa tutto anche nel alla stato siamo',
    emotions: {
      anger: 'arrabbiat* truffa vergogn* inaccettabil* ladri',
      sadness: 'triste delus* peccato purtroppo',
      fear: 'pericolos* paura intossic* ospedale ferit*',
      surprise: 'sorpres* sorprend* inaspettat*',
      disgust: 'schifo* scarafagg* muffa capello disgust*',
    },
    topics: {
      staff: 'personale staff camerier* proprietari* titolare dipendent* medico',
      service: 'servizio servizi',
      price: 'prezzo prezzi caro cara cari economic* conto costo soldi',
      waiting: 'attesa attendere aspettare aspettato ritardo lento lenta',
      cleanliness: 'pulit* sporc* igiene pulizia',
      quality: 'qualità',
      food: 'cibo piatto piatti cucina pranzo cena colazione menù pane pizza dolce dolci',
      drinks: 'caffè bevand* birra vino vini tè',
      location: 'posizione zona vista',
      parking: 'parcheggi*',
      atmosphere: 'atmosfera ambiente musica locale rumoros*',
      communication: 'telefon* chiamat* risposta rispond* mail comunicazione',
      booking: 'prenot* appuntamento',
      delivery: 'consegn* spedizion*',
      repair: 'ripara* perdita installazione',
    },
  },
  nl: {
    good: 'goed goede geweldig* lekker* vriendelijk* aardig* behulpzaam* schoon schone snel snelle vers verse uitstekend* perfect* fantastisch* prachtig* aanrader! beste tevreden mooi mooie gezellig* prettig* professioneel* deskundig* betrouwbaar* heerlijk* fijn fijne top! super! bedankt blij',
    bad: 'slecht* traag trage onvriendelijk* vies vieze vreselijk* verschrikkelijk* koud koude duur dure teleurgesteld* teleurstellend* onbeschoft* oplichter* oplichting! kapot fout foute lawaaierig* matig* onacceptabel* schandalig* walgelijk* ramp! nooit-meer! waardeloos! onprofessioneel* jammer smerig*',
    not: 'niet geen nooit zonder nauwelijks niets',
    but: 'maar echter hoewel toch helaas jammer',
    common:
      'het een en is was zeer ik wij we met niet ook voor op heeft hebben zijn wordt werd van dat die ons je hier altijd veel naar bij erg',
    emotions: {
      anger: 'boos woedend onbeschoft* oplicht* schandalig*',
      sadness: 'verdrietig teleurge* teleurst* jammer helaas',
      fear: 'gevaarlijk* bang vergiftig* ziekenhuis gewond*',
      surprise: 'verras* onverwacht* wauw',
      disgust: 'walgelijk* kakkerlak* schimmel haar smerig* vies vieze',
    },
    topics: {
      staff: 'personeel medewerker* team ober* serveerster* eigenaar arts',
      service: 'service bediening',
      price: 'prijs prijzen duur dure goedkoop* kosten rekening geld',
      waiting: 'wachten gewacht wachttijd* vertraging traag trage uur',
      cleanliness: 'schoon schone vies vieze hygiëne smerig*',
      quality: 'kwaliteit',
      food: 'eten gerecht* maaltijd* lunch diner ontbijt menu brood pizza',
      drinks: 'koffie drankje* bier wijn thee',
      location: 'locatie ligging uitzicht',
      parking: 'parkeren parkeerplaats*',
      atmosphere: 'sfeer* muziek inrichting gezellig*',
      communication: 'telefoon* gebeld bellen antwoord* mail* communicatie',
      booking: 'afspraak reserv* geboekt boeking',
      delivery: 'levering geleverd bezorg*',
      repair: 'reparatie* gerepareerd lekkage installatie',
    },
  },
  pt: {
    good: 'bom boa bons boas bem ótimo! ótima! ótimos! excelente* perfeit* fantástic* delicios* gostos* simpátic* amável gentil gentis limpo limpa rápid* fresc* maravilhos* recomendo recomend* adoro adorei! melhor melhores! content* satisfeit* profission* acolhedor* atencios* incrível! obrigad* agradáve*',
    bad: 'mau má maus ruim! lento lenta suj* frio fria horríve* terríve* péssim* caro cara caros decepcion* dececion* desilu* mal-educad* grosseir* burla! golpe! evitar! pior! incompetente* quebrad* partido barulhent* medíocre* inaceitáve* vergonha! nojo! nojent* desastre! erro erros demora* enganad*',
    not: 'não nunca jamais nem sem nada nenhum nenhuma',
    but: 'mas porém contudo embora infelizmente pena',
    common:
      'o a os as e é era muito nos me com para uma um que por do da dos das foi está são meu minha todo este esta você quando tem ao pelo também',
    emotions: {
      anger: 'zangad* burla golpe vergonha revolta* inaceitáve* ladrões',
      sadness: 'triste decepcion* dececion* desilu* pena infelizmente',
      fear: 'perigos* medo intoxica* hospital ferid*',
      surprise: 'surpres* surpreend* inesperad*',
      disgust: 'nojo nojent* barata baratas mofo bolor cabelo',
    },
    topics: {
      staff: 'funcionári* equipe equipa pessoal empregad* garçom dono dona médico',
      service: 'serviço* atendimento',
      price: 'preço* caro cara caros barat* dinheiro conta custo',
      waiting: 'espera esperar esperei demora* atraso* lento lenta',
      cleanliness: 'limpo limpa suj* higiene limpeza',
      quality: 'qualidade',
      food: 'comida prato pratos almoço jantar pequeno-almoço menu pão pizza sobremesa*',
      drinks: 'café bebida* cerveja* vinho* chá',
      location: 'localização vista zona',
      parking: 'estacionamento estacionar',
      atmosphere: 'ambiente música decoração barulhent*',
      communication: 'telefone liga* resposta respond* email comunicação',
      booking: 'reserv* marcação consulta',
      delivery: 'entrega* envio',
      repair: 'repara* conserto vazamento instalação',
    },
  },
}
