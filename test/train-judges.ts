import { join } from 'node:path'
import { answerExamples, learnAnswers, learnedFile, printedLearned } from './support/judges/answer-training'
import { trainSensitive } from './support/judges/train-sensitive'
import { intentTraining, relevanceTraining, train } from './support/judges/training'

/** `bun run train` learns the weights of the judges again and writes them. The same texts give the same files. */
const plugins = join(import.meta.dir, '../plugins')
for (const training of [relevanceTraining, intentTraining]) {
  const path = join(plugins, 'leads/judging/weights', training.file)
  await Bun.write(path, train(training))
  console.log(path)
}
const sensitive = join(plugins, 'reviews/analysis/sensitive-weights.json')
await Bun.write(sensitive, `${JSON.stringify(trainSensitive(), null, 2)}\n`)
console.log(sensitive)
await Bun.write(learnedFile, printedLearned(learnAnswers(answerExamples())))
console.log(learnedFile)
