import { join } from 'node:path'
import { printedDocs } from './support/printed-docs'

for (const [path, text] of printedDocs()) await Bun.write(join(import.meta.dir, '..', path), text)
