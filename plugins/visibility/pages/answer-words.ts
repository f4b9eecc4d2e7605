import type { Row } from 'renown'
import type { VisibilityRun } from '../records/VisibilityRun'

type Run = Row<typeof VisibilityRun>

/** What an answer says about the brand, as a word and a tone. */
export interface AnswerState {
  readonly word: string
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
}

const stances: Readonly<Record<NonNullable<Run['stance']>, AnswerState>> = {
  recommended: { word: 'Recommended', tone: 'good' },
  listed: { word: 'Listed', tone: 'good' },
  compared: { word: 'Compared', tone: 'plain' },
  discouraged: { word: 'Advised against', tone: 'bad' },
  unknown_to_engine: { word: 'Unknown to the assistant', tone: 'plain' },
  other_entity: { word: 'Another business meant', tone: 'plain' },
  not_judged: { word: 'Not judged', tone: 'plain' },
}

const ends: Readonly<Record<Exclude<Run['status'], 'ok'>, AnswerState>> = {
  not_judged: { word: 'Not judged', tone: 'plain' },
  no_answer: { word: 'No answer', tone: 'plain' },
  error: { word: 'Failed', tone: 'bad' },
  refused: { word: 'Refused', tone: 'warn' },
}

/** Returns the words for how a run ended, or for what its answer says about the brand. */
export function stateOf({
  status,
  stance,
  brand_mentioned,
}: Pick<Run, 'status' | 'stance' | 'brand_mentioned'>): AnswerState {
  if (status !== 'ok') return ends[status]
  if (stance !== undefined) return stances[stance]
  return brand_mentioned ? { word: 'Named', tone: 'good' } : { word: 'Not named', tone: 'plain' }
}

/** The place of the brand among those named, in words. Null without a place. */
export function positionWords({
  brand_position,
  position_basis,
}: Pick<Run, 'brand_position' | 'position_basis'>): string | null {
  if (brand_position === undefined) return null
  const basis =
    position_basis === undefined
      ? ''
      : { list: ', counted in lists and headings', text: ', counted in the text' }[position_basis]
  return `Place ${brand_position}${basis}`
}

/** How the engine was reached, in words. */
export const accessWords: Readonly<Record<Run['access'], string>> = {
  api: 'Asked over its API',
  scraped: 'Read like a consumer, through a provider',
  recorded: 'A recorded answer: nobody was asked',
}

/** How exactly the engine took the country, in words. */
export const countryPinWords: Readonly<Record<NonNullable<Run['place_pinned']>, string>> = {
  country: 'asked for this country',
  language: 'asked in the language of the question only',
  none: 'the assistant takes no country',
}
