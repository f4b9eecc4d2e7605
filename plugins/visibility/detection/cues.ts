/** How an answer speaks of a brand. The last two do not count as mentions. */
export const stances = [
  'recommended',
  'listed',
  'compared',
  'discouraged',
  'unknown_to_engine',
  'other_entity',
] as const
export type Stance = (typeof stances)[number]

/** Whether a stance counts as a mention. An engine that does not know a brand does not recommend it. */
export const isMention = (stance: Stance): boolean =>
  stance !== 'unknown_to_engine' && stance !== 'other_entity'

/** A pattern that shows what a clause says about the brand. Matched against folded text. */
export interface Cue {
  readonly stance: Stance
  readonly pattern: RegExp
}

const any = (...parts: readonly string[]) => new RegExp(parts.map((part) => `(?:${part})`).join('|'))
/** Matches whole words only. */
const words = (...parts: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'u')

const notFound = words(
  // English
  "(?:do not|don't|does not|doesn't|did not|didn't) have (?:any |enough |specific |reliable |current |detailed |verified )*(?:information|details|data|knowledge|reviews|record)",
  "(?:could not|couldn't|cannot|can't|can not|did not|didn't|was not able to|wasn't able to|unable to|am unable to|not able to) (?:find|locate|verify|confirm|identify)",
  'no (?:specific |reliable |public |relevant |verified |current )*(?:information|results|record|records|mention|data|reviews|details) (?:about|for|of|on|available|found)',
  "(?:i am|i'm|am) not (?:familiar with|aware of)",
  "(?:does not|doesn't|did not|didn't) (?:appear|show up|come up|seem to exist)",
  'not (?:listed|mentioned|found) (?:in|among|on)',
  'unfamiliar with',
  // German
  '(?:habe|habe ich|liegen mir|liegen) (?:leider )?(?:keine|keinerlei) (?:\\p{L}+ )?(?:informationen|angaben|daten|bewertungen)',
  'keine (?:\\p{L}+ )?(?:informationen|angaben|daten|treffer|bewertungen|ergebnisse) (?:zu|uber|fur|gefunden)',
  '(?:konnte|kann) (?:ich )?(?:leider )?(?:\\p{L}+ ){0,6}nicht (?:finden|verifizieren|bestatigen|ermitteln)',
  'ist mir nicht bekannt',
  // French
  "(?:je n'ai|n'ai) (?:pas|aucune) (?:d'|de |trouve )?(?:information|informations|donnee|donnees|avis)",
  'aucune? (?:information|resultat|avis|donnee)s? (?:sur|concernant|pour|trouvee?)',
  "(?:je ne connais pas|je n'ai pas (?:pu )?trouve)r?",
  // Spanish
  'no (?:tengo|dispongo de|encontre|encuentro|he encontrado|pude encontrar|puedo encontrar|hay) (?:\\p{L}+ )?(?:informacion|datos|resultados|resenas)',
  'no (?:encontre|encuentro|he encontrado|pude encontrar|puedo encontrar|conozco)',
  // Italian
  'non (?:ho|dispongo di|ho trovato|sono riuscito a trovare|trovo|ci sono) (?:\\p{L}+ )?(?:informazioni|dati|risultati|recensioni)',
  'non (?:ho trovato|sono riuscito a trovare|conosco)',
  // Portuguese
  'nao (?:tenho|encontrei|ha|disponho de|consegui encontrar) (?:\\p{L}+ )?(?:informacoes|informacao|dados|resultados|avaliacoes)',
  'nao (?:encontrei|consegui encontrar|conheco)',
  // Dutch
  '(?:heb|vind|kon|kan) (?:ik )?(?:\\p{L}+ ){0,3}geen (?:\\p{L}+ )?(?:informatie|gegevens|resultaten|beoordelingen)',
  'geen (?:informatie|resultaten|gegevens) (?:over|van|gevonden)',
  '(?:kon|kan) (?:ik )?(?:\\p{L}+ ){0,5}niet vinden',
)

const notFoundUnspaced = any(
  '(?:情報|データ|口コミ)(?:は|が|を)?(?:見つかりません|ありません|見つけられません|持っていません|確認できません)',
  '(?:について|に関する).{0,12}(?:存じません|知りません|わかりません)',
  '(?:没有|沒有|未能|无法|無法|未)(?:找到|查到|获取|獲取)?.{0,12}(?:信息|資訊|资料|資料|结果|結果|评价|評價)',
  '(?:没有|沒有|未能|无法|無法)(?:找到|查到)',
  '정보(?:를|가)? ?(?:찾을 수 없|없|찾지 못)',
  '(?:찾을 수 없|찾지 못했|알지 못)',
)

const otherEntity = words(
  'not to be confused with',
  '(?:a |an )?(?:different|unrelated|separate) (?:company|business|firm|brand|organization|organisation|entity)(?: with (?:a|the) (?:similar|same) name| of the same name| called| named)?',
  '(?:unrelated|no relation|not related|not affiliated) (?:to|with)',
  'nicht zu verwechseln mit',
  '(?:ein anderes|anderes) unternehmen (?:gleichen|mit gleichem|mit ahnlichem) namens?',
  'a ne pas confondre avec',
  '(?:no confundir|no debe confundirse) con',
  'da non confondere con',
  'nao confundir com',
  'niet te verwarren met',
)
const otherEntityUnspaced = any(
  'と混同しないで',
  'とは(?:別|異なる)(?:の)?会社',
  '(?:请勿|請勿|不要)与.{0,20}混淆',
  '와 혼동하지',
)

const discouraged = words(
  "(?:would not|wouldn't|do not|don't|cannot|can't|not) (?:\\p{L}+ )?(?:recommend|advise|suggest)",
  'not (?:a )?(?:recommended|good (?:choice|option|fit))',
  '(?:avoid|avoiding|steer clear of|stay away from|beware of|be cautious (?:of|with))',
  '(?:scam|fraudulent|rip-?off|unlicensed)',
  '(?:nicht (?:zu )?empfehlen|nicht empfehlenswert|(?:abraten|rate ich ab|wird abgeraten)|meiden|finger weg)',
  '(?:deconseille|deconseillons|a eviter|evitez|ne recommande pas|ne recommanderais pas)',
  '(?:no recomiendo|no recomendaria|no es recomendable|evite|evitar|eviten)',
  '(?:sconsiglio|sconsigliato|non consiglio|da evitare|evitate)',
  '(?:nao recomendo|nao recomendaria|evite|evitar)',
  '(?:raad (?:\\p{L}+ )?af|afgeraden|niet aan te raden|vermijd|vermijden)',
)
const discouragedUnspaced = any(
  'おすすめ(?:できません|しません)',
  '避け(?:た|る|て)',
  '(?:不推荐|不推薦|不建议|不建議|避免)',
  '(?:추천하지 않|피하)',
)

const recommended = words(
  '(?:recommend|recommends|recommended|recommending|suggest|suggests)',
  '(?:best|top|great|excellent|solid|strong|good|leading|standout) (?:\\p{L}+ )?(?:choice|option|pick|bet|fit|rated|match)',
  '(?:top-?rated|highly[ -]rated|highest[ -]rated|best[ -]rated|well[ -]reviewed|highly regarded|well regarded)',
  '(?:stands out|stand out|is the best|are the best|my pick|our pick|top pick|first choice|go-to)',
  '(?:empfehle|empfehlen|empfiehlt|empfohlen|empfehlenswert|beste wahl|gute wahl|erste wahl|top-?bewertet|bestens bewertet|sehr gut bewertet)',
  '(?:recommande|recommandons|recommandee?|meilleure? (?:\\p{L}+ )?(?:choix|option)|excellente? (?:choix|option)|mieux notee?)',
  '(?:recomiendo|recomendamos|recomendad[oa]s?|recomendable|mejor opcion|excelente opcion|buena opcion|mejor valorad[oa]s?)',
  '(?:consiglio|consigliamo|consigliat[oa]|raccomando|raccomandat[oa]|scelta migliore|ottima scelta|miglior scelta)',
  '(?:recomendo|recomendamos|recomendad[oa]|melhor opcao|otima opcao|excelente opcao)',
  '(?:raad (?:\\p{L}+ )?aan|aanbevolen|aanrader|aan te raden|beste keuze|goede keuze|best beoordeelde?)',
)
const recommendedUnspaced = any(
  'おすすめ',
  'オススメ',
  'お勧め',
  '最適',
  '(?:推荐|推薦|首选|首選|最佳选择|最佳選擇)',
  '(?:추천|최고의 선택)',
)

const compared = words(
  '(?:unlike|compared (?:to|with)|in comparison (?:to|with)|versus|vs\\.?|alternatives? to|rather than|instead of|(?:better|cheaper|more expensive|faster|slower|worse|larger|smaller) than)',
  '(?:im vergleich (?:zu|mit)|anders als|im gegensatz zu|alternativen? zu|gegenuber)',
  '(?:contrairement a|par rapport a|compare a|alternatives? a)',
  '(?:a diferencia de|en comparacion con|comparado con|alternativas? a)',
  '(?:a differenza di|rispetto a|in confronto a|alternative? a)',
  '(?:ao contrario d[aeo]|em comparacao com|alternativas? a)',
  '(?:in tegenstelling tot|vergeleken met|alternatie(?:f|ven) voor)',
)
const comparedUnspaced = any(
  '(?:に|と)比べ',
  '(?:とは|と)違',
  '相比',
  '不同于',
  '(?:에 비해|보다|와 달리|과 달리)',
)

/** All cues. The first match decides, because "would not recommend" contains "recommend". */
export const cues: readonly Cue[] = [
  { stance: 'other_entity', pattern: otherEntity },
  { stance: 'other_entity', pattern: otherEntityUnspaced },
  { stance: 'unknown_to_engine', pattern: notFound },
  { stance: 'unknown_to_engine', pattern: notFoundUnspaced },
  { stance: 'discouraged', pattern: discouraged },
  { stance: 'discouraged', pattern: discouragedUnspaced },
  { stance: 'compared', pattern: compared },
  { stance: 'compared', pattern: comparedUnspaced },
  { stance: 'recommended', pattern: recommended },
  { stance: 'recommended', pattern: recommendedUnspaced },
]
