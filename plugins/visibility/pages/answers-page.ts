import { definePage } from 'renown/pages'
import { VisibilityRun } from '../records/VisibilityRun'
import { downloadAnswers } from './download-answers'
import { type AnswerData, loadAnswer } from './load-answer'
import { type AnswersData, loadAnswers } from './load-answers'
import { type DefinitionsData, loadDefinitions } from './load-definitions'
import { visibilityStyle } from './visibility-style'

/** The answers behind a figure. */
export const answersPage = definePage<AnswersData>({
  path: '/app/visibility/answers',
  title: 'Answers',
  module: new URL('./AnswersPage.tsx', import.meta.url),
  isStatic: true,
  load: loadAnswers,
  download: downloadAnswers,
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
