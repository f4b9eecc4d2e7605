import { join } from 'node:path'
import { measuredJudges } from './support/judges/judges'
import { judgeAll, judgesPage } from './support/judges/judges-page'
import { printedDocs } from './support/printed-docs'

const root = join(import.meta.dir, '..')
for (const [path, text] of printedDocs()) await Bun.write(join(root, path), text)
await Bun.write(join(root, 'docs/reference/judges.md'), judgesPage(await judgeAll(measuredJudges)))
