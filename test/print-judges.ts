import { crossedPage } from './support/judges/crossed-page'
import { measuredJudges } from './support/judges/judges'
import { corporaDate, judgeAll, judgeTables } from './support/judges/judges-page'

/**
 * `bun run judges [words…]` measures the judges of the product on the labelled texts of `corpora/`, on each half and on all. For
 * the judges of posts it also prints the figures for new businesses and after decisions of the owner. Words choose judges by their names.
 */
const chosen = process.argv.slice(2).map((word) => word.toLowerCase())
const judges = measuredJudges.filter(
  ({ name, corpus }) =>
    chosen.length === 0 || chosen.some((word) => `${name} ${corpus}`.toLowerCase().includes(word)),
)
const before = process.cpuUsage()
const judged = await judgeAll(judges)
const { user, system } = process.cpuUsage(before)
for (const half of ['build', 'report', 'all'] as const)
  console.log(`# Texts of ${corporaDate}, ${half}\n\n${judgeTables(judged, half)}`)
const texts = judged.reduce((sum, one) => sum + one.texts.length, 0)
console.log(`${texts} verdicts, ${((user + system) / 1_000 / texts).toFixed(2)} ms of CPU each`)
for (const page of crossedPage(judges.map(({ corpus }) => corpus))) console.log(await page())
