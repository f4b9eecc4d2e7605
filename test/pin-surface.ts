import { join } from 'node:path'
import { readSurface, surfaceLines, surfaceText } from './support/golden-surface'
import { shippedRegistry } from './support/shipped'
import { shrinkage } from './support/surface-shrinkage'

const path = join(import.meta.dir, 'surface.txt')
const before = readSurface(await Bun.file(path).text())
const after = surfaceLines(shippedRegistry())
const lost = shrinkage(before, after, new Date().toISOString().slice(0, 10))
if (lost.length > 0) {
  console.error(`Callers may rely on what would go:\n  ${lost.join('\n  ')}`)
  console.error(
    'Declare it `deprecated` and keep it until its sunset. What was never released may go: delete its',
  )
  console.error('lines in test/surface.txt by hand, then run this again.')
  process.exit(1)
}
await Bun.write(path, surfaceText(after))
