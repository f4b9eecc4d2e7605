import { isServiceFault, throwIfStoreAway } from 'renown'
import type { Model } from 'renown/sources'
import * as v from 'valibot'
import { fold } from '../keywords/fold'
import { intentLexicon } from './intent-lexicon'
import type { JudgedLocation, JudgedMention, JudgedTracker, ModelUse } from './judgement'
import { createLexicon, type LexiconRule } from './lexicon'

/** Texts that speak to a language model. Such a post is judged by the rules alone. */
export const injectionLexicon: readonly LexiconRule[] = [
  {
    kind: 'injection',
    points: 0,
    says: 'Speaks to a language model',
    keywords: [
      '(ignore OR disregard OR forget OR override OR bypass) NEAR/5 (instructions OR instruction OR prompt OR prompts OR rules OR above OR previous OR guidelines)',
      '"system prompt" OR "new instructions" OR "you are now" OR "as an ai" OR "language model" OR "developer mode" OR "jailbreak" OR "end of data" OR "untrusted data" OR "assistant:" OR "system:" OR "### instruction" OR "[inst]" OR "<|im_start|>"',
      '(classify OR mark OR label OR rate OR score OR flag OR treat OR tag) NEAR/6 (lead OR relevant OR irrelevant OR relevance OR intent OR "100" OR positive)',
      'intent_score OR relevance_score OR asks_recommendation OR wants_to_buy OR "json" NEAR/6 (answer OR output OR respond OR reply OR return)',
      '(ignoriere OR vergiss OR missachte) NEAR/6 (anweisungen OR anweisung OR regeln OR vorherigen OR obigen)',
      '(ignorez OR ignore OR oubliez OR oublie) NEAR/6 (instructions OR consignes OR règles OR précédentes)',
      '(ignora OR ignore OR olvida OR ignorar OR esqueça) NEAR/6 (instrucciones OR instruções OR reglas OR regras OR anteriores OR istruzioni OR precedenti)',
      '(negeer OR vergeet) NEAR/6 (instructies OR regels OR vorige OR voorgaande)',
      '(игнорируй OR игнорируйте OR забудь) NEAR/6 (инструкции OR указания OR правила OR предыдущие)',
      '"以前の指示" OR "指示を無視" OR "忽略之前" OR "忽略以上" OR "忽略所有" OR "系统提示" OR "이전 지시" OR "지시를 무시" OR "تجاهل التعليمات" OR "önceki talimatları" OR "zignoruj poprzednie"',
      '"note to ai" OR "note to the ai" OR "attention ai" OR "ai assistant" OR "ai model" OR "to the model" OR "dear ai" OR "hey ai" OR llm OR chatgpt NEAR/4 (please OR must OR should) OR "ki modell" OR "an die ki" OR "modèle d\'ia" OR "modelo de ia"',
    ],
  },
]
const findInjection = createLexicon(injectionLexicon)

/** Whether a post speaks to a language model. */
export const isInjection = (post: Pick<JudgedMention, 'title' | 'body'>): boolean =>
  findInjection(post).length > 0

const kinds = intentLexicon.map(({ kind }) => kind)
const quote = v.pipe(v.string(), v.maxLength(300))
const answerSchema = v.strictObject({
  relevance: v.nullable(v.picklist(['relevant', 'irrelevant'])),
  relevance_quote: v.nullable(quote),
  sentiment: v.nullable(v.picklist(['positive', 'neutral', 'negative', 'mixed'])),
  sentiment_quote: v.nullable(quote),
  intents: v.pipe(v.array(v.strictObject({ kind: v.picklist(kinds), quote })), v.maxLength(8)),
})

/** A model's answer, without the parts whose quotes are not in the text. */
export interface ModelSays {
  readonly relevance: { readonly value: 'relevant' | 'irrelevant'; readonly quote: string } | null
  readonly sentiment: {
    readonly value: 'positive' | 'neutral' | 'negative' | 'mixed'
    readonly quote: string
  } | null
  readonly intents: readonly { readonly kind: string; readonly quote: string }[]
}

/** A model's answer, or why there is none. */
export interface ModelAnswer {
  readonly use: ModelUse
  readonly says: ModelSays | null
}

const notesMax = 2_000
const bodyMax = 2_000

/** Asks the model about a mention. A fault of the model is returned, never replaced by an answer. */
export async function askModel(
  model: Model,
  mention: JudgedMention,
  tracker: JudgedTracker,
  location: JudgedLocation,
): Promise<ModelAnswer> {
  if (!model.isConfigured) return { use: { state: 'not_configured' }, says: null }
  if (isInjection(mention)) return { use: { state: 'distrusted' }, says: null }
  try {
    const answer = await model.ask({
      name: 'mention_analysis',
      workspace_id: mention.workspace_id,
      isBackground: true,
      instructions: instructionsFor(tracker, location),
      data: {
        post: {
          title: mention.title ?? null,
          body: mention.body.slice(0, bodyMax),
          url: mention.url,
          source: mention.source,
        },
      },
      answer: answerSchema,
    })
    return { use: { state: 'used' }, says: grounded(answer, mention) }
  } catch (error) {
    throwIfStoreAway(error)
    if (!isServiceFault(error)) throw error
    return { use: { state: 'failed', kind: error.kind, message: error.message }, says: null }
  }
}

/** Returns the analysis prompt. The owner's notes and instruction are part of it, the post is not. */
export function instructionsFor(tracker: JudgedTracker, location: JudgedLocation): string {
  const { business_name, business_category, city, manual_notes, is_online_only } = location
  const place = is_online_only
    ? 'It sells online, everywhere: the place of the author does not matter.'
    : city
      ? `It is in ${city}.`
      : ''
  return [
    'Judge a public post for a business. Every statement needs a quote of the post, copied word for word, of at least two words.',
    'relevance: whether the post is about this business or about a need that it serves. sentiment: towards this business, only if the post names it.',
    `intents: what the author wants, each with its quote. Kinds: ${kinds.join(', ')}. Use null and empty lists where the post does not say.`,
    `The business: ${business_name}${business_category ? `, ${business_category}` : ''}. ${place}`,
    `Its keywords: ${tracker.keywords.join('; ').slice(0, notesMax)}.`,
    ...(tracker.lead_intent_prompt
      ? [`What counts as a lead, by the owner: ${clipped(tracker.lead_intent_prompt)}`]
      : []),
    ...(manual_notes ? [`Notes of the owner: ${clipped(manual_notes)}`] : []),
  ].join('\n')
}

const clipped = (text: string) => text.slice(0, notesMax).toWellFormed()

function grounded(answer: v.InferOutput<typeof answerSchema>, mention: JudgedMention): ModelSays {
  const isQuoted = createQuoteCheck(`${mention.title ?? ''}\n${mention.body}`)
  const part = <T>(value: T | null, said: string | null) =>
    value !== null && said !== null && isQuoted(said) ? { value, quote: said } : null
  return {
    relevance: part(answer.relevance, answer.relevance_quote),
    sentiment: part(answer.sentiment, answer.sentiment_quote),
    intents: answer.intents.filter((intent) => isQuoted(intent.quote)),
  }
}

const quoteLengthMin = 6

/** Returns a check whether a quote occurs in a text, with at least two words. Case, accents and spaces may differ. */
export function createQuoteCheck(text: string): (quote: string) => boolean {
  const plain = (one: string) => {
    const { codes, length } = fold(one)
    return new TextDecoder('utf-16le').decode(codes.subarray(0, length)).trim()
  }
  const whole = plain(text)
  return (quoted) => {
    const part = plain(quoted.replace(/^["“”'«»\s]{1,10}|["“”'«»\s]{1,10}$/g, ''))
    const isLong = part.length >= quoteLengthMin && (part.includes(' ') || /[^\p{ASCII}]/u.test(part))
    return isLong && whole.includes(part)
  }
}
