import { join } from 'node:path'
import { intentTraining, relevanceTraining, train } from './support/judges/training'

/** `bun run train` learns the weights of the judges of posts anew and writes them. The same texts give the same files. */
for (const training of [relevanceTraining, intentTraining]) {
  const path = join(import.meta.dir, '../plugins/leads/judging/weights', training.file)
  await Bun.write(path, train(training))
  console.log(path)
}
