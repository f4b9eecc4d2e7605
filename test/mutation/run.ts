import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { areas } from './areas'
import { mapArea, runArea } from './run-area'

/**
 * `bun test/mutation/run.ts --area query,auth --sample 100 --seed 7` changes the product in 100 places of each area, one at a
 * time, and reports which changes no test notices. `--file` keeps mutants of files with this word in their path, `--line`
 * those of one line. `--fresh` forgets what earlier runs found. `--map` only measures which tests reach which lines.
 */
const root = join(import.meta.dir, '..', '..')
const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string' },
    line: { type: 'string' },
    tests: { type: 'string', default: '30' },
    budget: { type: 'string', default: '60' },
    fresh: { type: 'boolean', default: false },
    map: { type: 'boolean', default: false },
  },
})
const wanted = values.area?.split(',') ?? areas.map(({ name }) => name)
const unknown = wanted.filter((name) => !areas.some((area) => area.name === name))
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(', ')}. Areas: ${areas.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
let isGood = true
for (const area of areas.filter(({ name }) => wanted.includes(name))) {
  const asked = {
    root,
    sample: Number(values.sample),
    seed: Number(values.seed),
    word: values.file,
    line: values.line === undefined ? undefined : Number(values.line),
    mostTests: Number(values.tests),
    budget: Number(values.budget) * 1_000,
    isFresh: values.fresh,
    say: (line: string) => console.log(line),
  }
  if (values.map) await mapArea(area, asked)
  else isGood = (await runArea(area, asked)).isGood && isGood
}
process.exit(isGood ? 0 : 1)
