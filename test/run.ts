import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { translated } from './support/jit-settings'
import { memoryFolder } from './support/memory-folder'
import { needs } from './support/needs-table'
import {
  chooseFiles,
  createCoverage,
  digestsOf,
  isNeverThere,
  provedBy,
  readProofs,
  writeProofs,
} from './support/proofs'
import { runFiles } from './support/run-files'
import {
  alone,
  guessedSeconds,
  isFast,
  keepSeconds,
  readSeconds,
  resourcesOf,
  testFiles,
} from './support/test-files'
import { closingLines } from './support/test-output'
import { secondsByFile, timesTable } from './support/times-table'

/**
 * Runs every test file: those that may share the machine side by side, then the others alone. A file that failed runs again, alone.
 * If it passes then, the end of the run lists it. `--fast` runs only what needs no browser, no program, no chDB and no MongoDB. `--list` prints what each file needs.
 * Long files are left out while nothing that they cover changed since they passed (`test/support/proofs.ts`); `--every` runs them too.
 * `--keep-seconds` keeps how long the files took in `test/seconds.json`. `--times` ends with a table of the files that took most. RENOWN_TEST_TIMES names a file that keeps what each file took.
 * Other words choose files by their names.
 * RENOWN_TEST_WORKERS says how many files run at a time. Ends with 1 if a test fails or a file does not run.
 */
const root = join(import.meta.dir, '..')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isFastRun = process.argv.includes('--fast')
const knownSeconds = readSeconds(root)

const wanted = testFiles(root)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !isFastRun || isFast(root, file, knownSeconds))
const coverage = createCoverage(root)
const isChoosing = words.length === 0 && !process.argv.includes('--every')
const { run: files, proved } = isChoosing
  ? chooseFiles(wanted, {
      proofs: readProofs(root),
      coverage,
      seed: commitOf(root),
      secondsOf: (file) => guessedSeconds(root, file, knownSeconds),
    })
  : { run: wanted, proved: [] }

if (process.argv.includes('--list')) {
  for (const file of files) {
    const reason = alone[file] ? [`alone (${alone[file]})`] : []
    console.log([file, ...resourcesOf(root, file), ...reason].join('\t'))
  }
  process.exit(0)
}
if (files.length === 0) {
  console.error(`no test file is called ${words.join(' or ')}`)
  process.exit(2)
}

const began = performance.now()
const before = digestsOf(files, coverage)
/**
 * Most tests run their code a few times, so compiling it well takes longer than it saves: a tenth of the whole. The products that tests
 * start are brief too. Files that run alone compare processor time, so they compile as the product does.
 */
const briefJit = { BUN_JSC_useFTLJIT: '0', BUN_JSC_thresholdForOptimizeAfterWarmUp: '2000' }
const folder = memoryFolder()
const keptTimes = process.env.RENOWN_TEST_TIMES
const timesFile = keptTimes ?? join(folder?.path ?? tmpdir(), `renown-test-times-${process.pid}`)
process.on('exit', () => {
  if (!keptTimes) rmSync(timesFile, { force: true })
  folder?.remove()
})
const env = {
  ...process.env,
  ...(folder ? { TMPDIR: folder.path } : {}),
  ...(isFastRun ? { RENOWN_TEST_MONGODB_URI: '' } : {}),
  RENOWN_TEST_TIMES: timesFile,
  ...translated,
}
const workers = Number(process.env.RENOWN_TEST_WORKERS ?? workersOf(isFastRun))
const { outcomes, again } = await runFiles({
  root,
  shared: files.filter((file) => !(file in alone)),
  alone: files.filter((file) => file in alone),
  options: [
    '--preload',
    './test/support/file-times.ts',
    `--parallel=${workers}`,
    '--no-isolate',
    '--parallel-delay=0',
    ...(await timings()),
  ],
  env,
  sharedEnv: briefJit,
  usesServer: (file) => resourcesOf(root, file).includes('MongoDB'),
  print: (piece, stream) => process[stream].write(piece),
})

writeProofs(
  root,
  provedBy(readProofs(root), outcomes, (test) => isNeverThere(test, needs), {
    before,
    after: digestsOf(files, createCoverage(root)),
  }),
)
const seconds = (performance.now() - began) / 1_000
const { text, isGood } = closingLines({ files, outcomes, again, needs, seconds })
if (process.argv.includes('--times') && existsSync(timesFile))
  console.error(`\n${timesTable(root, readFileSync(timesFile, 'utf8'))}`)
if (process.argv.includes('--keep-seconds') && existsSync(timesFile))
  keepSeconds(root, secondsByFile(root, readFileSync(timesFile, 'utf8')))
if (proved.length > 0)
  console.error(`
Not run, because nothing that they cover has changed since they passed: ${proved.length} long files.
\`bun test/run.ts --every\` runs them too.`)
console.error(text)
process.exit(isGood ? 0 : 1)

/**
 * How many files run at a time. A fast file waits for a third of its time, a slow one for browsers, programs, processes and
 * leases for more than half of it. A process of the whole run and what it starts need up to 1.5 GB.
 */
function workersOf(isFast: boolean): number {
  const wanted = availableParallelism() + (isFast ? 1 : 3)
  return Math.max(2, Math.min(8, wanted, Math.floor(freemem() / 1.5e9)))
}

/** Lets `bun test` start the files first that took longest the last time. */
async function timings(): Promise<string[]> {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const file = join(cache, 'test-timings.json')
  if (!(await Bun.file(file).exists())) {
    const ms = testFiles(root).map((name) => [name, guessedSeconds(root, name, knownSeconds) * 1_000])
    await Bun.write(file, JSON.stringify({ version: 1, files: Object.fromEntries(ms) }))
  }
  return [`--timings=${file}`, '--update-timings']
}

/** The commit of a checkout, from which each run draws files that it could leave out. Empty without Git. */
function commitOf(folder: string): string {
  const git = Bun.which('git')
    ? Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: folder, stderr: 'ignore' })
    : null
  return git?.stdout.toString().trim() ?? ''
}
