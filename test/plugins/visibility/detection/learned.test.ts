import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createAnswerJudge } from '../../../../plugins/visibility/detection/judge-answer'
import { answerExamples, learnAnswers, learnedFile } from '../../../support/judges/answer-training'
import { testWith } from '../../../support/needs'
import { cases } from '../examples/answers-of-assistants.json'

testWith('a long run')('what was learned is what the examples teach', () => {
  expect(JSON.parse(readFileSync(learnedFile, 'utf8'))).toEqual(learnAnswers(answerExamples()))
})

const letters: Readonly<Record<string, string>> = {
  recommended: 'r',
  listed: 'l',
  compared: 'c',
  discouraged: 'd',
  unknown_to_engine: 'u',
  other_entity: '-',
}

test('short answers that others labelled are judged as they say', () => {
  const measured = cases.filter(({ lang }) => !['pt', 'ja', 'zh', 'ko'].includes(lang))
  const right = measured.filter(({ names, case_sensitive, competitors, text, stance }) => {
    const judge = createAnswerJudge({
      brand: { names, isCaseSensitive: case_sensitive === true },
      competitors,
    })
    const { brand, brand_not_meant } = judge(text)
    const said = letters[(brand ?? brand_not_meant)?.stance ?? ''] ?? '-'
    return said === stance || (said === '-' && stance === 'o')
  })
  expect(right.length).toBeGreaterThanOrEqual(60)
  expect(measured.length).toBe(67)
})

test('an answer in a language that is not measured is not judged', () => {
  const judge = createAnswerJudge({ brand: { names: ['Acme'] }, competitors: [] })
  for (const text of [
    '私はAcmeをおすすめします。',
    'Jag rekommenderar Acme för det här.',
    '我推荐别的公司。',
  ]) {
    expect(judge(text)).toMatchObject({ is_judged: false, brand: null })
  }
})
