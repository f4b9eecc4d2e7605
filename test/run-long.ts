import { join } from 'node:path'

/**
 * `bun run long [words…]` runs every test that does more with RENOWN_LONG=1, each file in a process of its own, and goes on
 * after one that fails. Words choose files by their names. RENOWN_LONG_PART_SECONDS is how long a file may take.
 */
const root = join(import.meta.dir, '..')
const partSeconds = Number(process.env.RENOWN_LONG_PART_SECONDS ?? 1_200)
const words = process.argv.slice(2)

const files: string[] = []
for (const file of new Bun.Glob('test/**/*.test.{ts,tsx}').scanSync({ cwd: root })) {
  const isLong = /RENOWN_LONG|support\/readable'/.test(await Bun.file(join(root, file)).text())
  if (isLong && (words.length === 0 || words.some((word) => file.includes(word)))) files.push(file)
}
files.sort()
if (files.length === 0) {
  console.error(`no long test is called ${words.join(' or ')}`)
  process.exit(2)
}

const began = performance.now()
const outcomes: { readonly file: string; readonly said: string; readonly isGood: boolean }[] = []
for (const [at, file] of files.entries()) {
  process.stdout.write(`[${at + 1}/${files.length}] ${file} … `)
  const outcome = await runPart(file)
  outcomes.push({ file, ...outcome })
  console.log(outcome.said)
  if (!outcome.isGood) console.log(outcome.output.split('\n').slice(-60).join('\n'))
}
const bad = outcomes.filter(({ isGood }) => !isGood)
for (const { file, said } of bad) console.log(`${said}: ${file}`)
console.log(
  `${files.length - bad.length} of ${files.length} passed in ${spanOf((performance.now() - began) / 1_000)}`,
)
process.exit(bad.length === 0 ? 0 : 1)

async function runPart(file: string) {
  const started = performance.now()
  const child = Bun.spawn([process.execPath, 'test', '--timeout', String(partSeconds * 1_000), `./${file}`], {
    cwd: root,
    env: { ...process.env, RENOWN_LONG: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it started ends with it.
    detached: true,
  })
  const end = () => process.kill(-child.pid, 'SIGKILL')
  const stop = () => {
    end()
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, partSeconds * 1_000)
  const alive = setInterval(() => process.stdout.write('.'), 30_000)
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  clearTimeout(timer)
  clearInterval(alive)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const tests = /^ *(\d+) pass$/m.exec(error)?.[1] ?? '0'
  const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  const took = `${spanOf((performance.now() - started) / 1_000)}, ${spanOf(cpu)} of CPU`
  const isGood = code === 0 && !isLate
  const verdict = isLate ? `CUT OFF after ${partSeconds} s` : isGood ? `${tests} tests` : 'FAILED'
  return { said: `${verdict} (${took})`, isGood, output: `${out}\n${error}` }
}

function spanOf(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`
}
