import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coveredPaths } from './covered-paths'
import { testModules } from './test-files'
import type { Outcome } from './test-output'

/** What a long test file covered when it last passed, as a digest. */
export type Proofs = Readonly<Record<string, string>>

const proofsFile = 'test/proofs.json'
/** Files that decide for every test: the packages and how they are installed. */
const always = ['package.json', 'bun.lock', 'bunfig.toml', '.ci/test-programs']

/** Returns the proofs that are stored in a checkout. */
export const readProofs = (root: string): Proofs => {
  try {
    return JSON.parse(readFileSync(join(root, proofsFile), 'utf8'))
  } catch {
    return {}
  }
}

/** Computes digests of what test files cover. Reads each file once. */
export function createCoverage(root: string, covered = coveredPaths) {
  const files = new Map<string, readonly string[]>()
  const digests = new Map<string, string>()
  const filesOf = (pattern: string) => {
    const known = files.get(pattern) ?? filesBelow(root, pattern)
    files.set(pattern, known)
    return known
  }
  const digestOf = (file: string) => {
    const known = digests.get(file) ?? sha256(readFileSync(join(root, file)))
    digests.set(file, known)
    return known
  }
  return {
    /** The digest of everything that can change the outcome of a test file. Null if it is not one that is left out. */
    of(file: string): string | null {
      const patterns = covered[file]
      if (!patterns) return null
      const paths = [...patterns, ...always].flatMap(filesOf)
      const all = [...new Set([...paths, ...testModules(root, file)])].sort()
      return sha256(all.map((path) => `${path} ${digestOf(path)}`).join('\n')).slice(0, 24)
    },
    /** The paths of the table that match nothing. */
    unmatched: () =>
      Object.entries(covered).flatMap(([file, patterns]) =>
        patterns.filter((pattern) => filesOf(pattern).length === 0).map((pattern) => `${file}: ${pattern}`),
      ),
  }
}

const sha256 = (text: string | Uint8Array) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** The files below a path, or the file itself. `*` stands for any name of one folder. */
function filesBelow(root: string, pattern: string): readonly string[] {
  const [first = '', ...rest] = pattern.split('*')
  const paths =
    rest.length === 0 ? [pattern] : [...new Bun.Glob(pattern).scanSync({ cwd: root, onlyFiles: false })]
  return paths.filter((path) => path.startsWith(first)).flatMap((path) => below(root, path))
}

function below(root: string, path: string): readonly string[] {
  const entry = statSync(join(root, path), { throwIfNoEntry: false })
  if (entry?.isFile()) return [path]
  if (!entry?.isDirectory()) return []
  return readdirSync(join(root, path))
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => below(root, `${path}/${name}`))
}

interface Choice {
  readonly proofs: Proofs
  readonly coverage: Pick<ReturnType<typeof createCoverage>, 'of'>
  /** Chooses which proved files run all the same, so that a path that the table forgot shows one day. */
  readonly seed: string
  /** About how many seconds a file takes. */
  readonly secondsOf: (file: string) => number
}

/** How many proved files run in every run all the same. */
const drawnMax = 4

/**
 * Splits test files into those that run, and those that need not, because they passed and nothing they cover changed. A file that
 * takes ten times as long is drawn a tenth as often, so that no draw takes most of the time of a run.
 */
export function chooseFiles(
  files: readonly string[],
  { proofs, coverage, seed, secondsOf }: Choice,
): { readonly run: readonly string[]; readonly proved: readonly string[] } {
  const proved = files.filter((file) => proofs[file] !== undefined && proofs[file] === coverage.of(file))
  const turns = new Map(proved.map((file) => [file, turnOf(`${seed} ${file}`, secondsOf(file))]))
  const drawn = new Set(
    proved.toSorted((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0)).slice(0, drawnMax),
  )
  const isLeftOut = (file: string) => proved.includes(file) && !drawn.has(file)
  return { run: files.filter((file) => !isLeftOut(file)), proved: files.filter(isLeftOut) }
}

/** When a file comes in a draw: the least first. The seconds weigh it, as waiting times with such means would. */
function turnOf(drawnBy: string, seconds: number): number {
  const drawn = Number.parseInt(sha256(drawnBy).slice(0, 12), 16) / 16 ** 12
  return -Math.log(1 - drawn) * Math.max(1, seconds)
}

/** The digests of long test files before a run. */
export const digestsOf = (
  files: readonly string[],
  coverage: Pick<ReturnType<typeof createCoverage>, 'of'>,
): ReadonlyMap<string, string> =>
  new Map(
    files.flatMap((file) => {
      const digest = coverage.of(file)
      return digest === null ? [] : [[file, digest] as const]
    }),
  )

/**
 * Returns the proofs after a run. A file is proved if all of its tests passed, the first time, and nothing that it covers changed
 * during the run. `mayBeSkipped` says for which reasons a test of it may have been left out. A file that failed loses its proof.
 */
export function provedBy(
  before: Proofs,
  outcomes: readonly Pick<Outcome, 'byFile' | 'failed' | 'skipped'>[],
  mayBeSkipped: (test: string) => boolean,
  digests: { readonly before: ReadonlyMap<string, string>; readonly after: ReadonlyMap<string, string> },
): Proofs {
  const proofs: Record<string, string> = { ...before }
  const failed = new Set(outcomes.flatMap((outcome) => outcome.failed.map(({ file }) => file)))
  for (const [file, digest] of digests.before) {
    const counts = outcomes.map(({ byFile }) => byFile[file]).find((one) => one !== undefined)
    if (!counts) continue
    const skipped = outcomes.flatMap((outcome) =>
      outcome.skipped.filter((test) => test.startsWith(`${file}: `)),
    )
    const isLess = counts.skip > 0 && (skipped.length === 0 || !skipped.every(mayBeSkipped))
    const isWhole = counts.pass > 0 && counts.fail === 0 && !isLess && !failed.has(file)
    if (isWhole && digests.after.get(file) === digest) proofs[file] = digest
    else if (!isWhole && (counts.fail > 0 || failed.has(file))) delete proofs[file]
  }
  return proofs
}

/**
 * Whether a test was left out for something that no machine of a check has, such as a long run or a framework that nobody installs.
 * A store that is missing is another matter: other machines have it.
 */
export function isNeverThere(
  test: string,
  needs: Readonly<Record<string, { readonly isInstallable: boolean }>>,
): boolean {
  const names = /\(needs ([^()]+)\)/.exec(test)?.[1]?.split(', ') ?? []
  return names.some((name) => name !== 'MongoDB' && needs[name]?.isInstallable === false)
}

/** Stores proofs, one line each, if they differ from the stored ones. */
export function writeProofs(root: string, proofs: Proofs): void {
  const known = Object.entries(proofs)
    .filter(([file]) => file in coveredPaths)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`
  const path = join(root, proofsFile)
  if (JSON.stringify(readProofs(root)) !== JSON.stringify(Object.fromEntries(known)))
    writeFileSync(path, text)
}
