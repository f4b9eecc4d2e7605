import { defineList, definePage } from 'renown/pages'
import { VisibilityRun } from '../records/VisibilityRun'
import { answerFilters, checkAnswerFilters } from './answer-filters'
import { stateOf } from './answer-words'
import { aroundAnswers, listAnswers } from './list-answers'
import { type AnswerData, loadAnswer } from './load-answer'
import { type AnswersOwn, loadAnswers } from './load-answers'
import { type DefinitionsData, loadDefinitions } from './load-definitions'
import { visibilityStyle } from './visibility-style'

/** The answers behind a figure. */
export const answersPage = definePage<AnswersOwn>({
  path: '/app/visibility/answers',
  title: 'Answers',
  module: new URL('./AnswersPage.tsx', import.meta.url),
  list: defineList({
    rows: 'answers',
    perPage: 20,
    turns: ['Newest answers', 'Older answers'],
    filters: answerFilters,
    check: checkAnswerFilters,
    source: listAnswers,
    more: aroundAnswers,
    line: (run, { lineOf }) => lineOf(run),
    columns: (_, { labelOf, promptOf }) => [
      { name: 'id', value: ({ id }) => id },
      { name: 'asked_at', type: 'instant', value: ({ started_at }) => started_at },
      { name: 'engine', value: ({ engine }) => labelOf(engine) },
      { name: 'model', value: ({ model }) => model ?? null },
      { name: 'country', value: ({ country }) => country },
      { name: 'prompt', value: (run) => promptOf(run) ?? '' },
      { name: 'state', value: (run) => stateOf(run).word },
      { name: 'named', value: ({ brand_mentioned }) => brand_mentioned ?? null },
      { name: 'position', type: 'number', value: ({ brand_position }) => brand_position ?? null },
      { name: 'answer', value: ({ answer_text }) => answer_text ?? null },
      { name: 'error', value: ({ error }) => error ?? null },
    ],
    detail: ({ id }) => `/app/visibility/answers/one?run=${encodeURIComponent(id)}`,
    empty: () => 'No run fits these filters.',
  }),
  load: loadAnswers,
  style: visibilityStyle,
})

/** One answer in full. */
export const answerPage = definePage<typeof VisibilityRun, AnswerData>({
  path: '/app/visibility/answers/one',
  title: 'Answer',
  module: new URL('./AnswerPage.tsx', import.meta.url),
  isStatic: true,
  record: { entity: VisibilityRun, param: 'run' },
  load: loadAnswer,
  style: visibilityStyle,
})

/** The same answers by all definitions. */
export const definitionsPage = definePage<DefinitionsData>({
  path: '/app/visibility/definitions',
  title: 'Definitions',
  module: new URL('./DefinitionsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadDefinitions,
  style: visibilityStyle,
})
