import type { FaultKind } from 'renown'
import type { MatchSpan } from '../keywords/matcher'

/** A mention as it is judged. */
export interface JudgedMention {
  readonly id: string
  readonly workspace_id: string
  readonly title?: string | undefined
  readonly body: string
  readonly url: string
  readonly author?: { readonly handle: string; readonly name?: string | undefined } | undefined
  readonly language?: string | undefined
  readonly source: string
}

/** A tracker as its mentions are judged. */
export interface JudgedTracker {
  readonly id: string
  readonly workspace_id: string
  readonly keywords: readonly string[]
  readonly required_keywords: readonly string[]
  readonly excluded_keywords: readonly string[]
  readonly lead_intent_prompt?: string | undefined
  /** Words that must not count, although they occur mostly in dismissed mentions. */
  readonly ignored_words?: readonly string[] | undefined
}

/** The business that a mention is about. */
export interface JudgedLocation {
  readonly business_name: string
  readonly business_category?: string | undefined
  readonly city?: string | undefined
  readonly website?: string | undefined
  readonly manual_notes?: string | undefined
  readonly is_online_only?: boolean | undefined
}

/** Why a score is what it is: a rule or a quote, and how much it adds. */
export interface Reason {
  /** The rule, such as `asks_recommendation`. */
  readonly kind: string
  readonly points: number
  /** The reason for people, as a sentence. */
  readonly sentence: string
  /** Where the reason is in the title or body. */
  readonly span?: MatchSpan
}

/** Whether a language model was asked, and why its answer does not count. */
export type ModelUse =
  | { readonly state: 'not_configured' | 'not_needed' | 'used' }
  /** The post speaks to a language model, so only the rules count. */
  | { readonly state: 'distrusted' }
  | { readonly state: 'failed'; readonly kind: FaultKind; readonly message: string }

/** The judgement of a mention. A part is null if nothing in the text supports it. */
export interface MentionJudgement {
  /** Null: not judged, because the judge is not measured in the language of the text. */
  readonly relevance: 'relevant' | 'maybe' | 'irrelevant' | null
  readonly relevance_score: number | null
  readonly relevance_reason: string
  readonly relevance_reasons: readonly Reason[]
  /** The version of the rules, such as `relevance.rules@1`. */
  readonly relevance_method: string
  readonly sentiment: 'positive' | 'neutral' | 'negative' | 'mixed' | null
  readonly sentiment_score: number | null
  readonly intent: {
    readonly score: number
    readonly reason: string
    readonly reasons: readonly Reason[]
    /** `intent.rules@1`, with the model if one of its quotes counted. */
    readonly method: string
  }
  readonly model: ModelUse
}

/** Returns reasons as one text, the strongest first. */
export const reasonText = (reasons: readonly Reason[]): string =>
  reasons
    .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .slice(0, 5)
    .map(({ sentence }) => sentence)
    .join(' ')

/** Limits a score to 0 to 100. */
export const clampScore = (score: number): number => Math.max(0, Math.min(100, Math.round(score)))
