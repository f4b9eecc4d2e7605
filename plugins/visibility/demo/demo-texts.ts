import writtenAnswers from './answers.json'
import writtenQuestions from './questions.json'

/** Four questions per language: the best business in the city, the one to choose, the price, and whether this business is good. */
export const questions: Readonly<Record<string, readonly string[]>> = writtenQuestions

/** Answers per language. `{}` is replaced by the named businesses. */
export const answers: Readonly<Record<string, string>> = writtenAnswers
