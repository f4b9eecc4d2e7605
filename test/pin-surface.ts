import { join } from 'node:path'
import { surfacePin } from './support/surface-pin'

await Bun.write(join(import.meta.dir, 'surface.json'), `${JSON.stringify(surfacePin(), null, 2)}\n`)
