import { join } from 'node:path'
import { schemaPin } from './support/schema-pin'
import { surfacePin } from './support/surface-pin'
import { type Pinned, shrinkage } from './support/surface-shrinkage'

const path = join(import.meta.dir, 'surface.json')
const before = (await Bun.file(path).json()) as Pinned
const after = surfacePin()
const lost = shrinkage(before, after, new Date().toISOString().slice(0, 10))
if (lost.length > 0) {
  console.error(`Callers may rely on what would go:\n  ${lost.join('\n  ')}`)
  console.error(
    'Declare it `deprecated` and keep it until its sunset. What was never released may go: delete its',
  )
  console.error('lines in test/surface.json by hand, then run this again.')
  process.exit(1)
}
await Bun.write(path, `${JSON.stringify(after, null, 2)}\n`)
await Bun.write(join(import.meta.dir, 'schema-bounds.json'), `${JSON.stringify(schemaPin(), null, 2)}\n`)
