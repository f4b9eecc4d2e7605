import { clauseAround } from './clauses'
import type { Occurrence } from './find-names'
import { fold } from './fold'
import { judgedMax } from './stance'

/** The sentiment of an answer towards an entity, with the clause that shows it. */
export interface Sentiment {
  /**
   * From -1 to 1: positive minus negative words, divided by all of them, in the clauses that name the entity.
   */
  readonly score: number
  readonly clause: string
}

const good =
  /(?<![\p{L}])(?:excellent|great|outstanding|reliable|trusted|friendly|professional|affordable|fast|quick|prompt|experienced|quality|popular|praised|loved|helpful|fair|transparent|ausgezeichnet|hervorragend|zuverlassig|freundlich|professionell|gunstig|schnell|erfahren|beliebt|gelobt|transparente?n?|excellente?|fiable|sympathique|professionnel(?:le)?|rapide|abordable|apprecie|confiable|amable|profesional|rapid[oa]|asequible|popolare|affidabile|cordiale|professionale|veloce|economic[oa]|confiavel|simpatic[oa]|profissional|acessivel|betrouwbaar|vriendelijk|professioneel|snel|betaalbaar|populair)(?![\p{L}])/gu
const bad =
  /(?<![\p{L}])(?:poor|bad|terrible|awful|slow|expensive|overpriced|unreliable|rude|unprofessional|complaints?|criticism|criticized|criticised|problems?|delays?|late|hidden|schlecht|langsam|teuer|uberteuert|unzuverlassig|unfreundlich|beschwerden|kritik|probleme|verspatet|mauvaise?|lent|lente|cher|chere|impoli|plaintes|critiques|problemes|retards?|mal[oa]|caro|cara|grosero|quejas|criticas|problemas|retrasos?|scortese|inaffidabile|lament[ei]le?|ritardi|ruim|reclamacoes|atrasos?|slecht|langzaam|duur|onbetrouwbaar|onvriendelijk|klachten|kritiek|problemen|vertraging(?:en)?)(?![\p{L}])/gu
const goodUnspaced =
  /優れ|信頼|親切|人気|高評価|丁寧|可靠|优秀|優秀|专业|專業|友好|好评|好評|친절|신뢰|우수|인기|전문적/g
const badUnspaced =
  /悪い|遅い|高い|不満|苦情|低評価|差评|差評|投诉|投訴|缓慢|昂贵|昂貴|불친절|느리|비싸|불만/g
const negation =
  /(?<![\p{L}])(?:not|no|never|without|isn't|aren't|wasn't|hardly|nicht|kein|keine|ohne|nie|pas|sans|jamais|no|sin|nunca|non|senza|mai|nao|sem|niet|geen|zonder|nooit)(?:\s+\p{L}+){0,2}\s+$/u

/**
 * Returns the sentiment of an answer towards an entity. Null if no clause that names it has a positive or
 * negative word.
 */
export function sentimentOf(
  answer: string,
  entity: string,
  occurrences: readonly Occurrence[],
): Sentiment | null {
  const clauses = new Set(
    occurrences
      .filter((one) => one.entity === entity)
      .slice(0, judgedMax)
      .map((one) => clauseAround(answer, one, occurrences).clause),
  )
  const told = [...clauses]
    .map((clause) => ({ clause, ...countIn(fold(clause).text) }))
    .filter(({ kind, unkind }) => kind + unkind > 0)
  const kind = told.reduce((sum, one) => sum + one.kind, 0)
  const unkind = told.reduce((sum, one) => sum + one.unkind, 0)
  const [shown] = told.toSorted((a, b) => b.kind + b.unkind - a.kind - a.unkind)
  if (!shown) return null
  return { score: Math.round(((kind - unkind) / (kind + unkind)) * 100) / 100, clause: shown.clause }
}

function countIn(text: string): { kind: number; unkind: number } {
  let kind = 0
  let unkind = 0
  const add = (isKind: boolean, at: number) => {
    if (isKind !== negation.test(text.slice(Math.max(0, at - 40), at))) kind++
    else unkind++
  }
  for (const pattern of [good, goodUnspaced]) for (const { index } of text.matchAll(pattern)) add(true, index)
  for (const pattern of [bad, badUnspaced]) for (const { index } of text.matchAll(pattern)) add(false, index)
  return { kind, unkind }
}
