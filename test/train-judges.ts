import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trainSensitive } from './support/judges/train-sensitive'

// Writes the weights of the trained judges. A test compares them with a new training.
const file = join(import.meta.dir, '../plugins/reviews/analysis/sensitive-weights.json')
writeFileSync(file, `${JSON.stringify(trainSensitive(), null, 2)}\n`)
