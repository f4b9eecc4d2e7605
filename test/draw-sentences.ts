import { join } from 'node:path'
import { randomSource } from './support/random-documents'
import { type SentenceKind, sentenceKinds, sentencesIn } from './support/sentences'

/**
 * Draws sentences that people read, for somebody to mark those that need a second reading:
 * `bun test/draw-sentences.ts [docs|docstrings|pages|errors] [count] [seed]`. The same seed draws the same sentences.
 */
const [kind = 'docs', count = '100', seed = '1'] = process.argv.slice(2)
if (!sentenceKinds.some((one) => one === kind)) {
  console.error(`${kind} is not a kind. Kinds: ${sentenceKinds.join(', ')}`)
  process.exit(2)
}
const root = join(import.meta.dir, '..')
const places = ['*.md', 'docs/**/*.md', '{core,ingest,plugins,examples}/**/*.{ts,tsx,md}']
const paths = places
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  .filter((path) => !/node_modules|\.test\.|\/(?:speech|analysis\/sensitive)\//.test(path))
  .sort()
const all = sentencesIn(root, paths)[kind as SentenceKind]
const random = randomSource(Number(seed))
const drawn = new Set<number>()
while (drawn.size < Math.min(Number(count), all.length)) drawn.add(random.below(all.length))
console.log(`${drawn.size} of ${all.length} sentences of the kind ${kind}, seed ${seed}`)
for (const at of drawn) console.log(`${all[at]?.place}  ${all[at]?.text}`)
