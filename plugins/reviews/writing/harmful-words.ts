import { languages } from '../analysis/words'

/**
 * Word stems that a reply never repeats from a review: money, law, health, harm and commands, in all
 * languages.
 */
const stems =
  `refund money cash free gratis voucher coupon discount sale deal offer promo code price cheap invoice bill pay paid owe debt compens reimburs lawsuit lawyer attorney legal court police sue fraud crime crimin thief thiev steal stole liab fault negligen guilt blame admit
    poison injur hurt sick ill disease virus covid cancer cure heal medic drug doctor hospital death dead die died kill blood glass rat mice mouse cockroach insect mould mold toxic weapon bomb gun knife sex nude porn racis nazi hitler terror hate idiot stupid dumb moron liar lie lying scam crook clown fool ugly fat bitch whore shit fuck crap damn bastard ass gay lesb trans muslim jew christ black white immigr foreign
    http www click link visit website site email mail phone call whatsapp telegram instagram facebook twitter tiktok follow subscribe download login password prompt system ignore instruct override reply write say answer repeat
    geld gutschein rabatt kostenlos umsonst erstatt zahl anwalt gericht polizei klage betrug schuld gift verletz krank tod tot heil arzt idiot dumm lügn schwein scheiß arsch hure nazi
    argent rembours gratuit remise avocat tribunal plainte polic arnaque voleu faute coupab empoison bless malad mort guéri débile merde connard salop
    dinero reembols descuento abogado juez denuncia policía estafa ladr culpa veneno herid enferm muert cura idiota tont mierda puta
    soldi rimbors sconto avvocat tribunale denuncia polizia truffa ladro ladri colpa velen ferit malat mort cura stupid merda puttan
    korting terugbet advocaat rechter politie aangifte oplicht dief schuld vergift gewond ziek dood genees stom klootzak hoer
    dinheiro desconto advogad tribunal queixa políci burla ladrã culpa doente morto parvo estúpid
    pieniąd zwrot rabat zniżk prawnik adwokat policj sąd oszust złodziej wina zatru chor śmier głupi kurw
    pengar återbet rabatt advokat domstol polis anmäl bedräg tjuv skuld förgift skad sjuk död dum jävla
    para iade indirim bedava ücretsiz avukat mahkeme polis dolandır hırsız suç zehir hasta ölüm aptal salak`
    .split(/\s+/)
    .filter((stem) => stem !== '')

const short = new Set(stems.filter(({ length }) => length <= 4))
const long = stems.filter(({ length }) => length > 4)

/** Whether a reply must not repeat this word, in any language. */
export const harmfulWord = (word: string): boolean =>
  short.has(word) ||
  long.some((stem) => word.startsWith(stem)) ||
  languages.some(
    (one) =>
      one.weight(word) < 0 || one.isNot(word) || one.emotions.some(([, holdsEmotion]) => holdsEmotion(word)),
  )
